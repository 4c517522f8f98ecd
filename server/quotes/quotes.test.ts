import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { giveBilling, letterOfSeller, sellerIs } from "../../tests/billing.ts";
import { customer, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { consents, mails, people, quotes, rateLimits } from "../database/schema/index.ts";
import { deliverProposal } from "./deliver-proposal.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const device = (over: object = {}) => ({ service: "Server", deviceType: "Prod Server", number: 1, ...over });

describe("an estimate", () => {
  it("is priced, kept, and its proposal mailed once as a PDF", async () => {
    const request = quoteRequest();
    const { status, body } = await server.call("estimator", request);
    expect([status, body.message]).toEqual([201, messages.quoteSent]);
    const mail = await server.mailbox.take(request.userEmail, /proposal Q-\d{6}/);
    expect(mail.attachments[0]).toMatchObject({
      mimeType: "application/pdf",
      filename: expect.stringMatching(/^Prahari-proposal-Q-\d{6}\.pdf$/),
    });
    await deliverProposal(server.services, body.quoteId);
    expect(await server.services.database.$count(mails, eq(mails.eventKey, `proposal:${body.quoteId}`))).toBe(1);
  });
  it("is kept once, however often and at once the same request is sent, and its key opens it to nobody else", async () => {
    const request = quoteRequest({ requestKey: randomUUID() });
    const send = (over: object = {}, token?: string) => server.call("estimator", { ...request, ...over }, token);
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set([...answers, await send()].map(({ body }) => body.quoteId)).size).toBe(1);
    await server.mailbox.take(request.userEmail, /proposal Q-\d{6}/);
    const own = eq(quotes.userEmail, request.userEmail);
    expect(await server.services.database.$count(quotes, own)).toBe(1);
    expect(await server.services.database.$count(consents, eq(consents.quoteId, answers[0].body.quoteId))).toBe(1);

    // Somebody else with the same key, a customer with the same request, and a different request with the same key.
    const { token } = await customer(server);
    const others = [
      await send({ userEmail: "stranger@example.in" }),
      await send({}, token),
      await send({ numberOfUsers: 7 }),
    ];
    const ids = [...answers.slice(0, 1), ...others].map(({ status, body }) => (status === 201 ? body.quoteId : status));
    expect(new Set(ids).size).toBe(4);
    // Without a key every request is a new one.
    const plain = quoteRequest();
    const [one, other] = [await server.call("estimator", plain), await server.call("estimator", plain)];
    expect(one.body.quoteId).not.toBe(other.body.quoteId);
  });
  it("costs what was shown, what is kept and what is listed", async () => {
    const { token } = await customer(server);
    const selectedDevices = [
      device({ number: 55 }),
      device({ service: "Customization", deviceType: "SCADA", number: 3 }),
    ];
    const price = (await server.call("estimator/price", { selectedDevices }, token)).body;
    const { quoteId, total_cost } = (await server.call("estimator", quoteRequest({ selectedDevices }), token)).body;
    const [listed] = (await server.call("user/get-estimation", {}, token)).body.estimation;
    const [kept] = await server.services.database.select().from(quotes).where(eq(quotes.id, quoteId));
    expect([total_cost, listed?.total_cost]).toEqual([price.total, price.total]);
    expect(kept?.totalPaise).toBe(Number(price.total.replace(".", "")));
    expect(price).toMatchObject({ discountPercent: 5, gstPercent: 18, sampleRates: true });
    expect(price.lines.map((line) => line.subjectToConfirmation)).toEqual([false, true]);
  });
  it("is answered with what its customer pays, as the price was shown: without GST where none is charged", async () => {
    await sellerIs(server, { undertaking: letterOfSeller });
    const { token, email } = await member(server, "user");
    await giveBilling(server, email, { billingKind: "abroad", billingState: null, billingCountry: "AE" });
    const selectedDevices = [device()];
    const { tax, total } = (await server.call("estimator/price", { selectedDevices }, token)).body;
    const { body } = await server.call("estimator", quoteRequest({ selectedDevices }), token);
    expect(body.total_cost).toBe(tax.total);
    expect(tax.total).not.toBe(total);
  });
  it("of a signed-in customer carries the profile, whatever the form says", async () => {
    const person = await customer(server);
    await server.call(
      "estimator",
      quoteRequest({ userName: "Somebody", userEmail: "else@example.in", organizationName: "Other" }),
      person.token,
    );
    const { estimation } = (await server.call("user/get-estimation", {}, person.token)).body;
    expect(estimation[0]).toMatchObject({
      user_name: "Asha Rao",
      user_email: person.email,
      organization_name: "Kaveri Textiles",
    });
  });
  it("of a visitor becomes theirs when they sign in with the same e-mail, in any case", async () => {
    const person = registration();
    await server.call("estimator", quoteRequest({ userEmail: person.email.toUpperCase() }));
    await server.call("auth/register", person);
    const { body } = await server.call("user/get-estimation", {}, await signIn(server, person.email));
    expect(body.total).toBe(1);
  });
  it.each(["आशा राव", "அன்பு", "محمد", "<script>alert(1)</script>", "O'Neill & Söhne", "#panic() $x$"])(
    "takes the name %s as it is",
    async (userName) => {
      const request = quoteRequest({ userName, organizationName: userName });
      const { body } = await server.call("estimator", request);
      const [kept] = await server.services.database.select().from(quotes).where(eq(quotes.id, body.quoteId));
      expect(kept?.userName).toBe(userName);
      expect((await server.mailbox.take(request.userEmail, /proposal/)).text).toContain(userName);
    },
  );
});

describe("an estimate is refused", () => {
  it.each(["erased_at = now()", "suspended_at = now()", "email = 'new-' || email"])(
    "of who waits for it while they are changed: %s",
    async (change) => {
      const person = await member(server, "user");
      const held = `select from organisations where id = '${person.organisationId}' for no key update;
        update people set ${change} where id = '${person.id}'`;
      const send = () => server.call("estimator", quoteRequest(), person.token);
      const [late] = await whileHeld(server, held, () => [send()], 1, "commit");
      const made = eq(quotes.organisationId, person.organisationId);
      expect([late?.status, await server.services.database.$count(quotes, made)]).toEqual([401, 0]);
    },
  );
  const valid = quoteRequest();
  const names = Object.keys(valid) as (keyof typeof valid)[];
  it.each(names)("without its %s", async (name) => {
    const { [name]: _left, ...rest } = valid;
    const { status, body } = await server.send("estimator", rest);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [name]]);
  });
  it.each(names)("with a %s of the wrong type", async (name) => {
    expect((await server.send("estimator", { ...valid, [name]: { $ne: null } })).status).toBe(422);
  });
  it.each([
    ["userName", "a".repeat(122)],
    ["userName", "A\r\nBcc: x@y.in"],
    ["userEmail", `${"a".repeat(45)}@b.example`],
    ["userEmail", "a@b.in, c@d.in"],
    ["organizationName", "a".repeat(121)],
    ["phoneNumber", "1234567"],
    ["phoneNumber", "+1234567890123456"],
    ["numberOfUsers", 0],
    ["numberOfUsers", 1.5],
    ["numberOfUsers", "many"],
    ["numberOfUsers", ""],
    ["numberOfUsers", true],
    ["numberOfUsers", [7]],
    ["numberOfUsers", 1_000_001],
    ["userName", "half a character: \ud83d"],
    ["message", "a".repeat(2001)],
    ["message", "   "],
  ])("with the %s %j", async (name, value) => {
    const { status, body } = await server.send("estimator", { ...valid, [name]: value });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [name]]);
  });
  it.each([
    [[]],
    [[device({ number: 0 })]],
    [[device({ number: 501 })]],
    [[device({ number: -1 })]],
    [[device({ number: 1.5 })]],
    [[device({ number: "5" })]],
    [[device({ deviceType: "Toaster" })]],
    [[device({ service: "Kitchen" })]],
    [[device(), device()]],
    [[device({ service: "Customization", deviceType: " " })]],
    [[device({ service: "Customization", deviceType: "a".repeat(61) })]],
    [[device({ service: "Customization", deviceType: "\udc00" })]],
    [[device({ deviceType: "*" })]],
    [[device({ service: "Customization", deviceType: "a" }), device({ service: "Customization", deviceType: "A" })]],
    [Array.from({ length: 101 }, (_, index) => device({ service: "Customization", deviceType: `d${index}` }))],
  ])("with the devices %j", async (selectedDevices) => {
    expect((await server.send("estimator", { ...valid, selectedDevices })).status).toBe(422);
    expect((await server.send("estimator/price", { selectedDevices })).status).toBe(422);
  });
  it("after ten in an hour to one e-mail, with the time to wait", async () => {
    const request = quoteRequest();
    const answers = [];
    for (let count = 0; count < 11; count++) answers.push(await server.call("estimator", request));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(3000);
  });
});

describe("the list of quotes", () => {
  const anyId = "019b0000-0000-7000-8000-000000000001";
  const cursorOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  let asker: Awaited<ReturnType<typeof customer>>;
  beforeAll(async () => {
    asker = await customer(server);
  });
  it("shows the organisation's own only, to its child users too", async () => {
    const [one, other] = [await customer(server), await customer(server)];
    await server.call("estimator", quoteRequest(), one.token);
    expect((await server.call("user/get-estimation", {}, other.token)).body).toMatchObject({
      estimation: [],
      total: 0,
      nextCursor: null,
    });
    await server.services.database.update(people).set({ role: "userChild" }).where(eq(people.email, one.email));
    expect((await server.call("user/get-estimation", {}, one.token)).body.total).toBe(1);
  });
  it("pages through 120 without gap or repeat, by any sort, and searches", async () => {
    const { token } = await customer(server);
    const { quoteId } = (await server.call("estimator", quoteRequest(), token)).body;
    const { database } = server.services;
    const [first] = await database.select().from(quotes).where(eq(quotes.id, quoteId));
    if (!first) throw new Error("no quote");
    const { id: _id, serial: _serial, proposalFile: _file, ...copied } = first;
    await database.insert(quotes).values(
      Array.from({ length: 119 }, (_, index) => ({
        ...copied,
        message: `copy ${index} 50%_off`,
        totalPaise: 1000 + (index % 7),
      })),
    );
    for (const sort of [
      undefined,
      "created_at",
      "-created_at",
      "total_cost",
      "-total_cost",
      "organization_name",
      "valid_until",
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const { body }: { body: { estimation: { id: string }[]; nextCursor: string | null; total: number } } =
          await server.call("user/get-estimation", { limit: 50, sort, cursor: cursor ?? undefined }, token);
        expect(body.total).toBe(120);
        seen.push(...body.estimation.map(({ id }) => id));
        cursor = body.nextCursor;
      } while (cursor);
      expect(new Set(seen).size).toBe(120);
      expect(seen).toHaveLength(120);
    }
    expect((await server.call("user/get-estimation", { search: "copy 118" }, token)).body.total).toBe(1);
    expect((await server.call("user/get-estimation", { search: "50%_OFF" }, token)).body.total).toBe(119);
    expect((await server.call("user/get-estimation", { search: "%" }, token)).body.total).toBe(119);
    expect((await server.call("user/get-estimation", { search: "'; drop table quotes; --" }, token)).body.total).toBe(
      0,
    );
  });
  it.each([
    { sort: "message" },
    { sort: "__proto__" },
    { cursor: "nonsense" },
    { cursor: cursorOf("a", "b") },
    { cursor: cursorOf("a", anyId) },
    { cursor: cursorOf(anyId, "-".repeat(36)) },
    { cursor: cursorOf("9".repeat(30), anyId), sort: "total_cost" },
    { cursor: cursorOf("no time", anyId), sort: "-created_at" },
    { cursor: cursorOf("a\0", anyId), sort: "organization_name" },
    { search: "a\0b" },
    { limit: 0 },
    { limit: 101 },
  ])("refuses %j", async (query) => {
    expect((await server.send("user/get-estimation", query, asker.token)).status).toBe(422);
  });
  it("pages on after the longest name in any script", async () => {
    const { token } = await customer(server, { organizationName: "क".repeat(limits.organizationLengthMax) });
    for (let sent = 0; sent < 2; sent++) await server.call("estimator", quoteRequest(), token);
    const page = { sort: "organization_name", limit: 1 } as const;
    const first = (await server.call("user/get-estimation", page, token)).body;
    const second = await server.call("user/get-estimation", { ...page, cursor: String(first.nextCursor) }, token);
    expect([second.status, second.body.estimation.length, second.body.nextCursor]).toEqual([200, 1, null]);
    expect(second.body.estimation[0]?.id).not.toBe(first.estimation[0]?.id);
  });
  it("tells the state of each quote", async () => {
    const { token } = await customer(server);
    const { quoteId } = (await server.call("estimator", quoteRequest(), token)).body;
    const state = async () => (await server.call("user/get-estimation", {}, token)).body.estimation[0]?.state;
    await expect.poll(state).toBe("open");
    await server.services.database
      .update(quotes)
      .set({ validUntil: new Date(0) })
      .where(eq(quotes.id, quoteId));
    expect(await state()).toBe("expired");
  });
});

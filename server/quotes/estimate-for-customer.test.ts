import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweptData } from "../../contract/retention.ts";
import { customer, customerEstimate, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { member, type Member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { organisations, people, quotes, rateLimits } from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";
import { applyRetention } from "../upkeep/retention.ts";

let server: TestServer;
let partner: Member;
let own: Member;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  partner = await member(server, "partner", { organizationName: "Narmada Networks", firstName: "Nila" });
  own = await member(server, "user", { partnerId: partner.organisationId, organizationName: "Godavari Foods" });
});

const make = (email: string, { token }: Pick<Member, "token"> = partner, over: object = {}) =>
  server.call("partner/create-estimate", { ...customerEstimate(), email, ...over }, token);
const quotesOf = async ({ token }: Pick<Member, "token">) =>
  (await server.call("user/get-estimation", {}, token)).body.estimation;
const madeFor = async (email: string, { token }: Pick<Member, "token"> = partner) =>
  (await server.call("partner/get-estimation", { email }, token)).body.estimation;
const madeHere = () => server.services.database.$count(quotes, eq(quotes.organisationId, own.organisationId));

/** A customer whom the partner has invited and who has not accepted. Answers a function that accepts. */
async function invite(email = `ravi-${randomUUID().slice(0, 13)}@example.in`, organizationName = "Kaveri Mills") {
  const person = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
  await server.call("partner/create-user", { ...person, organizationName }, partner.token);
  const link = (await server.mailbox.take(email, /invited/i)).text ?? "";
  const token = /#token=([\w-]+)/.exec(link)?.[1] ?? "";
  const accept = (claimQuotes = false) =>
    server.call("auth/accept-invite", { token, password, confirmPassword: password, claimQuotes });
  const { body } = await server.call("partner/users", { search: email }, partner.token);
  return { email, token, accept, id: body.users[0]?.id ?? "" };
}

describe("An estimate that a partner makes for its customer", () => {
  it("says of its tax that the customer's billing details decide, and not the partner's", async () => {
    const { selectedDevices } = customerEstimate();
    const noteFor = async (token: string) =>
      (await server.call("estimator/price", { selectedDevices }, token)).body.tax.notes[0];
    expect(await noteFor(partner.token)).toMatch(/^The customer’s billing details decide how GST splits/);
    expect(await noteFor(own.token)).toMatch(/^Your billing details decide/);
    expect(await noteFor(await server.publicToken())).toMatch(/^Your billing details decide/);
  });

  it("is made by nobody whose customer went to another partner while it waited", async () => {
    const next = await member(server, "partner");
    const move = `select from organisations where id = '${own.organisationId}' for no key update;
      update organisations set partner_id = '${next.organisationId}' where id = '${own.organisationId}'`;
    const [late] = await whileHeld(server, move, () => [make(own.email)], 1, "commit");
    expect([late?.status, await madeHere()]).toEqual([404, 0]);
  });

  it("is the customer's quote, with the customer's own facts, and can be bought by it", async () => {
    const { status, body } = await make(own.email);
    expect(status).toBe(201);
    const [quote] = await quotesOf(own);
    expect(quote).toMatchObject({
      id: body.quoteId,
      number: body.quoteNumber,
      total_cost: body.total_cost,
      organization_name: "Godavari Foods",
      user_name: "Asha Rao",
      user_email: own.email,
      number_of_users: 120,
    });
    await jobsDone(server, "render-proposal");
    const payment = { email: own.email, name: "Asha Rao", phone: "+919876543210", takeOver: false };
    const order = { ...payment, quote_id: body.quoteId, amount: quote?.total_cost ?? "" };
    expect((await server.call("user/orders", order, own.token)).status).toBe(200);
  });

  it("tells both who made it, in their lists, in the mail and on the proposal", async () => {
    const child = await member(server, "partnerChild", { organisationId: partner.organisationId, firstName: "Mira" });
    await make(own.email, child);
    const by = "Mira Rao, Narmada Networks";
    expect((await quotesOf(own)).map((quote) => quote.made_by)).toEqual([by]);
    expect((await madeFor(own.email)).map((quote) => quote.made_by)).toEqual([by]);
    const mail = await server.mailbox.take(own.email, /proposal Q-\d{6}/);
    expect(mail.text).toContain("Your partner has had this proposal made for you");
    expect(mail.text).toContain("Asked for by your partner: Narmada Networks");
    const content = mail.attachments[0]?.content as ArrayBuffer;
    expect((await readPdf(new Uint8Array(content))).text).toContain("From your partner, Narmada Networks");
  });

  it("stands in the audit logs of both", async () => {
    const { body } = await make(own.email);
    for (const [name, reader] of [
      ["user/audit", own],
      ["partner/audit", partner],
    ] as const) {
      const { entries } = (await server.call(name, {}, reader.token)).body;
      expect(entries.filter(({ action }) => action === "send estimate for customer")).toMatchObject([
        { actor_name: "Nila Rao", actor_organization: "Narmada Networks", subject_name: body.quoteNumber },
      ]);
    }
  });

  it("lets its maker, and nobody else, see the proposal at once", async () => {
    const { proposalToken } = (await make(own.email)).body;
    await jobsDone(server, "render-proposal");
    const seen = (by: Member) => server.call("estimator/proposal", { token: proposalToken }, by.token);
    expect((await seen(partner)).body.signedUrl).toContain("/api/files/");
    expect((await seen(own)).status).toBe(404);
  });

  it("is made once, however often and at once the same request is sent", async () => {
    const requestKey = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => make(own.email, partner, { requestKey })));
    const again = await make(own.email, partner, { requestKey });
    expect(new Set([...answers, again].map(({ body }) => body.quoteId)).size).toBe(1);
    expect(await madeHere()).toBe(1);
    await jobsDone(server, "render-proposal", "send-mail");
    expect(server.mailbox.mails.filter((mail) => mail.to?.[0]?.address === own.email)).toHaveLength(1);
    const corrected = { requestKey, selectedDevices: [{ ...customerEstimate().selectedDevices[0], number: 77 }] };
    expect((await make(own.email, partner, corrected)).body).toMatchObject({ code: "conflict" });
    // Another person's request may have the same key.
    const child = await member(server, "partnerChild", { organisationId: partner.organisationId });
    await make(own.email, child, { requestKey });
    expect(await madeHere()).toBe(2);
  });

  it("is answered to a repeated request though the customer was suspended meanwhile, or had its last one for today", async () => {
    const requestKey = randomUUID();
    const { database, limiter } = server.services;
    const { body: kept } = await make(own.email, partner, { requestKey });
    for (let made = 1; made < rules.estimateForCustomer.points; made++)
      await limiter.consume("estimateForCustomer", own.organisationId);
    await database
      .update(organisations)
      .set({ suspendedAt: new Date() })
      .where(eq(organisations.id, own.organisationId));
    const again = await make(own.email, partner, { requestKey });
    expect([again.status, again.body.quoteId]).toEqual([201, kept.quoteId]);
    const corrected = { requestKey, numberOfUsers: 7 };
    expect((await make(own.email, partner, corrected)).body).toMatchObject({ code: "conflict" });
    expect((await make(own.email, partner, { requestKey: randomUUID() })).status).toBe(429);
    expect(await madeHere()).toBe(1);
  });

  it("is refused for another partner's customer as for nobody, and for partners themselves", async () => {
    const other = await member(server, "partner");
    for (const email of [own.email, partner.email, other.email, "nobody@example.in"]) {
      const { status, body } = await make(email, other);
      expect([status, body.error]).toEqual([404, "This customer was not found."]);
    }
    expect(await madeFor(own.email, other)).toEqual([]);
    expect(await madeHere()).toBe(0);
  });

  it("is refused while the customer is suspended, and goes again afterwards", async () => {
    const { database } = server.services;
    const set = (suspendedAt: Date | null) =>
      database.update(organisations).set({ suspendedAt }).where(eq(organisations.id, own.organisationId));
    await set(new Date());
    const { status, body } = await make(own.email);
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(body.error).toMatch(/suspended/);
    await set(null);
    expect((await make(own.email)).status).toBe(201);
  });

  it("shows a partner none of the quotes that the customer asked for itself", async () => {
    const { quoteNumber } = (await make(own.email)).body;
    const asked = { ...customerEstimate(), userName: "Asha", userEmail: own.email };
    const form = { ...asked, organizationName: "Godavari Foods", phoneNumber: "+919876543210" };
    expect((await server.call("estimator", form, own.token)).status).toBe(201);
    expect((await quotesOf(own)).map((quote) => quote.made_by)).toEqual([null, "Nila Rao, Narmada Networks"]);
    expect((await madeFor(own.email)).map((quote) => quote.number)).toEqual([quoteNumber]);
  });

  it("ends at so many for one customer in a day, and for one person in an hour", async () => {
    const { estimateForCustomer, estimateByPartner } = rules;
    for (let made = 0; made < estimateForCustomer.points; made++)
      await server.services.limiter.consume("estimateForCustomer", own.organisationId);
    expect((await make(own.email)).status).toBe(429);
    const second = await member(server, "user", { partnerId: partner.organisationId });
    expect((await make(second.email)).status).toBe(201);
    for (let made = 0; made < estimateByPartner.points; made++)
      await server.services.limiter.allows("estimateByPartner", partner.id);
    expect((await make(second.email)).status).toBe(429);
  });
});

describe("An estimate for a customer who has not accepted the invitation", () => {
  it("is in My Quotes once they do, without being told of as one of a stranger's", async () => {
    const invited = await invite();
    const { quoteId } = (await make(invited.email)).body;
    const told = await server.call("auth/invitation", { token: invited.token });
    expect(told.body.invitation.estimates).toBe(0);
    await invited.accept();
    const token = await signIn(server, invited.email);
    expect((await quotesOf({ token })).map(({ id }) => id)).toEqual([quoteId]);
    expect((await madeFor(invited.email)).map(({ id }) => id)).toEqual([quoteId]);
  });

  it("follows who registers by themselves instead", async () => {
    const invited = await invite();
    const { quoteId } = (await make(invited.email)).body;
    const { token } = await customer(server, { email: invited.email });
    expect((await quotesOf({ token })).map(({ id }) => id)).toEqual([quoteId]);
    expect(await madeFor(invited.email)).toEqual([]);
  });

  it("follows who takes another partner's invitation, if they say so", async () => {
    for (const brings of [true, false]) {
      const invited = await invite();
      const { quoteId } = (await make(invited.email)).body;
      partner = await member(server, "partner");
      const other = await invite(invited.email);
      expect((await server.call("auth/invitation", { token: other.token })).body.invitation.estimates).toBe(1);
      await other.accept(brings);
      const token = await signIn(server, invited.email);
      expect((await quotesOf({ token })).map(({ id }) => id)).toEqual(brings ? [quoteId] : []);
    }
  });

  it("asks to send an expired invitation again first", async () => {
    const invited = await invite();
    const past = new Date(Date.now() - 1000);
    await server.services.database.update(people).set({ invitedUntil: past }).where(eq(people.id, invited.id));
    const { status, body } = await make(invited.email);
    expect([status, body.error]).toEqual([
      409,
      "The invitation of this customer has expired. Please send it again first.",
    ]);
  });

  it("does not keep the invitation from being withdrawn, also at the same time", async () => {
    const invited = await invite();
    const { quoteId } = (await make(invited.email)).body;
    const [withdrawn, made] = await Promise.all([
      server.call("people/withdraw-invitation", { id: invited.id }, partner.token),
      make(invited.email),
    ]);
    expect(withdrawn.status).toBe(200);
    expect([201, 404]).toContain(made.status);
    const person = registration({ email: invited.email });
    await server.call("auth/register", person);
    const token = await signIn(server, invited.email);
    expect((await quotesOf({ token })).map(({ id }) => id)).toContain(quoteId);
  });

  it("goes with the time of a visitor's estimate when they never come", async () => {
    const organizationName = `Kaveri ${randomUUID().slice(0, 8)}`;
    const invited = await invite(undefined, organizationName);
    const { quoteId } = (await make(invited.email)).body;
    await jobsDone(server, "render-proposal");
    const { database } = server.services;
    const past = new Date(Date.now() - (sweptData.visitorsEstimates.days + 1) * 86_400_000);
    await database.update(people).set({ createdAt: past }).where(eq(people.id, invited.id));
    await database.update(quotes).set({ createdAt: past }).where(eq(quotes.id, quoteId));
    server.passTime(sweptData.links.days * 86_400);
    await applyRetention(server.services);
    await applyRetention(server.services);
    server.passTime(-sweptData.links.days * 86_400);
    expect(await database.$count(people, eq(people.id, invited.id))).toBe(0);
    expect(await database.$count(organisations, eq(organisations.name, organizationName))).toBe(0);
    expect(await database.$count(quotes, eq(quotes.id, quoteId))).toBe(0);
  });
});

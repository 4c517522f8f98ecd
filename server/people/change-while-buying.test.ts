import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { countWaiting, whileHeld } from "../../tests/while-held.ts";
import { messages } from "../../contract/messages.ts";
import { rupees } from "../../contract/money.ts";
import { notices, orders, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  admin = await member(server, "admin");
});

const database = () => server.services.database;

const billing = { billingAddress: "12 Residency Road, Bengaluru", billingState: "29" };

/** A partner's customer with a quote, and a call that buys it. */
async function customerWithQuote() {
  const partner = await member(server, "partner");
  const person = await member(server, "user", { partnerId: partner.organisationId });
  const quote = await insertQuote(server, person);
  const request = {
    email: person.email,
    quote_id: quote.id,
    amount: rupees(quote.totalPaise),
    name: "Asha Rao",
    phone: "9876543210",
  };
  const order = async () => (await database().select().from(orders).where(eq(orders.quoteId, quote.id)))[0];
  return {
    partner,
    person,
    quote,
    order,
    buy: (over: object = {}) => server.call("user/orders", { ...request, ...over }, person.token),
  };
}

/** Both calls come as far as their audit entries, or one waits for the other before. */
async function atOnce(one: () => Promise<{ status: number }>, other: () => Promise<{ status: number }>) {
  // Opens the connections beforehand: on a slow machine, opening them now would be refused as busy.
  await Promise.all([1, 2, 3].map(() => server.call("user/me", {}, admin.token)));
  return whileHeld(server, "lock table audit_entries in share mode", () => [one(), other()]);
}

it("An order that is made while its customer moves goes to the new partner", async () => {
  for (const turned of [false, true]) {
    const { person, order, buy } = await customerWithQuote();
    const next = await member(server, "partner");
    const move = () =>
      server.call(
        "admin/people/move-customer",
        { id: person.organisationId, version: 1, partner_email: next.email },
        admin.token,
      );
    const answers = await (turned ? atOnce(move, buy) : atOnce(buy, move));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await order())?.partnerId).toBe(next.organisationId);
  }
});

it("An attack that is reported while its customer moves is the new partner's to see", async () => {
  for (const turned of [false, true]) {
    const { partner, person } = await customerWithQuote();
    const next = await member(server, "partner");
    const move = { id: person.organisationId, version: 1, partner_email: next.email };
    const moves = () => server.call("admin/people/move-customer", move, admin.token);
    const report = { id: randomUUID(), what: "Files are being encrypted", since: "noon", call: "Asha" };
    const reports = () => server.call("user/under-attack/post", report, person.token);
    await (turned ? atOnce(moves, reports) : atOnce(reports, moves));
    const seenBy = async ({ token }: Member) =>
      (await server.call("partner/incidents", {}, token)).body.incidents.map(({ id }) => id);
    expect([await seenBy(partner), await seenBy(next)]).toEqual([[], [report.id]]);
  }
});

it("Somebody who is invited while their organisation gets another name is listed with that", async () => {
  for (const turned of [false, true]) {
    const { person } = await customerWithQuote();
    const name = `Godavari Foods ${turned}`;
    const change = { id: person.organisationId, version: 1, name };
    const rename = () => server.call("admin/people/change-organization", change, admin.token);
    const email = `ravi-${randomUUID().slice(0, 7)}@example.in`;
    const invited = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "+919876543210" };
    const invite = () => server.call("user/create-child-user", invited, person.token);
    await (turned ? atOnce(rename, invite) : atOnce(invite, rename));
    const { invitations } = (await server.call("admin/people/invitations", { search: email }, admin.token)).body;
    expect(invitations).toMatchObject([{ organization_name: name }]);
  }
});

it("An order that is made while its buyer gets another name is listed with that", async () => {
  for (const turned of [false, true]) {
    const { person, order, buy } = await customerWithQuote();
    const change = { id: person.id, version: 1, firstName: "Meera", lastName: "Iyer", phoneNo: "+919876543210" };
    const rename = () => server.call("admin/people/change", change, admin.token);
    await (turned ? atOnce(rename, buy) : atOnce(buy, rename));
    expect((await order())?.buyerName).toBe("Meera Iyer");
  }
});

it("An order that is made while its customer is merged goes along, or the merge is refused", async () => {
  for (const turned of [false, true]) {
    const { person, order, buy } = await customerWithQuote();
    const into = await member(server, "user");
    const seen = { from: { id: person.organisationId, version: 1 }, into: { id: into.organisationId, version: 1 } };
    const merge = () => server.call("admin/people/merge", seen, admin.token);
    const answers = await (turned ? atOnce(merge, buy) : atOnce(buy, merge));
    const [bought, merged] = turned ? answers.toReversed() : answers;
    // If bought first, a payment is under way; if merged first, the quote is somebody else's by then.
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([bought?.status, merged?.status]);
    expect((await order())?.organisationId).toBe(bought?.status === 200 ? person.organisationId : undefined);
  }
});

it("Whoever has an order tells its people of it while their customer gets another name or partner", async () => {
  for (const operation of ["change-organization", "move-customer"]) {
    const { person, quote, buy } = await customerWithQuote();
    await buy();
    const next = { id: person.organisationId, version: 1, name: "Godavari Foods", partner_email: null };
    let changing: ReturnType<typeof server.send> | undefined;
    await database().transaction(async (transaction) => {
      await transaction.select().from(orders).where(eq(orders.quoteId, quote.id)).for("update");
      changing = server.send(`admin/people/${operation}`, next, admin.token);
      await expect.poll(() => countWaiting(server), { interval: 20 }).toBe(1);
      const told = { personId: person.id, kind: "payment received", eventKey: quote.id } as const;
      await transaction.insert(notices).values({ ...told, title: "Paid", text: "Thank you.", link: "" });
    });
    expect((await changing)?.status).toBe(200);
  }
});

it("Two people of one organisation buy at once", async () => {
  const one = await customerWithQuote();
  const colleague = await member(server, "userChild", { organisationId: one.person.organisationId });
  const quote = await insertQuote(server, colleague);
  const request = {
    email: colleague.email,
    quote_id: quote.id,
    amount: rupees(quote.totalPaise),
    name: "Asha Rao",
    phone: "9876543210",
    ...billing,
  };
  const answers = await atOnce(
    () => one.buy(billing),
    () => server.call("user/orders", request, colleague.token),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

it("Who is suspended while they buy or decline is out", async () => {
  for (const which of ["buy", "decline"]) {
    const { person, quote, order, buy } = await customerWithQuote();
    const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
    const suspend = `select from organisations where id = '${person.organisationId}' for no key update;
      update people set suspended_at = now() where id = '${person.id}'`;
    const start = () => [which === "buy" ? buy() : server.send("user/quotes/decline", declined, person.token)];
    const [answer] = await whileHeld<{ status: number; body: object }>(server, suspend, start, 1, "commit");
    expect(answer).toMatchObject({ status: 401, body: { error: messages.suspended } });
    expect(await order()).toBeUndefined();
  }
});

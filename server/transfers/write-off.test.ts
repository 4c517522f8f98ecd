import { and, asc, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { invoicesOf, orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, today, transferBuyer } from "../../tests/transfers.ts";
import { ledgerEntries, quotes, rateLimits, writeOffRequests } from "../database/schema/index.ts";

const limitPaise = 1_000_00;
let server: TestServer;
let asha: Member;
let bala: Member;
let child: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: limitPaise } });
  asha = await member(server, "admin");
  bala = await member(server, "admin", { organisationId: asha.organisationId });
  child = await member(server, "adminChild", { organisationId: asha.organisationId });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;

/** An order against invoice, of which nothing has come. */
async function invoiced() {
  const made = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, made.quote.id));
  const { body } = await made.choose({ way: "invoice" });
  return { ...made, ...body, orderId: body.order_id, number: body.order_number, pay: paiseFrom(body.pay) };
}
const settle = (order_id: string, paise: number, { by = asha, id = randomUUID(), reason = "Insolvent" } = {}) =>
  server.call("admin/receivables/settle", { id, order_id, kind: "write-off", amount: rupees(paise), reason }, by.token);
const agree = (id: string, by = bala) => server.call("admin/write-offs/agree", { id }, by.token);
const decline = (id: string, by = bala) => server.call("admin/write-offs/decline", { id }, by.token);
const record = (paise: number, pays: string) =>
  server.call(
    "admin/transfers/record",
    { utr: newUtr(), received_on: today(server), payer: "Malabar Exports", amount: rupees(paise), pays },
    asha.token,
  );
const writtenOff = (orderId: string) =>
  db()
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.kind, "write-off")))
    .orderBy(asc(ledgerEntries.id));
const waits = async (number: string) =>
  (await server.call("admin/actions", { queue: "writeOffs", search: number }, asha.token)).body.items;
const readOrder = async (id: string, { token }: Member) => (await server.call("admin/order", { id }, token)).body;
const receivable = async (number: string) =>
  (await server.call("admin/receivables", { search: number }, asha.token)).body.receivables[0];

it("What one person may write off is entered at once, and two sums that exceed it together wait for another one", async () => {
  const { orderId, number, quote } = await invoiced();
  expect((await settle(orderId, 600_00)).body.message).toBe(`₹600.00 of ${number} are written off.`);
  const { status, body } = await settle(orderId, 400_01);
  expect([status, body.message]).toEqual([
    200,
    "₹400.01 wait for another main administrator, who finds them under Actions. Nothing is written off before.",
  ]);
  expect((await writtenOff(orderId)).map(({ amountPaise }) => amountPaise)).toEqual([-600_00]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "invoiced" });
});

it("Whoever asked is not the second, whoever is may be told by whom and why, and what two agreed to is not counted again", async () => {
  const { orderId, number, pay, person, quote } = await invoiced();
  const id = randomUUID();
  const all = await settle(orderId, pay - limitPaise, { id, reason: "Out of business" });
  expect(all.status).toBe(200);
  expect(await receivable(number)).toMatchObject({ write_off_asked: rupees(pay - limitPaise), open: rupees(pay) });
  expect(await waits(number)).toMatchObject([{ problem: expect.stringContaining("Out of business") }]);
  const notices = (await server.call("notices", {}, bala.token)).body;
  expect(JSON.stringify(notices)).toContain(`A write-off of ${number} waits for another main administrator`);
  expect(JSON.stringify((await server.call("notices", {}, asha.token)).body)).not.toContain(number);
  expect((await readOrder(orderId, asha)).write_off).toMatchObject({ id, may_agree: false });
  expect((await readOrder(orderId, child)).write_off).toMatchObject({ id, may_agree: false });
  expect((await readOrder(orderId, bala)).write_off).toMatchObject({ id, may_agree: true, reason: "Out of business" });
  expect((await agree(id, asha)).body.error).toMatch(/You asked for this write-off yourself/);
  expect((await agree(id, child)).status).toBe(403);
  const told = JSON.stringify([
    (await server.call("user/order", { id: orderId }, person.token)).body,
    (await server.call("user/payments-due", {}, person.token)).body,
    (await server.call("user/audit", {}, person.token)).body,
  ]);
  expect(told).not.toMatch(/Out of business|write.off|written off/i);

  const both = await Promise.all([agree(id), agree(id)]);
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect((await writtenOff(orderId)).map((each) => [each.amountPaise, each.writtenBy, each.eventId])).toEqual([
    [limitPaise - pay, asha.id, id],
  ]);
  expect(await waits(number)).toEqual([]);
  const { steps, write_off } = await readOrder(orderId, asha);
  expect(write_off).toBeNull();
  expect(steps.find(({ name }) => name === "written_off")?.says).toMatch(/: Out of business \(.* agreed\)$/);
  // One person may still write off as much as without it.
  expect((await settle(orderId, limitPaise)).body.message).toMatch(/are written off/);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "closed", owedPaise: 0 });
});

it("A repeated call asks once, one order has one such request, and a refused one may be asked for again", async () => {
  const { orderId, number, pay } = await invoiced();
  const id = randomUUID();
  const answers = await Promise.all([1, 2].map(() => settle(orderId, pay, { id })));
  expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  expect((await settle(orderId, pay - 1, { id })).body.error).toMatch(/has entered .* already, as “Insolvent”/);
  const others = await Promise.all([settle(orderId, pay), settle(orderId, pay, { by: bala })]);
  expect(others.map(({ body }) => body.error)).toEqual(
    [1, 2].map(() => expect.stringMatching(/waits for another main administrator already/)),
  );
  expect((await decline(id)).body.message).toBe("Refused. Nothing was written off.");
  expect(await waits(number)).toEqual([]);
  expect((await agree(id)).body.error).toMatch(/has declined this write-off already/);
  // Whoever sends the form again does not read that it still waits.
  const late = await settle(orderId, pay, { id });
  expect([late.status, late.body.error]).toEqual([409, expect.stringMatching(/has declined this write-off already/)]);
  expect((await decline(id, asha)).status).toBe(409);
  const again = randomUUID();
  expect((await settle(orderId, pay, { id: again })).status).toBe(200);
  expect((await decline(again, asha)).body.message).toBe("Withdrawn. Nothing was written off.");
  expect(await writtenOff(orderId)).toEqual([]);
  expect((await db().select().from(writeOffRequests).where(eq(writeOffRequests.orderId, orderId))).length).toBe(2);
});

it("What was paid meanwhile is not written off as well", async () => {
  const { orderId, pay, document, quote } = await invoiced();
  const id = randomUUID();
  await settle(orderId, pay, { id });
  expect((await record(pay - 500_00, document)).status).toBe(200);
  expect((await agree(id)).body.error).toMatch(/₹500\.00 are open, .* Please refuse this request\./);
  expect(await writtenOff(orderId)).toEqual([]);
  expect((await decline(id)).status).toBe(200);
  expect((await settle(orderId, 500_00)).body.message).toMatch(/are written off/);
  expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0 });
});

it("The rest of a proforma above the limit waits too, and its invoice is made once two agree", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  const restPaise = limitPaise + 1_00;
  const id = randomUUID();
  expect((await record(paiseFrom(body.pay) - restPaise, body.document)).status).toBe(200);
  expect((await settle(body.order_id, restPaise, { id })).body.message).toMatch(/wait for another/);
  expect(await invoicesOf(server, quote.id)).toEqual([]);
  expect((await agree(id)).body.message).toMatch(/are given up. What came pays it/);
  expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0, expectedPaise: 0 });
});

it("The table itself takes no agreement of the one who asked", async () => {
  const { orderId, pay } = await invoiced();
  const id = randomUUID();
  await settle(orderId, pay, { id });
  await expect(
    db().update(writeOffRequests).set({ state: "agreed", decidedBy: asha.id }).where(eq(writeOffRequests.id, id)),
  ).rejects.toMatchObject({ cause: { constraint: "write_off_requests_by_two_people" } });
});

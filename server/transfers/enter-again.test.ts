import { and, eq, isNull } from "drizzle-orm";
import { unzipSync, strFromU8 } from "fflate";
import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { orderOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, today, transferBuyer } from "../../tests/transfers.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { collectData } from "../data-requests/collect-data.ts";
import { zipData } from "../data-requests/zip-data.ts";
import { auditEntries, findings, rateLimits, receipts, refundVouchers, transfers } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
let second: Member;
beforeAll(async () => {
  server = await startTestServer();
  admin = await member(server, "admin");
  second = await member(server, "admin", { organisationId: admin.organisationId });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
/** A buyer who has chosen to pay by transfer, and is asked for `pay` paise. */
async function asked() {
  const made = await transferBuyer(server);
  const { body } = await made.choose();
  return {
    ...made,
    orderId: body.order_id,
    number: body.order_number,
    document: body.document,
    pay: paiseFrom(body.pay),
  };
}
async function record(paise: number, pays: string, utr = newUtr()) {
  const came = { utr, received_on: today(server), payer: "Malabar Exports", amount: rupees(paise), pays };
  expect((await server.call("admin/transfers/record", came, admin.token)).status).toBe(200);
  return utr;
}
/** An agreed refund of an order's transferred money. */
async function refundOf(orderId: string, paise: number, { agreed = true } = {}) {
  const id = randomUUID();
  const refund = { id, payment: orderId, amount: rupees(paise), reason: "Matched to the wrong order" };
  expect((await server.call("admin/refunds/ask", refund, admin.token)).status).toBe(200);
  if (agreed) await server.call("admin/refunds/approve", { id }, second.token);
  return id;
}
const enterAgain = (refund: string) => server.call("admin/transfers/enter-again", { refund }, admin.token);
const transferOf = async (utr: string) => (await db().select().from(transfers).where(eq(transfers.utr, utr)))[0];
const matchTo = async (utr: string, pays: string) =>
  server.call("admin/transfers/match", { id: (await transferOf(utr))?.id ?? "", pays }, admin.token);
const owes = async ({ token }: Member) => (await server.call("user/payments-due", {}, token)).body.balance;
const historyOf = async (id: string, { token }: Member) =>
  (await server.call("user/order", { id }, token)).body.steps.findLast(({ name }) => name === "refund_done");

it("Money that was matched to the wrong order is taken off it without a pay-out, and pays the right one", async () => {
  const [wrong, right] = [await asked(), await asked()];
  const utr = await record(wrong.pay, wrong.document);
  expect((await orderOf(server, wrong.quote.id))?.state).toBe("success");
  const refund = await refundOf(wrong.orderId, wrong.pay);
  const done = await enterAgain(refund);
  expect([done.status, done.body.message]).toEqual([
    200,
    expect.stringContaining(`are off ${wrong.number}, and wait under Receivables as ${utr}/2.`),
  ]);
  // The order it was on is as after any other refund: its invoice is credited, nothing is owed, its customer is told.
  expect(await orderOf(server, wrong.quote.id)).toMatchObject({ state: "refunded", owedPaise: 0 });
  const { text } = await server.mailbox.take(wrong.person.email, /taken off your order/);
  expect(text).toMatch(/No money moves at your bank/);
  expect(text).not.toMatch(/Bank reference|given back/);
  expect((await server.mailbox.take(wrong.person.email, /credit note/i)).text).toBeTruthy();
  expect(await historyOf(wrong.orderId, wrong.person)).toMatchObject({
    says: expect.stringContaining("which belonged to another order"),
  });
  const bell = (await server.call("notices", {}, wrong.person.token)).body.notices;
  expect(bell[0]).toMatchObject({ title: `A transfer was taken off ${wrong.number}` });
  const statement = { from: today(server), to: today(server), format: "csv" } as const;
  const { content } = (await server.call("user/statement", statement, wrong.person.token)).body;
  const lines = Buffer.from(content, "base64").toString().split("\r\n");
  expect(lines.find((line) => line.includes(`${utr}/2`))).toMatch(/Taken off: of another order,"?[^"]*\/2"?,O-/);

  // The money itself waits for its order, told to staff, and is matched as any other.
  expect(await transferOf(`${utr}/2`)).toMatchObject({
    state: "seen",
    orderId: null,
    amountPaise: wrong.pay,
    payer: "Malabar Exports",
    receivedOn: today(server),
  });
  const [finding] = await db()
    .select()
    .from(findings)
    .where(and(eq(findings.key, `${utr}/2`), isNull(findings.resolvedAt)));
  expect(finding?.says).toContain(wrong.number);
  expect((await matchTo(`${utr}/2`, right.document)).body.message).toBe(`${right.number} is paid.`);
  expect(await owes(right.person)).toBe("0.00");
  expect(await transferOf(utr)).toMatchObject({ state: "matched", orderId: wrong.orderId });
  // Who paid it is nobody's whose order it is off, and theirs whose order it pays.
  const payersIn = async ({ email, id: personId }: Member) => {
    const copy = unzipSync(
      await buffer(zipData(server.services, await collectData(server.services, { email, personId }))),
    );
    return strFromU8(copy["data.json"] ?? new Uint8Array()).match(/"payer": ?"[^"]*"/g);
  };
  const due = async ({ token }: Member) => (await server.call("user/payments-due", {}, token)).body.transfers;
  expect(await due(wrong.person)).toMatchObject([{ utr, payer: "", moved: rupees(wrong.pay) }]);
  expect(await due(right.person)).toMatchObject([{ utr: `${utr}/2`, payer: "Malabar Exports", moved: "0.00" }]);
  expect([await payersIn(wrong.person), await payersIn(right.person)]).toEqual([
    null,
    [expect.stringContaining("Malabar Exports")],
  ]);
  const said = await db()
    .select({ actorId: auditEntries.actorId })
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, `order:${wrong.orderId}`), eq(auditEntries.action, "enter money again")));
  expect(said).toEqual([{ actorId: admin.id }]);
});

it("An advance on the wrong order gets a voucher that says so, and what is left of a transfer can be moved in parts", async () => {
  const wrong = await asked();
  const utr = await record(10_000_00, wrong.document);
  const parts = [await refundOf(wrong.orderId, 4_000_00), await refundOf(wrong.orderId, 6_000_00)];
  // Both take the same number; the second finds it taken.
  const held = `select from orders where id = '${wrong.orderId}' for update`;
  const moved = await whileHeld(server, held, () => parts.map(enterAgain));
  const refused = moved.findIndex(({ status }) => status !== 200);
  expect(moved[refused]).toMatchObject({ status: 409, body: { error: expect.stringMatching(/once more/) } });
  expect((await enterAgain(parts[refused] ?? "")).status).toBe(200);
  const again = await Promise.all([transferOf(`${utr}/2`), transferOf(`${utr}/3`)]);
  expect(again[0]?.amountPaise).not.toBe(again[1]?.amountPaise);
  expect([4_000_00, 6_000_00]).toEqual(expect.arrayContaining(again.map((each) => each?.amountPaise)));
  const vouchers = await db().select().from(refundVouchers).where(eq(refundVouchers.orderId, wrong.orderId));
  expect(vouchers.map(({ content: { isMoved, description } }) => [isMoved, description.slice(0, 10)])).toEqual([
    [true, "Taken off:"],
    [true, "Taken off:"],
  ]);
  const { text } = await server.mailbox.take(wrong.person.email, /refund voucher/);
  expect(text).toMatch(/belongs to another one/);
});

it("The voucher names the receipt of the transfer that was taken off, also where a later one came", async () => {
  const wrong = await asked();
  const [first, later] = [await record(30_000_00, wrong.document), await record(20_000_00, wrong.document)];
  expect((await enterAgain(await refundOf(wrong.orderId, 25_000_00))).body.message).toContain(`${first}/2`);
  const vouchers = await db().select().from(refundVouchers).where(eq(refundVouchers.orderId, wrong.orderId));
  const { id } = (await transferOf(first)) ?? {};
  const [receipt] = await db()
    .select()
    .from(receipts)
    .where(eq(receipts.transferId, id ?? ""));
  expect(vouchers).toMatchObject([{ receiptId: receipt?.id, content: { totalPaise: 25_000_00 } }]);
  // What was given back of a transfer is not there to be entered again.
  const back = await refundOf(wrong.orderId, 15_000_00);
  const paidOut = { id: back, bank_reference: newUtr(), paid_on: today(server) };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(200);
  expect((await enterAgain(await refundOf(wrong.orderId, 6_000_00))).status).toBe(409);
  expect(await transferOf(`${later}/2`)).toBeUndefined();
});

it("A transfer that comes while the order is waited for is not what the number was made for: one tries once more", async () => {
  const wrong = await asked();
  const first = await record(20_000_00, wrong.document);
  const refund = await refundOf(wrong.orderId, 5_000_00);
  const later = newUtr();
  const comes = `select from orders where id = '${wrong.orderId}' for update;
    insert into transfers (utr, state, order_id, amount_paise, received_on)
      values ('${later}', 'matched', '${wrong.orderId}', 3000000, '${today(server)}')`;
  const [met] = await whileHeld(server, comes, () => [enterAgain(refund)], 1, "commit");
  expect(met).toMatchObject({ status: 409, body: { error: expect.stringMatching(/once more/) } });
  expect((await enterAgain(refund)).body.message).toContain(`${later}/2`);
  expect(await transferOf(`${first}/2`)).toBeUndefined();
});

it("Nothing is entered twice, before the second person agrees, after another end, or beyond what one transfer brought", async () => {
  const order = await asked();
  const utr = await record(order.pay, order.document);
  const waiting = await refundOf(order.orderId, order.pay, { agreed: false });
  expect((await enterAgain(waiting)).body.error).toMatch(/Another main administrator/);
  await server.call("admin/refunds/approve", { id: waiting }, second.token);
  const all = await Promise.all([1, 2, 3].map(() => enterAgain(waiting)));
  expect(new Set(all.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1);
  expect(await db().$count(transfers, eq(transfers.utr, `${utr}/3`))).toBe(0);
  const paidOut = { id: waiting, bank_reference: newUtr(), paid_on: today(server) };
  expect((await server.call("admin/refunds/paid-out", paidOut, admin.token)).status).toBe(409);

  const both = await asked();
  const half = Math.floor(both.pay / 2);
  await record(half, both.document);
  await record(both.pay - half, both.document);
  const beyond = await enterAgain(await refundOf(both.orderId, both.pay));
  expect([beyond.status, beyond.body.error]).toEqual([409, expect.stringMatching(/No single transfer/)]);
  expect((await enterAgain(randomUUID())).status).toBe(404);
  // One that was paid out is not here any more.
  const other = await asked();
  await record(5_000_00, other.document);
  const gone = await refundOf(other.orderId, 5_000_00);
  await server.call("admin/refunds/paid-out", { ...paidOut, id: gone }, admin.token);
  expect((await enterAgain(gone)).body.error).toMatch(/ended already/);
});

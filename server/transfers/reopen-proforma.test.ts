import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, invoicesOf, orderOf, sayByWebhook, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { findings, proformas, rateLimits } from "../database/schema/index.ts";
import { expireProformas } from "./expire-proformas.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  admin = await member(server, "admin");
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const db = () => server.services.database;
const deducts = { section: "194J", percent: 10 };
const record = (amount: string, pays: string, utr = newUtr()) =>
  server.call(
    "admin/transfers/record",
    { utr, received_on: today(server), payer: "Periyar Spices", amount, pays },
    admin.token,
  );
const giveUp = (orderId: string, amount: string) =>
  server.call(
    "admin/receivables/settle",
    { id: randomUUID(), order_id: orderId, kind: "write-off", amount, reason: "Charges of the bank" },
    admin.token,
  );
const statesOf = async (orderId: string) => {
  const rows = await db()
    .select({ state: proformas.state })
    .from(proformas)
    .where(eq(proformas.orderId, orderId))
    .orderBy(proformas.serial);
  return rows.map(({ state }) => state);
};
const findingsOf = (orderId: string) => db().select().from(findings).where(eq(findings.orderId, orderId));
const toPay = async ({ token }: Member) => (await server.call("user/payments-due", {}, token)).body;

/** A proforma that is void, because its buyer began to pay online and did not finish. */
async function leftForOnline(over: object = {}) {
  const made = await transferBuyer(server);
  const { body } = await made.choose(over);
  const form = (await made.start({ takeOver: true })).body;
  expect(await statesOf(body.order_id)).toEqual(["void"]);
  return { ...made, ...body, orderId: body.order_id, form };
}

it("A part that comes for a void proforma opens it again: it is asked for, locks no payment online, and its rest pays the order", async () => {
  const { document, orderId, pay, person, quote, start, choose } = await leftForOnline();
  expect((await record("100.00", document)).body.message).toMatch(/are still to come/);
  const rest = rupees(paiseFrom(pay) - 100_00);
  expect(await statesOf(orderId)).toEqual(["open"]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "awaiting_transfer", isUnsettled: true });
  expect(await toPay(person)).toMatchObject({ to_pay: rest, documents: [{ kind: "proforma", number: document }] });
  expect((await choose()).body).toMatchObject({ document });
  // The earlier payment form is not handed out again once a part has come by transfer.
  expect((await start()).body.error).toMatch(/A part of this order has come by bank transfer/);
  expect((await record(rest, document)).body.message).toMatch(/is paid/);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
  expect([await statesOf(orderId), (await invoicesOf(server, quote.id)).length]).toEqual([["paid"], 1]);
});

it("The rest of a proforma that was void can be said to be deducted, or be given up", async () => {
  const deducting = await leftForOnline();
  const netPaise = paiseFrom((await (await transferBuyer(server)).choose({ deducts })).body.pay);
  await record(rupees(netPaise), deducting.document);
  expect((await deducting.choose({ deducts })).body).toMatchObject({ document: deducting.document, pay: "0.00" });
  expect(await orderOf(server, deducting.quote.id)).toMatchObject({ state: "success", owedPaise: 0 });

  const short = await leftForOnline();
  await record(rupees(paiseFrom(short.pay) - 12_00), short.document);
  expect((await giveUp(short.orderId, "12.00")).status).toBe(200);
  expect(await orderOf(server, short.quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
});

it("What a void proforma asks for without deducted tax pays the order, though paying online was begun since", async () => {
  const { document, pay, quote } = await leftForOnline({ deducts });
  expect((await record(pay, document)).body.message).toMatch(/is paid/);
  const order = await orderOf(server, quote.id);
  expect(order).toMatchObject({ state: "success", owedPaise: 0, deducts: { section: "194J" } });
  expect(order?.taxOpenPaise).toBe((order?.amountPaise ?? 0) - paiseFrom(pay));
});

it("A proforma that is opened again long after its day stays so while the part is there, and is void once that went back", async () => {
  const { choose, quote } = await transferBuyer(server);
  const { body } = await choose();
  server.passTime(80 * 86_400);
  await expireProformas(server.services);
  expect(await statesOf(body.order_id)).toEqual(["void"]);
  const admins = await member(server, "admin", { organisationId: admin.organisationId });
  const came = {
    utr: newUtr(),
    received_on: today(server),
    payer: "Periyar Spices",
    amount: "100.00",
    pays: body.document,
  };
  await server.call("admin/transfers/record", came, admins.token);
  await expireProformas(server.services);
  expect(await statesOf(body.order_id)).toEqual(["open"]);
  const id = randomUUID();
  await server.call(
    "admin/refunds/ask",
    { id, payment: body.order_id, amount: "100.00", reason: "Too late" },
    admins.token,
  );
  const paidOut = { id, bank_reference: newUtr(), paid_on: writtenDay(server.services.now()) };
  expect((await server.call("admin/refunds/paid-out", paidOut, admins.token)).status).toBe(200);
  await expireProformas(server.services);
  expect(await statesOf(body.order_id)).toEqual(["void"]);
  expect(await orderOf(server, quote.id)).toMatchObject({ state: "expired", owedPaise: 0, expectedPaise: 0 });
  server.passTime(-80 * 86_400);
});

it("A payment that is under way online at that moment still pays the order, and the part stands as a credit that somebody sees", async () => {
  const { document, form, orderId, quote } = await leftForOnline();
  await sayByWebhook(server, answerTo(server, form, { status: "pending", unmappedstatus: "pending" }));
  await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("pending");
  await record("100.00", document);
  expect(await statesOf(orderId)).toEqual(["open"]);
  expect((await orderOf(server, quote.id))?.state).toBe("pending");
  await webhook(server, answerTo(server, form));
  await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
  expect(await statesOf(orderId)).toEqual(["void"]);
  expect(await findingsOf(orderId)).toMatchObject([
    { kind: "amount differs", says: expect.stringContaining("₹100.00 more than was owed") },
  ]);
});

it("Of a quote that was declined nothing is opened: a person finds what came, until its rest comes", async () => {
  const { choose, person, quote } = await transferBuyer(server);
  const { body } = await choose();
  const declined = { quote_id: quote.id, revision: 1, reason: "Too dear" };
  expect((await server.call("user/quotes/decline", declined, person.token)).status).toBe(200);
  await record("100.00", body.document);
  expect(await statesOf(body.order_id)).toEqual(["void"]);
  expect(await findingsOf(body.order_id)).toMatchObject([{ kind: "transfer short", resolvedAt: null }]);
  expect((await toPay(person)).documents).toEqual([]);
  await record(rupees(paiseFrom(body.pay) - 100_00), body.document);
  const found = await findingsOf(body.order_id);
  expect(found.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
    { kind: "declined quote paid", resolvedAt: null },
    { kind: "transfer short", resolvedAt: expect.any(Date) },
  ]);
});

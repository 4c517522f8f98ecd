import { and, eq, isNull, like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, attemptsOf, orderOf, sayByWebhook } from "../../tests/buyer.ts";
import { GatewayBooks } from "../../tests/gateway-books.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { quoteHolder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, newUtr, transferBuyer, today } from "../../tests/transfers.ts";
import { standInGateway } from "../../tests/stand-in-gateway.ts";
import { whileRefused } from "../../tests/while-refused.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import {
  actionItems,
  auditEntries,
  creditNotes,
  findings,
  invoices,
  mails,
  orders,
  quotes,
  rateLimits,
  refunds,
} from "../database/schema/index.ts";
import { freeCreditPaise } from "../ledger/free-credit.ts";
import { lockPaidBy, whereCreditGoes } from "../decreases/give-back-credit.ts";
import { remindOfDues } from "../ledger/remind-of-dues.ts";
import { noteFindings } from "../orders/findings.ts";
import { settleRefunds } from "./settle-refunds.ts";

/** This gateway never hangs, but a busy machine may make it slow. */
const answersMs = 10_000;

let server: TestServer;
let asha: Member;
let ravi: Member;
let books: GatewayBooks;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 10_000_00 } });
  asha = await member(server, "admin");
  ravi = await member(server, "admin", { organisationId: asha.organisationId, firstName: "Ravi" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  books = new GatewayBooks();
  await standInGateway(server, books.react, answersMs);
});

let passed = 0;
afterEach(() => {
  // Turns the clock back, so that sessions stay valid.
  server.passTime(-passed);
  passed = 0;
});

/** A paid order and its payment. */
async function paid() {
  const made = await quoteHolder(server);
  const form = (await made.start()).body;
  const reference = form.fields["txnid"] ?? "";
  const { paymentId } = books.enter(reference, { amount: made.total });
  await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
  const [attempt] = await attemptsOf(server, made.quote.id);
  if (attempt?.state !== "success") throw new Error("It is not paid");
  return { ...made, reference, paymentId, payment: attempt.id, orderId: attempt.orderId };
}

/** The same with a second payment for the quote, made in an older window. */
async function paidTwice() {
  const made = await quoteHolder(server);
  const older = (await made.start()).body;
  const newer = (await made.start({ name: "Ravi Rao" })).body;
  const ids: string[] = [];
  for (const form of [newer, older]) {
    const { paymentId } = books.enter(form.fields["txnid"] ?? "", { amount: made.total });
    ids.push(paymentId);
    await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
  }
  const [second, first] = await attemptsOf(server, made.quote.id);
  if (!first || !second) throw new Error("There are not two");
  return { ...made, first, second, secondId: ids[1] ?? "", orderId: first.orderId };
}

const ask = (payment: string, amount: string, { by = asha, id = randomUUID() } = {}) =>
  server.call("admin/refunds/ask", { id, payment, amount, reason: "Bought by mistake" }, by.token);
const details = async (id: string, reader = asha) => (await server.call("admin/order", { id }, reader.token)).body;
const settle = () => settleRefunds(server.services);
/** Settles after a time long enough for every waiting refund to be due again. */
const settleLater = async (seconds = 120) => {
  server.passTime(seconds);
  passed += seconds;
  await settle();
};
const refundsOf = (orderId: string) =>
  server.services.database.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(refunds.askedAt);
const stateOf = async (quoteId: string) => (await orderOf(server, quoteId))?.state;
const waiting = (queue: "refunds" | "payments", about: string) =>
  server.services.database
    .select()
    .from(actionItems)
    .where(and(eq(actionItems.queue, queue), eq(actionItems.about, about), isNull(actionItems.closedAt)));

/** A part of the invoice is credited before its money goes back, as when fewer devices are agreed. */
async function paidAndCredited(amountPaise: number) {
  const made = await paid();
  const { services } = server;
  const creditAnew = () =>
    services.database.transaction((transaction) =>
      issueCreditNote(services, transaction, { orderId: made.orderId, amountPaise, reason: "Fewer devices" }),
    );
  await creditAnew();
  return { ...made, totalPaise: paiseFrom(made.total), creditAnew };
}
async function backInFull(payment: string, amount: string) {
  const id = randomUUID();
  await ask(payment, amount, { id });
  await server.call("admin/refunds/approve", { id }, ravi.token);
  books.mood = "gives back at once";
  await settle();
  await settleLater();
}
const noteByHand = (orderId: string, amount: string) => {
  const noted = { id: randomUUID(), order_id: orderId, kind: "given back" as const, amount, reason: "Cheque" };
  return server.call("admin/receivables/settle", noted, asha.token);
};
/** Two administrators agree to a refund, and the gateway refuses it. */
async function agreedAndRefused(payment: string, amount: string) {
  const id = randomUUID();
  books.mood = "refuses";
  await ask(payment, amount, { id });
  await server.call("admin/refunds/approve", { id }, ravi.token);
  await settle();
  const [refund] = await server.services.database.select().from(refunds).where(eq(refunds.id, id));
  expect(refund).toMatchObject({ state: "failed", approvedBy: ravi.id });
}
/** A refund that somebody makes in the gateway's own dashboard. */
async function givenBackUnasked(paymentId: string, amount: string) {
  const requestId = String(books.refunds.length + 1) + paymentId.slice(-6);
  books.refunds.push({ requestId, paymentId, token: "", amount, status: "success" });
  const known = [...books.payments].find(([, booked]) => booked.paymentId === paymentId);
  await sayRefund(known?.[0] ?? "");
  await settle();
}
const findingsOf = (orderId: string) =>
  server.services.database.select().from(findings).where(eq(findings.orderId, orderId)).orderBy(findings.foundAt);
async function creditedOf(orderId: string) {
  const { database } = server.services;
  const notes = await database
    .select({ amountPaise: creditNotes.amountPaise })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(eq(invoices.orderId, orderId));
  const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
  return { notes: notes.map((note) => note.amountPaise).toSorted((a, b) => a - b), owed: order?.owedPaise };
}

describe("a refund of what was credited before", () => {
  const creditPaise = 1_234_56;

  it("with all the rest is credited for the rest alone", async () => {
    const { payment, total, totalPaise, orderId, quote } = await paidAndCredited(creditPaise);
    await backInFull(payment, total);
    expect(await stateOf(quote.id)).toBe("refunded");
    expect(await creditedOf(orderId)).toEqual({ notes: [creditPaise, totalPaise - creditPaise], owed: 0 });
  });

  it("makes no second credit note of it", async () => {
    const { payment, orderId } = await paidAndCredited(creditPaise);
    await backInFull(payment, rupees(creditPaise));
    expect(await creditedOf(orderId)).toEqual({ notes: [creditPaise], owed: 0 });
  });

  it("is used once by two refunds that one answer of the gateway ends", async () => {
    const { payment, orderId } = await paidAndCredited(creditPaise);
    await ask(payment, rupees(creditPaise));
    await settle();
    await ask(payment, "10.00");
    await settle();
    expect((await refundsOf(orderId)).map(({ state }) => state)).toEqual(["sent", "sent"]);
    books.settle();
    await settleLater();
    expect(await creditedOf(orderId)).toEqual({ notes: [10_00, creditPaise], owed: 0 });
  });

  it("is refused as far as it was noted as given back by hand", async () => {
    const { payment, total, totalPaise, orderId } = await paidAndCredited(creditPaise);
    const noted = {
      id: randomUUID(),
      order_id: orderId,
      kind: "given back" as const,
      amount: rupees(creditPaise),
      reason: "Cheque",
    };
    expect((await server.call("admin/receivables/settle", noted, asha.token)).status).toBe(200);
    expect((await details(orderId)).payments).toMatchObject([{ refundable: rupees(totalPaise - creditPaise) }]);
    expect((await ask(payment, total)).status).toBe(409);
    await backInFull(payment, rupees(totalPaise - creditPaise));
    expect(await creditedOf(orderId)).toEqual({ notes: [creditPaise, totalPaise - creditPaise], owed: 0 });
  });

  it("of what an older form took too much leaves the order paid, and nothing to look at", async () => {
    await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
    const { start, choose, quote } = await transferBuyer(server);
    const form = (await start()).body;
    const { order_id, document } = (await choose()).body;
    const part = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount: "500.00", pays: document };
    await server.call("admin/transfers/record", part, asha.token);
    const { txnid = "", amount = "" } = form.fields;
    const { paymentId } = books.enter(txnid, { amount });
    await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
    const [attempt] = await attemptsOf(server, quote.id);
    const open = () =>
      server.services.database.$count(findings, and(eq(findings.orderId, order_id), isNull(findings.resolvedAt)));
    expect(await open()).toBe(1);
    await backInFull(attempt?.id ?? "", "500.00");
    expect([await stateOf(quote.id), await open()]).toEqual(["success", 0]);
    expect(await creditedOf(order_id)).toEqual({ notes: [], owed: 0 });
  });

  it("of what an older form took for a closed order calls a person, and leaves it closed once it went back", async () => {
    await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
    const { start, choose, quote } = await transferBuyer(server);
    const form = (await start()).body;
    await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const { order_id, pay } = (await choose({ way: "invoice" })).body;
    const credit = { orderId: order_id, amountPaise: paiseFrom(pay), reason: "Called off" };
    await server.services.database.transaction((transaction) => issueCreditNote(server.services, transaction, credit));
    expect(await stateOf(quote.id)).toBe("closed");
    const { txnid = "", amount = "" } = form.fields;
    const { paymentId } = books.enter(txnid, { amount });
    await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
    const [attempt] = await attemptsOf(server, quote.id);
    expect([attempt?.state, await stateOf(quote.id)]).toEqual(["review", "review"]);
    expect(await orderOf(server, quote.id)).toMatchObject({ paymentId: null, paidAt: null });
    await backInFull(attempt?.id ?? "", amount);
    expect([await stateOf(quote.id), (await orderOf(server, quote.id))?.owedPaise]).toEqual(["closed", 0]);
  });

  it("leaves the money of a second payment to that payment", async () => {
    const { first, second, orderId, total } = await paidTwice();
    const [paying, other] = first.state === "success" ? [first, second] : [second, first];
    await backInFull(paying.id, total);
    await backInFull(other.id, total);
    expect(await creditedOf(orderId)).toEqual({ notes: [paiseFrom(total)], owed: 0 });
  });
});

describe("a refund", () => {
  it("in part is sent, done, and shown as such; the rest can follow", async () => {
    const { quote, total, payment, orderId, paymentId, person, reference } = await paid();
    const short = { kind: "amount differs" as const, key: reference, says: "₹1.00 less than was owed" };
    await noteFindings(server.services.database, [short]);
    expect((await ask(payment, "1000.00")).body.message).toContain("₹1,000.00 go back");
    expect(await stateOf(quote.id)).toBe("refund_pending");
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent", takenAt: expect.any(Date), problem: null }]);
    books.settle();
    await settleLater();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done", endedAt: expect.any(Date) }]);
    expect(await stateOf(quote.id)).toBe("partially_refunded");
    // Goodwill does not settle what was underpaid.
    const [found] = await server.services.database.select().from(findings).where(eq(findings.key, reference));
    expect(found).toMatchObject({ ...short, resolvedAt: null });
    const left = (await details(orderId)).payments[0]?.refundable ?? "";
    expect(Number(left)).toBeCloseTo(Number(total) - 1000, 2);
    const { body } = await ask(payment, left);
    expect(body.message).toContain("another main administrator");
    const [, rest] = await refundsOf(orderId);
    await server.call("admin/refunds/approve", { id: rest?.id ?? "" }, ravi.token);
    books.mood = "gives back at once";
    await settle();
    await settleLater();
    expect(await stateOf(quote.id)).toBe("refunded");
    expect(books.backPaise(paymentId)).toBe(Number(total.replace(".", "")));
    const { rows } = await server.services.database.$client.query<{ event_key: string }>(
      "select event_key from mails where recipient = $1 and event_key like 'refund %' order by 1",
      [person.email],
    );
    expect(rows.map(({ event_key }) => event_key.split(":")[0])).toEqual([
      "refund done",
      "refund done",
      "refund sent",
      "refund sent",
    ]);
    const { rows: links } = await server.services.database.$client.query<{ link: string }>(
      "select distinct content->>'link' as link from mails where recipient = $1 and content->>'link' like '%orderhistory%'",
      [person.email],
    );
    const { number } = (await details(orderId)).order;
    expect(links).toEqual([{ link: `${server.url}/user/orderhistory?search=${number}` }]);
  });

  it("is never more than was captured, however many ask at once", async () => {
    const { payment, orderId, total } = await paid();
    const half = rupees(Math.floor(Number(total.replace(".", "")) / 2));
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(payment, half)));
    const taken = answers.filter(({ status }) => status === 200).length;
    expect([1, 2]).toContain(taken);
    expect(await refundsOf(orderId)).toHaveLength(taken);
    while ((await refundsOf(orderId)).length < 2) await ask(payment, half);
    const { status, body } = await ask(payment, half);
    expect([status, body.error]).toEqual([409, expect.stringMatching(/are left|has been given back/)]);
  });

  it("asked for twice by one click is one; with another sum or reason under the same id it is refused", async () => {
    const { payment, orderId } = await paid();
    const id = randomUUID();
    const clicks = await Promise.all([ask(payment, "5.00", { id }), ask(payment, "5.00", { id })]);
    expect(clicks.map(({ status }) => status)).toEqual([200, 200]);
    expect(await refundsOf(orderId)).toHaveLength(1);
    expect((await ask(payment, "6.00", { id })).status).toBe(409);
    const otherReason = { id, payment, amount: "5.00", reason: "Bought twice" };
    expect((await server.call("admin/refunds/ask", otherReason, asha.token)).status).toBe(409);
  });

  it("of a payment that was not captured is refused", async () => {
    const made = await quoteHolder(server);
    await made.start();
    const [attempt] = await attemptsOf(server, made.quote.id);
    expect((await ask(attempt?.id ?? "", "1.00")).body.error).toContain("No money has come");
    expect((await ask(randomUUID(), "1.00")).status).toBe(404);
    expect((await ask(attempt?.id ?? "", "0.00")).status).toBe(422);
  });

  it("that the gateway refuses fails with its words, gives its money free again, and waits for a person", async () => {
    const { quote, total, payment, orderId } = await paid();
    books.mood = "refuses";
    await ask(payment, "1000.00");
    await settle();
    const problem = "The gateway refused the refund: Refund request failed.";
    expect(await refundsOf(orderId)).toMatchObject([{ state: "failed", failure: problem, problem }]);
    expect(await stateOf(quote.id)).toBe("success");
    const { order, payments } = await details(orderId);
    expect(payments[0]?.refundable).toBe(total);
    expect(await waiting("refunds", order.number)).toMatchObject([{ problem }]);
  });

  it("that fails at the gateway after it was taken fails, and is done when the money goes back all the same", async () => {
    const { quote, payment, orderId, reference } = await paid();
    await ask(payment, "1000.00");
    await settle();
    books.settle("failure");
    await settleLater();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "failed", takenAt: expect.any(Date) }]);
    expect(await stateOf(quote.id)).toBe("success");
    for (const refund of books.refunds) refund.status = "success";
    await sayRefund(reference);
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done", failure: null, problem: null }]);
    expect(await waiting("refunds", (await details(orderId)).order.number)).toEqual([]);
  });

  it("that failed, was then noted as given back by hand and goes back after all is booked once, and calls a person", async () => {
    const { payment, orderId, reference } = await paidAndCredited(800_00);
    await ask(payment, "500.00");
    // Other money of the same credit, returned while the refund is under way.
    expect((await noteByHand(orderId, "300.00")).status).toBe(200);
    await settle();
    books.settle("failure");
    await settleLater();
    expect((await noteByHand(orderId, "500.00")).status).toBe(200);
    for (const refund of books.refunds) refund.status = "success";
    await sayRefund(reference);
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done", amountPaise: 500_00 }]);
    expect(await creditedOf(orderId)).toEqual({ notes: [800_00], owed: 0 });
    expect(await findingsOf(orderId)).toMatchObject([
      { kind: "refund differs", says: expect.stringMatching(/had failed.*₹500\.00 .* by hand/) },
    ]);
  });

  it("is done soon after the gateway's message about it, which is not believed before the gateway was asked", async () => {
    const { payment, orderId, reference } = await paid();
    await ask(payment, "1000.00");
    await settle();
    await sayRefund(reference);
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent" }]);
    books.settle();
    await sayRefund(reference);
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done" }]);
  });

  it("without an answer for a day is shown to a person, asked on, and leaves the queue once it is taken", async () => {
    const { payment, orderId } = await paid();
    books.mood = "is down";
    await ask(payment, "1000.00");
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "approved", sentAt: null }]);
    const { order } = await details(
      orderId,
      await member(server, "adminChild", { organisationId: asha.organisationId }),
    );
    await settleLater(25 * 3600);
    expect(await waiting("refunds", order.number)).toHaveLength(1);
    books.mood = "queues";
    await settleLater(3700);
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent", problem: null }]);
    expect(await waiting("refunds", order.number)).toEqual([]);
    await settleLater(11 * 24 * 3600);
    expect(await waiting("refunds", order.number)).toMatchObject([{ problem: expect.stringContaining("10 days") }]);
  });

  it("for a day is shown to a person, even if another one can't be shown", async () => {
    const [stuck, next] = [await paid(), await paid()];
    books.mood = "is down";
    for (const { payment } of [stuck, next]) await ask(payment, "1000.00");
    const isShown = `old.order_id = '${stuck.orderId}' and new.problem is not null`;
    await whileRefused(server, "refunds", isShown, () => settleLater(25 * 3600));
    expect(await refundsOf(stuck.orderId)).toMatchObject([{ problem: null }]);
    expect(await refundsOf(next.orderId)).toMatchObject([{ problem: expect.stringContaining("not taken") }]);
    await settle();
    expect(await refundsOf(stuck.orderId)).toMatchObject([{ problem: expect.stringContaining("not taken") }]);
    books.mood = "gives back at once";
    await settleLater(3700);
    await settleLater(3700);
    expect(await refundsOf(stuck.orderId)).toMatchObject([{ state: "done" }]);
  });
});

describe("a refund whose sender is cut off", () => {
  it.each(["takes and says nothing", "is down"] as const)("while the gateway %s is sent once", async (mood) => {
    const { payment, orderId, paymentId } = await paid();
    books.mood = mood;
    await ask(payment, "1000.00");
    await Promise.all([settle(), settle(), settle()]);
    expect(await refundsOf(orderId)).toMatchObject([{ state: "approved" }]);
    books.mood = "queues";
    await settleLater();
    await settleLater();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent" }]);
    expect(books.backPaise(paymentId)).toBe(1000_00);
    // The gateway's list shows a refund that it has: it is not requested again.
    expect([...books.asks.values()]).toEqual([1]);
  });

  it("is the gateway's alone: nobody notes it as paid out by hand, or calls it off", async () => {
    const { payment, orderId } = await paid();
    const id = randomUUID();
    await ask(payment, "1000.00", { id });
    const byHand = { id, bank_reference: "HDFCN1234567", paid_on: today(server) };
    expect((await server.call("admin/refunds/paid-out", byHand, asha.token)).body.error).toMatch(/by itself/);
    const off = await server.call("admin/refunds/decline", { id, reason: "Not wanted" }, ravi.token);
    expect(off.status).toBe(409);
    expect(await refundsOf(orderId)).toMatchObject([{ state: "approved", bankReference: null }]);
    await settle();
  });

  it("before it called the gateway, after it had said that it would, is sent", async () => {
    const { payment, orderId, paymentId } = await paid();
    await ask(payment, "1000.00");
    await server.services.database
      .update(refunds)
      .set({ sentAt: server.services.now() })
      .where(eq(refunds.orderId, orderId));
    await settle();
    expect(books.asks.size).toBe(0);
    await settleLater();
    expect(books.backPaise(paymentId)).toBe(1000_00);
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent" }]);
  });
});

describe("a refund above the limit", () => {
  it("waits for a second person, who can't be the first, and of two who agree at once one does", async () => {
    const { quote, payment, orderId } = await paid();
    await ask(payment, "10000.01");
    await settle();
    expect(books.asks.size).toBe(0);
    expect(await stateOf(quote.id)).toBe("success");
    const [refund] = await refundsOf(orderId);
    const id = refund?.id ?? "";
    expect((await details(orderId)).refunds).toMatchObject([{ state: "asked", may_approve: false }]);
    expect((await details(orderId, ravi)).refunds).toMatchObject([{ state: "asked", may_approve: true }]);
    const own = await server.call("admin/refunds/approve", { id }, asha.token);
    expect([own.status, own.body.error]).toEqual([409, expect.stringContaining("somebody else")]);
    const meera = await member(server, "admin", { organisationId: asha.organisationId });
    const both = await Promise.all(
      [ravi, meera].map(({ token }) => server.call("admin/refunds/approve", { id }, token)),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent" }]);
    const entries = await server.services.database
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order:${orderId}`));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["ask refund", "approve refund", "refund sent"]),
    );
  });

  it("can't be made of two below it", async () => {
    const { payment, orderId } = await paid();
    await ask(payment, "6000.00");
    await ask(payment, "4000.01");
    expect((await refundsOf(orderId)).map(({ state }) => state)).toEqual(["approved", "asked"]);
  });

  it("can be refused with a reason, and then not be agreed to", async () => {
    const { payment, orderId, total } = await paid();
    await ask(payment, "10000.01");
    const [refund] = await refundsOf(orderId);
    const id = refund?.id ?? "";
    const declined = await server.call("admin/refunds/decline", { id, reason: "Not agreed with sales" }, ravi.token);
    expect(declined.body.message).toContain("Refused");
    expect((await server.call("admin/refunds/approve", { id }, ravi.token)).body.error).toContain(
      "Not agreed with sales",
    );
    expect(await refundsOf(orderId)).toMatchObject([{ state: "failed", problem: null }]);
    expect((await details(orderId)).payments[0]?.refundable).toBe(total);
  });

  it("is not for child accounts, and the database refuses one person as two", async () => {
    const { payment, orderId } = await paid();
    const child = await member(server, "adminChild", { organisationId: asha.organisationId });
    expect((await ask(payment, "1.00", { by: child })).status).toBe(403);
    await ask(payment, "10000.01");
    const forged = server.services.database
      .update(refunds)
      .set({ approvedBy: asha.id })
      .where(eq(refunds.orderId, orderId));
    await expect(forged).rejects.toMatchObject({ cause: { constraint: "refunds_by_two_people" } });
  });
});

describe("a second payment for one quote", () => {
  it("given back in full leaves the queue, and the order stays paid", async () => {
    const { quote, total, second, secondId, orderId } = await paidTwice();
    expect(second).toMatchObject({ state: "review", gatewayPaymentId: secondId });
    const { order, payments } = await details(orderId);
    expect(await waiting("payments", order.number)).toHaveLength(1);
    const extra = payments.find(({ pays_the_order }) => !pays_the_order);
    expect(extra).toMatchObject({ payment_id: secondId, refundable: total });
    await ask(extra?.id ?? "", total);
    const [refund] = await refundsOf(orderId);
    if (refund?.state === "asked") await server.call("admin/refunds/approve", { id: refund.id }, ravi.token);
    books.mood = "gives back at once";
    await settle();
    await settleLater();
    expect(await stateOf(quote.id)).toBe("success");
    expect(await orderOf(server, quote.id)).toMatchObject({ reviewReason: null });
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "refunded", reviewReason: null }, {}]);
    expect(await waiting("payments", order.number)).toEqual([]);
    expect(books.backPaise(secondId)).toBe(Number(total.replace(".", "")));
  });
});

it("A second payment that went back by hand takes nothing of a credit that comes later", async () => {
  const { total, orderId, second } = await paidTwice();
  await agreedAndRefused(second.id, total);
  expect((await noteByHand(orderId, total)).status).toBe(200);
  const { database } = server.services;
  const free = async () => {
    const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
    return order && freeCreditPaise(database, order);
  };
  expect(await free()).toBe(0);
  const credit = { orderId, amountPaise: 300_00, reason: "One device less" };
  await database.transaction((transaction) => issueCreditNote(server.services, transaction, credit));
  expect(await free()).toBe(300_00);
});

it("A credit that was given back by hand beside a second payment is not there to be given back again", async () => {
  const { total, orderId, second } = await paidTwice();
  const { database } = server.services;
  const credit = { orderId, amountPaise: 300_00, reason: "One device less" };
  await database.transaction((transaction) => issueCreditNote(server.services, transaction, credit));
  const free = async () => {
    const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
    return order && freeCreditPaise(database, order);
  };
  expect(await free()).toBe(300_00);
  const noted = {
    id: randomUUID(),
    order_id: orderId,
    kind: "given back" as const,
    amount: "300.00",
    reason: "Cheque",
  };
  expect((await server.call("admin/receivables/settle", noted, asha.token)).status).toBe(200);
  expect(await free()).toBe(0);
  await backInFull(second.id, total);
  expect(await database.select().from(orders).where(eq(orders.id, orderId))).toMatchObject([{ owedPaise: 0 }]);
});

describe("money noted as given back by hand", () => {
  it("above the limit needs another main administrator, who agrees to a refund that the gateway then can't do", async () => {
    const { orderId, second, total } = await paidTwice();
    expect((await noteByHand(orderId, "6000.00")).status).toBe(200);
    const alone = await noteByHand(orderId, "4000.01");
    expect([alone.status, alone.body.error]).toEqual([409, expect.stringMatching(/another main administrator/)]);
    expect((await noteByHand(orderId, "4000.00")).status).toBe(200);
    await agreedAndRefused(second.id, "5000.00");
    expect((await noteByHand(orderId, "5000.00")).status).toBe(200);
    expect((await noteByHand(orderId, "0.01")).status).toBe(409);
    expect(await creditedOf(orderId)).toEqual({ notes: [], owed: 15_000_00 - paiseFrom(total) });
  });

  it("uses a consent once: not where the same went back by another refund, nor once more for each try", async () => {
    const instead = await paidAndCredited(45_000_00);
    await agreedAndRefused(instead.payment, "20000.00");
    await backInFull(instead.payment, "20000.00");
    expect((await noteByHand(instead.orderId, "25000.00")).status).toBe(409);
    expect((await noteByHand(instead.orderId, "10000.00")).status).toBe(200);
    const twice = await paidAndCredited(50_000_00);
    await agreedAndRefused(twice.payment, "20000.00");
    await agreedAndRefused(twice.payment, "20000.00");
    expect((await noteByHand(twice.orderId, "50000.00")).status).toBe(409);
    expect((await noteByHand(twice.orderId, "30000.00")).status).toBe(200);
  });

  it("uses each consent, where two agree anew after the first was noted", async () => {
    const { payment, orderId, creditAnew } = await paidAndCredited(20_000_00);
    await agreedAndRefused(payment, "20000.00");
    expect((await noteByHand(orderId, "20000.00")).status).toBe(200);
    await creditAnew();
    server.passTime(60);
    await agreedAndRefused(payment, "20000.00");
    expect((await noteByHand(orderId, "20000.00")).status).toBe(200);
    await creditAnew();
    expect((await noteByHand(orderId, "10000.00")).status).toBe(200);
    expect((await noteByHand(orderId, "0.01")).status).toBe(409);
  });

  it("and then given back at the gateway itself counts once, and calls a person", async () => {
    const { orderId, paymentId, payment, quote } = await paidAndCredited(500_00);
    expect((await noteByHand(orderId, "500.00")).status).toBe(200);
    await givenBackUnasked(paymentId, "800.00");
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done", amountPaise: 800_00, askedBy: null }]);
    expect(await creditedOf(orderId)).toEqual({ notes: [300_00, 500_00], owed: 0 });
    const found = await findingsOf(orderId);
    expect(found).toMatchObject([{ kind: "refund differs", says: expect.stringMatching(/₹500\.00 .* by hand/) }]);
    expect(await stateOf(quote.id)).toBe("partially_refunded");
    // What is noted after that is other money again.
    await givenBackUnasked(paymentId, "100.00");
    expect(await creditedOf(orderId)).toEqual({ notes: [100_00, 300_00, 500_00], owed: 0 });
    const { payments } = await details(orderId);
    const captured = paiseFrom(payments[0]?.captured ?? "0.00");
    expect(payments).toMatchObject([{ id: payment, refundable: rupees(captured - 900_00) }]);
  });
});

it("What goes back beyond what is left of the invoice is booked, credited as far as there is something, and calls a person", async () => {
  const { orderId, payment, paymentId, total } = await paid();
  const { services } = server;
  const totalPaise = paiseFrom(total);
  const credit = { orderId, amountPaise: totalPaise - 100_00, reason: "Called off" };
  const made = await services.database.transaction((transaction) => issueCreditNote(services, transaction, credit));
  // Another refund is to use up that credit.
  await ask(payment, rupees(credit.amountPaise));
  await services.database.update(refunds).set({ creditNoteId: made.id }).where(eq(refunds.orderId, orderId));
  await givenBackUnasked(paymentId, "300.00");
  const [, done] = await refundsOf(orderId);
  expect(done).toMatchObject({ state: "done", amountPaise: 300_00 });
  const { notes, owed } = await creditedOf(orderId);
  expect([notes, owed]).toEqual([[100_00, totalPaise - 100_00], 200_00 - (totalPaise - 100_00)]);
  expect(await findingsOf(orderId)).toMatchObject([
    { kind: "refund differs", says: expect.stringMatching(/₹200\.00 .* no credit note/) },
  ]);
});

describe("a payment of another sum, in review", () => {
  it.each([
    ["by hand", "500.00", []],
    ["by hand and by a refund", "200.00", ["300.00"]],
  ])(
    "ends once all of it went back %s, and the quote can be paid by a transfer that is whole",
    async (_how, byHand, byRefunds) => {
      await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
      const { choose, start, quote } = await transferBuyer(server);
      const form = (await start()).body;
      const { paymentId } = books.enter(form.fields["txnid"] ?? "", { amount: "500.00" });
      await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
      const [attempt] = await attemptsOf(server, quote.id);
      const orderId = attempt?.orderId ?? "";
      expect([attempt?.state, await stateOf(quote.id)]).toEqual(["review", "review"]);
      const noted = {
        id: randomUUID(),
        order_id: orderId,
        kind: "given back" as const,
        amount: byHand,
        reason: "Cheque",
      };
      expect((await server.call("admin/receivables/settle", noted, asha.token)).status).toBe(200);
      for (const rest of byRefunds) {
        // While money is still to go back, nothing else can pay the quote.
        expect((await choose()).body.error).toMatch(/checking a payment/);
        await backInFull(attempt?.id ?? "", rest);
      }
      expect((await server.call("admin/receivables/settle", noted, asha.token)).status).toBe(200);
      expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "refunded", reviewReason: null }]);
      expect(await orderOf(server, quote.id)).toMatchObject({ state: "failure", reviewReason: null, owedPaise: 0 });
      const isOpen = and(eq(findings.orderId, orderId), isNull(findings.resolvedAt));
      expect(await server.services.database.$count(findings, isOpen)).toBe(0);

      const { body } = await choose();
      const came = {
        utr: newUtr(),
        received_on: today(server),
        payer: "Periyar",
        amount: body.pay,
        pays: body.document,
      };
      expect((await server.call("admin/transfers/record", came, asha.token)).body.message).toMatch(/is paid/);
      // The money returned by hand was the gateway's.
      const ofTransfer = (await details(orderId)).payments.find(({ by }) => by === "transfer");
      expect(ofTransfer).toMatchObject({ captured: body.pay, refundable: body.pay });
    },
  );
});

describe("a transfer beside a payment of another sum, in review", () => {
  /** A buyer who chose bank transfer, and for whom an older payment form then took ₹500. */
  async function paidAmiss(over: Parameters<Awaited<ReturnType<typeof transferBuyer>>["choose"]>[0] = {}) {
    await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
    const { choose, start, person, quote } = await transferBuyer(server);
    const form = (await start()).body;
    await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
    const chosen = await choose({ takeOver: true, ...over });
    expect(chosen.status).toBe(200);
    const { paymentId } = books.enter(form.fields["txnid"] ?? "", { amount: "500.00" });
    await sayByWebhook(server, answerTo(server, form, { mihpayid: paymentId }));
    const [attempt] = await attemptsOf(server, quote.id);
    const { order_id: orderId, pay, document } = chosen.body;
    const record = async (amount: string) => {
      const came = { utr: newUtr(), received_on: today(server), payer: "Periyar", amount, pays: document };
      return (await server.call("admin/transfers/record", came, asha.token)).body.message;
    };
    const due = async () => (await server.call("user/payments-due", {}, person.token)).body;
    const announce = (amount: string) =>
      server.call(
        "user/transfers/announce",
        { order_id: orderId, utr: newUtr(), amount, sent_on: today(server) },
        person.token,
      );
    return { quote, attempt: attempt?.id ?? "", orderId, pay, record, due, announce };
  }
  const less = (amount: string, paise: number) => rupees(paiseFrom(amount) - paise);
  /** Its row under Receivables, as staff see it. */
  async function asRead(orderId: string) {
    const { receivables } = (await server.call("admin/receivables", { limit: 100 }, asha.token)).body;
    return receivables.find((each) => each.order_id === orderId);
  }

  it("pays the quote only when it brings all of it itself, and what the gateway took goes back", async () => {
    const { quote, attempt, orderId, pay, record, due, announce } = await paidAmiss();
    // What is to go back is still asked for.
    expect((await due()).documents).toMatchObject([{ open: pay }]);
    expect(await record(less(pay, 500_00))).toMatch(/₹500\.00 are still to come/);
    expect(await orderOf(server, quote.id)).toMatchObject({ paymentId: null });
    // Even when both amounts are equal.
    expect(await due()).toMatchObject({ balance: `-${pay}`, documents: [{ open: "500.00" }] });
    expect((await announce("500.00")).status).toBe(200);
    expect(await record("500.00")).toMatch(/is paid\.$/);
    const isOver = and(eq(findings.orderId, orderId), eq(findings.kind, "transfer over"));
    expect(await server.services.database.$count(findings, isOver)).toBe(0);
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: -500_00 });
    expect((await due()).documents).toMatchObject([{ open: "-500.00" }]);
    await backInFull(attempt, "500.00");
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", owedPaise: 0 });
  });

  it("is asked for of an invoice, too, and a credit lowers it before anything is given back", async () => {
    const { quote, attempt, orderId, pay, record, due, announce } = await paidAmiss({ way: "invoice" });
    await record(less(pay, 500_00));
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0, amissPaise: 500_00 });
    expect((await due()).documents).toMatchObject([{ kind: "invoice", open: "500.00" }]);
    expect(await asRead(orderId)).toMatchObject({ open: "500.00" });
    expect((await announce("500.00")).status).toBe(200);
    const going = await server.services.database.transaction(async (transaction) =>
      whereCreditGoes(transaction, await lockPaidBy(transaction, orderId), 600_00),
    );
    expect(going).toMatchObject({ lowersPaise: 500_00, refundablePaise: 100_00 });
    await record("500.00");
    await backInFull(attempt, "500.00");
    expect(await orderOf(server, quote.id)).toMatchObject({ owedPaise: 0 });
    expect((await due()).documents).toEqual([]);
  });

  it("is written off where both are the same, and counts as owed until then", async () => {
    const { orderId, pay, record, due } = await paidAmiss({ way: "invoice" });
    const owed = async () => (await server.call("admin/receivables/ageing", {}, asha.token)).body;
    await record(less(pay, 500_00));
    const before = await owed();
    const writeOff = (amount: string) => {
      const given = { id: randomUUID(), order_id: orderId, kind: "write-off" as const, amount, reason: "Insolvent" };
      return server.call("admin/receivables/settle", given, asha.token);
    };
    expect((await writeOff("500.01")).status).toBe(409);
    expect((await writeOff("500.00")).status).toBe(200);
    expect((await due()).documents).toMatchObject([{ open: "-500.00" }]);
    const after = await owed();
    expect([less(before.owed, 500_00), less(before.not_due, 500_00)]).toEqual([after.owed, after.not_due]);
  });

  it("is reminded of where both are the same", async () => {
    const { orderId, pay, record } = await paidAmiss({ way: "invoice" });
    await record(less(pay, 500_00));
    server.passTime(31 * 86_400);
    passed += 31 * 86_400;
    await remindOfDues(server.services);
    const isReminder = like(mails.eventKey, `due:${orderId}:%`);
    const [reminder] = await server.services.database.select().from(mails).where(isReminder);
    expect(reminder?.content).toMatchObject({ template: "due", openPaise: 500_00 });
  });

  it("pays no tax that is owed again", async () => {
    const { pay, record, due } = await paidAmiss({ deducts: { section: "194J", percent: 10 } });
    await record(pay);
    const [claim] = (await due()).certificates;
    server.passTime(260 * 86_400);
    passed += 260 * 86_400;
    const later = await member(server, "admin", { organisationId: asha.organisationId });
    const owed = { id: claim?.id ?? "", reason: "None since August" };
    expect((await server.call("admin/certificates/owe-again", owed, later.token)).status).toBe(200);
    const isTold = eq(mails.eventKey, `tax-owed:${claim?.id}`);
    const [told] = await server.services.database.select().from(mails).where(isTold);
    expect(told?.content).toMatchObject({ owedPaise: paiseFrom(claim?.amount ?? "") });
  });

  it("is what staff read as open", async () => {
    const { orderId, pay, record } = await paidAmiss({ way: "invoice" });
    await record(less(pay, 700_00));
    expect(await asRead(orderId)).toMatchObject({ open: "700.00" });
  });
});

describe("money that went back without anybody here having asked for it", () => {
  it("sends the paid order to a person, beside a refund of ours too", async () => {
    const { payment, orderId, paymentId, reference, quote } = await paid();
    await ask(payment, "1000.00");
    await settle();
    books.refunds.push({ requestId: "7", paymentId, token: "", amount: "2.50", status: "success" });
    await sayRefund(reference);
    await settle();
    expect((await orderOf(server, quote.id))?.reviewReason).toContain("₹2.50");
    expect(await refundsOf(orderId)).toMatchObject([
      { state: "sent" },
      { state: "done", askedBy: null, gatewayRefundId: "7", amountPaise: 2_50 },
    ]);
  });

  it("is booked once, and is not there to be given back again, from when it is under way", async () => {
    const { orderId, payment, paymentId, reference, quote, total } = await paid();
    books.refunds.push({ requestId: "8", paymentId, token: "", amount: "30.00", status: "queued" });
    await sayRefund(reference);
    await settle();
    expect(await stateOf(quote.id)).toBe("refund_pending");
    expect(await creditedOf(orderId)).toEqual({ notes: [], owed: 0 });
    expect((await ask(payment, total)).status).toBe(409);
    books.settle();
    await settleLater();
    await sayRefund(reference);
    await settle();
    expect(await refundsOf(orderId)).toMatchObject([{ state: "done", amountPaise: 30_00 }]);
    expect(await stateOf(quote.id)).toBe("partially_refunded");
    expect(await creditedOf(orderId)).toEqual({ notes: [30_00], owed: 0 });
    const { payments, steps } = await details(orderId, await member(server, "admin"));
    expect(payments).toMatchObject([{ refundable: rupees(paiseFrom(total) - 30_00) }]);
    expect(steps.map(({ name }) => name)).toContain("refund_done");
  });
  it("with another sum than was asked for sends the refund to a person once, and is booked with that sum once it is done", async () => {
    const { payment, orderId, total } = await paid();
    await ask(payment, "1000.00");
    await settle();
    for (const refund of books.refunds) refund.amount = "999.00";
    await settleLater();
    await settleLater(3700);
    expect(await refundsOf(orderId)).toMatchObject([{ state: "sent", problem: expect.stringContaining("₹999.00") }]);
    books.settle();
    await settleLater(3700);
    expect(await refundsOf(orderId)).toMatchObject([
      { state: "done", amountPaise: 999_00, problem: "The gateway gave ₹999.00 back where ₹1,000.00 were asked for." },
    ]);
    expect(await creditedOf(orderId)).toEqual({ notes: [999_00], owed: 0 });
    expect((await details(orderId, await member(server, "admin"))).payments).toMatchObject([
      { refundable: rupees(paiseFrom(total) - 999_00) },
    ]);
    const looks = and(eq(auditEntries.subject, `order:${orderId}`), eq(auditEntries.action, "refund needs a look"));
    expect(await server.services.database.$count(auditEntries, looks)).toBe(1);
    expect(await waiting("refunds", (await details(orderId)).order.number)).toHaveLength(1);
  });
});

it("Nobody else's order is told, and a buyer is not told why, by whom, or of what waits for consent", async () => {
  const { payment, orderId, person } = await paid();
  await ask(payment, "10000.01");
  await ask(payment, "1000.00");
  const own = (await server.call("user/order", { id: orderId }, person.token)).body;
  expect(own.refunds).toEqual([]);
  expect(JSON.stringify(own)).not.toMatch(/Bought by mistake|main administrator/);
  const stranger = await member(server, "user");
  expect((await server.call("user/order", { id: orderId }, stranger.token)).status).toBe(404);
  const partner = await member(server, "partner");
  expect((await server.call("partner/order", { id: orderId }, partner.token)).status).toBe(404);
});

it("A buyer's audit log has the refund, and neither who asked, who refused, nor why", async () => {
  const { payment, orderId, person } = await paid();
  const { token } = person;
  const large = randomUUID();
  await ask(payment, "10000.01", { id: large });
  await server.call("admin/refunds/decline", { id: large, reason: "Not agreed with sales" }, ravi.token);
  await ask(payment, "1000.00");
  await settle();
  books.settle();
  await settleLater();
  const query = { subject: `order:${orderId}` };
  const { entries: own, total } = (await server.call("user/audit", query, token)).body;
  expect(own.map(({ action }) => action)).toEqual(expect.arrayContaining(["refund sent", "refund done"]));
  expect(own.filter(({ action }) => /^(ask|approve|decline) /.test(action))).toEqual([]);
  expect(total).toBe(own.length);
  expect(JSON.stringify(own)).not.toMatch(/Bought by mistake|Not agreed with sales/);
  const staff = (await server.call("admin/audit", query, asha.token)).body;
  expect(JSON.stringify(staff)).toContain("Not agreed with sales");
  expect(staff.total).toBe(total + 3);
});

it("A buyer's audit log says that a refund failed, and none of what the gateway said", async () => {
  const { payment, orderId, person } = await paid();
  books.mood = "refuses";
  await ask(payment, "1000.00");
  await settle();
  const query = { subject: `order:${orderId}`, action: "refund failed" } as const;
  const [staff] = (await server.call("admin/audit", query, asha.token)).body.entries;
  expect(staff?.facts.map(({ name }) => name)).toContain("Reason");
  const [own] = (await server.call("user/audit", query, person.token)).body.entries;
  expect(own?.facts).toEqual(staff?.facts.filter(({ name }) => name !== "Reason"));
});

const sayRefund = (merchantTxnId: string) =>
  fetch(`${server.url}/api/payments/webhook`, {
    method: "POST",
    body: JSON.stringify({ action: "refund", merchantTxnId, request_id: 1, amt: "1.00", status: "success" }),
    headers: { "content-type": "application/json" },
  });

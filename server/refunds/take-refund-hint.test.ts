import { and, eq, like, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerTo, attemptsOf, buyer, invoicesOf, orderOf, webhook } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { standInGateway } from "../../tests/stand-in-gateway.ts";
import { findings, paymentEvents, rateLimits } from "../database/schema/index.ts";
import { settleRefunds } from "./settle-refunds.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const sayRefund = (merchantTxnId: string, over: object = {}) =>
  fetch(`${server.url}/api/payments/webhook`, {
    method: "POST",
    body: JSON.stringify({ action: "refund", merchantTxnId, request_id: 1, amt: "1.00", status: "success", ...over }),
    headers: { "content-type": "application/json" },
  });

const say = (body: object) =>
  fetch(`${server.url}/api/payments/webhook`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
const disputesOf = (orderId = "") =>
  server.services.database
    .select()
    .from(findings)
    .where(and(eq(findings.orderId, orderId), eq(findings.kind, "disputed")));

/** A paid order, with the ids of its payment here and at the gateway. */
async function paid() {
  const made = await buyer(server);
  const form = (await made.start()).body;
  const answer = answerTo(server, form);
  await webhook(server, answer);
  const [attempt] = await attemptsOf(server, made.quote.id);
  return { quote: made.quote, reference: form.fields["txnid"] ?? "", gatewayPaymentId: answer.mihpayid, attempt };
}
const eventsOf = (attemptId = "") =>
  server.services.database.select().from(paymentEvents).where(eq(paymentEvents.attemptId, attemptId));

describe("a message that money went back", () => {
  it("given back at the gateway, is booked as a refund of the paid order, and a person is told how much", async () => {
    const { quote, attempt, gatewayPaymentId } = await paid();
    const refunded = { gatewayPaymentId, token: "R1", amountPaise: 150_00 };
    expect(await server.services.gateway.refund(refunded)).toMatchObject({ accepted: true });
    const outcomes = async () => (await eventsOf(attempt?.id)).map(({ outcome }) => outcome);
    await expect.poll(outcomes).toContain("said refund");
    // The server's own worker may be doing it already: then this has nothing to do.
    await settleRefunds(server.services);
    const stateNow = async () => (await orderOf(server, quote.id))?.state;
    await expect.poll(stateNow, { timeout: 20_000 }).toBe("partially_refunded");
    const reason = expect.stringMatching(`₹150.00 of payment ${gatewayPaymentId}`);
    expect(await orderOf(server, quote.id)).toMatchObject({ reviewReason: reason });
    expect(await attemptsOf(server, quote.id)).toMatchObject([{ state: "success", nextCheckAt: null }]);
    expect(await invoicesOf(server, quote.id)).toHaveLength(1);
  });
  it("that the gateway knows nothing of changes nothing", async () => {
    const { quote, reference, attempt } = await paid();
    expect((await sayRefund(reference)).status).toBe(200);
    await settleRefunds(server.services);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "success", reviewReason: null });
    const outcomes = (await eventsOf(attempt?.id)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(expect.arrayContaining(["said refund", "not given back"]));
  });
  it("is asked about until the gateway answers", async () => {
    const { quote, reference, gatewayPaymentId } = await paid();
    const standIn = await standInGateway(server, () => 503);
    await sayRefund(reference);
    for (let hours = 0; hours < 30; hours += 2) {
      await settleRefunds(server.services);
      server.passTime(2 * 3600);
    }
    const refund = { request_id: "5", action: "refund", amt: "2.50", status: "queued" };
    const failed = { ...refund, request_id: "6", amt: "9.00", status: "failure" };
    const capture = { ...refund, request_id: "7", action: "capture", status: "SUCCESS" };
    standIn.react((asked) => ({ status: 1, transaction_details: { [asked]: { 5: refund, 6: failed, 7: capture } } }));
    await settleRefunds(server.services);
    expect(standIn.asked.filter((asked) => asked === gatewayPaymentId).length).toBeGreaterThan(10);
    expect((await orderOf(server, quote.id))?.reviewReason).toContain("₹2.50");
  });
  it("about nothing of ours leaves no trace and gets the same answer", async () => {
    for (const reference of ["UNKNOWN", "", "a\0b", "x".repeat(5000), "' or 1=1 --"]) {
      const answer = await sayRefund(reference);
      expect([answer.status, await answer.text()]).toEqual([200, "ok"]);
    }
    const { rows } = await server.services.database.execute(
      sql`select from payment_events where attempt_id is null or raw->>'merchantTxnId' = 'UNKNOWN'`,
    );
    expect(rows).toEqual([]);
  });
  it("about a payment that is not paid moves nothing", async () => {
    const { quote, start } = await buyer(server);
    await sayRefund((await start()).body.fields["txnid"] ?? "");
    await settleRefunds(server.services);
    expect(await orderOf(server, quote.id)).toMatchObject({ state: "initiated", reviewReason: null });
  });
  it("sent by a forger a hundred times fills no table, and is refused in the end", async () => {
    const { reference, attempt } = await paid();
    const statuses = [];
    for (let index = 0; index < 130; index++)
      statuses.push((await sayRefund(reference, { request_id: index, amt: "=1+1", status: "\0" })).status);
    const made = (await eventsOf(attempt?.id)).filter(({ outcome }) => outcome === "said refund");
    expect(made.length).toBeLessThanOrEqual(50);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

describe("a dispute", () => {
  it("is kept, and its payment asked about", async () => {
    const { reference, attempt } = await paid();
    const body = JSON.stringify({ type: "payments", event: "dispute", txn_id: reference, cb_id: 1761758 });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${server.url}/api/payments/webhook`, { method: "POST", body, headers })).status).toBe(200);
    const kept = expect.objectContaining({ outcome: "said dispute", raw: { cb_id: "1761758" } });
    expect(await eventsOf(attempt?.id)).toContainEqual(kept);
    await settleRefunds(server.services);
    const answered = expect.objectContaining({ outcome: "not given back" });
    expect(await eventsOf(attempt?.id)).toContainEqual(answered);
  });
  it("calls a person once, with its sum and the day until which it is to be answered", async () => {
    const { reference, attempt } = await paid();
    const dispute = {
      event: "dispute",
      txn_id: reference,
      cb_id: 1761759,
      cb_amount: "150.00",
      due_date: "2026-12-05",
    };
    for (let time = 0; time < 2; time++) await say(dispute);
    await say({ ...dispute, txn_id: "UNKNOWN", cb_id: 1761760 });
    expect(await disputesOf(attempt?.orderId)).toMatchObject([
      {
        key: `${reference} 1761759`,
        says: expect.stringMatching(/dispute 1761759 over ₹150\.00.*2026-12-05/),
        resolvedAt: null,
      },
    ]);
    const all = await server.services.database.select().from(findings).where(like(findings.key, "%1761760"));
    expect(all).toEqual([]);
  });
  it("calls a person even if its number was made up for another payment, and refunds of this one before", async () => {
    const [other, { reference, attempt }] = [await paid(), await paid()];
    await say({ event: "dispute", txn_id: other.reference, cb_id: 1761770 });
    for (let index = 0; index < 60; index++) await sayRefund(reference, { request_id: index });
    await say({ event: "dispute", txn_id: reference, cb_id: 1761770 });
    expect(await disputesOf(attempt?.orderId)).toHaveLength(1);
  });
  it("made up by a forger a hundred times fills no table", async () => {
    const { reference, attempt } = await paid();
    for (let index = 0; index < 130; index++) await say({ event: "dispute", txn_id: reference, cb_id: 5000 + index });
    expect((await disputesOf(attempt?.orderId)).length).toBeLessThanOrEqual(50);
  });
});

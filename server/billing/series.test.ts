import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { earlier, later } from "../../contract/durations.ts";
import { financialYearOf } from "../../contract/india-time.ts";
import { copiesOf } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member } from "../../tests/people.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, contracts, invoices, invoiceSeries, orders } from "../database/schema/index.ts";
import { applyPaymentResult } from "../orders/apply-result.ts";
import type { PaymentStatus } from "../outside/payments/gateway.ts";
import { invoiceNumber, issueInvoice } from "./invoices.ts";
import { nextInSeries } from "./series.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

/** Orders of one buyer that are being paid. Answers the gateway's status of each. */
async function beingPaid(count: number): Promise<PaymentStatus[]> {
  const { database, now, gateway } = server.services;
  const buyer = await member(server, "user");
  const quote = await insertQuote(server, buyer);
  const { billTo } = await insertOrder(server, buyer, { state: "initiated" });
  const ids = await copiesOf(server, quote.id, count);
  const amountPaise = quote.totalPaise;
  const made = await database
    .insert(orders)
    .values(
      ids.map((quoteId) => ({ quoteId, organisationId: buyer.organisationId, buyerId: buyer.id, billTo, amountPaise })),
    )
    .returning({ orderId: orders.id });
  const form = { action: "https://gateway.example.in/", fields: {} };
  const expiresAt = later(now(), { minutes: 15 });
  const rows = made.map(({ orderId }) => ({
    orderId,
    gateway: gateway.name,
    reference: `P${randomUUID().replaceAll("-", "").slice(0, 20)}`,
    amountPaise,
    form,
    startedBy: buyer.id,
    expiresAt,
  }));
  await database.insert(attempts).values(rows);
  return rows.map(({ reference }) => {
    const told = { reference, eventKey: reference, raw: {} };
    return { ...told, state: "captured", gatewayPaymentId: `G${reference}`, amountPaise };
  });
}

describe("An invoice's number", () => {
  it.each([
    ["2026-03-31T18:29:59Z", "25-26"],
    ["2026-03-31T18:30:00Z", "26-27"],
    ["2026-11-21T00:00:00Z", "26-27"],
    ["2027-01-01T00:00:00Z", "26-27"],
    ["2099-12-31T00:00:00Z", "99-00"],
    ["2008-05-01T00:00:00Z", "08-09"],
  ])("of %s belongs to the financial year %s", (instant, year) => {
    expect(financialYearOf(new Date(instant))).toBe(year);
  });

  it("has 16 characters, the most that GST allows", () => {
    expect(invoiceNumber("26-27", 123)).toBe("SOC/26-27/000123");
  });

  it("leaves no gap and no double in either series, when fifty are paid side by side across midnight of 31 March and one is rolled back", async () => {
    const paid = await beingPaid(50);
    const instants = ["2031-03-31T18:29:59.999Z", "2031-03-31T18:30:00Z"];
    const at = (index: number) => ({ ...server.services, now: () => new Date(instants[index % 2] ?? "") });
    const [order] = await server.services.database.select().from(orders).limit(1);
    if (!order) throw new Error("There is no order");
    const rolledBack = server.services.database.transaction(async (transaction) => {
      await issueInvoice(at(1), transaction, { ...order, paymentId: "1" });
      throw new Error("the payment could not be written");
    });
    await expect(rolledBack).rejects.toThrow("could not be written");
    const apply = (status: PaymentStatus, index: number) => applyPaymentResult(at(index), { source: "verify", status });
    const replies = await Promise.allSettled(paid.map(apply));
    // A busy server may get no connection in time: then the gateway is asked again.
    for (const [index, { status: came }] of replies.entries())
      if (came === "rejected" && paid[index]) await apply(paid[index], index);
    const numbersOf = async (financialYear: string) => {
      const rows = await server.services.database
        .select()
        .from(invoices)
        .where(eq(invoices.financialYear, financialYear))
        .orderBy(invoices.serial);
      return rows.map(({ number }) => number);
    };
    for (const year of ["30-31", "31-32"])
      expect(await numbersOf(year)).toEqual(Array.from({ length: 25 }, (_, index) => invoiceNumber(year, index + 1)));
  });

  it("and its date run the same way: the clock is read by who has the series, also over midnight", async () => {
    const { database } = server.services;
    const midnight = new Date("2032-03-31T18:30:00Z");
    let clock = new Date(midnight.getTime() - 1);
    const take = (transaction: Transaction) => nextInSeries({ now: () => clock }, transaction, invoiceSeries);
    const { first, second } = await database.transaction(async (transaction) => {
      const taken = await take(transaction);
      const waits = database.transaction(take);
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await transaction.execute(waiting)).rowCount).toBe(1);
      clock = midnight;
      return { first: taken, second: waits };
    });
    expect(first).toMatchObject({ financialYear: "31-32" });
    expect(await second).toMatchObject({ financialYear: "32-33", issuedAt: midnight });
  });

  it("and its date run the same way where a clock is a little behind, and not where the earlier one was wrong by days", async () => {
    const midnight = new Date("2033-10-14T18:30:00Z");
    const take = (clock: Date) =>
      server.services.database.transaction((transaction) =>
        nextInSeries({ now: () => clock }, transaction, invoiceSeries),
      );
    const first = await take(midnight);
    expect(first.issuedAt).toEqual(midnight);
    const behind = await take(earlier(midnight, { minutes: 59 }));
    expect(behind).toEqual({ ...first, serial: first.serial + 1 });
    const corrected = earlier(midnight, { days: 2 });
    expect(await take(corrected)).toEqual({ ...first, serial: first.serial + 2, issuedAt: corrected });
    const next = later(corrected, { minutes: 1 });
    expect(await take(next)).toMatchObject({ serial: first.serial + 3, issuedAt: next });
  });

  it("stands on a paper whose year the contract has, when midnight passes while it is paid", async () => {
    const [status] = await beingPaid(1);
    if (!status) throw new Error("Nothing is being paid");
    let days = 0;
    const now = () => later(new Date("2031-06-01T00:00:00Z"), { days: days++ });
    await applyPaymentResult({ ...server.services, now }, { source: "verify", status });
    const [made] = await server.services.database
      .select({ startsOn: contracts.startsOn, content: invoices.content })
      .from(contracts)
      .innerJoin(invoices, eq(invoices.orderId, contracts.orderId))
      .innerJoin(attempts, eq(attempts.orderId, contracts.orderId))
      .where(eq(attempts.reference, status.reference));
    expect(made?.startsOn).toBe(made?.content.period?.from);
    expect(made?.startsOn).toMatch(/^2031-06/);
  });
});

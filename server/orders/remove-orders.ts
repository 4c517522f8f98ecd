import { and, inArray, isNull, notExists, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import {
  attempts,
  findings,
  invoices,
  ledgerEntries,
  orders,
  paymentEvents,
  proformas,
  refunds,
  settlementLines,
} from "../database/schema/index.ts";

/** Orders that came to nothing: without any money, open question of money, invoice or proforma. */
export const cameToNothing = (transaction: Transaction): SQL | undefined =>
  and(
    // Matches the predicate of the index `orders_unpaid`.
    sql`(${orders.state} in ('failure', 'expired')) is true`,
    isNull(orders.paymentId),
    isNull(orders.reviewReason),
    notExists(
      transaction
        .select({ one: sql`1` })
        .from(invoices)
        .where(sql`${invoices.orderId} = ${orders.id}`),
    ),
    notExists(
      transaction
        .select({ one: sql`1` })
        .from(ledgerEntries)
        .where(sql`${ledgerEntries.orderId} = ${orders.id}`),
    ),
    // A proforma's number has to stay in its series.
    notExists(
      transaction
        .select({ one: sql`1` })
        .from(proformas)
        .where(sql`${proformas.orderId} = ${orders.id}`),
    ),
    notExists(
      transaction
        .select({ one: sql`1` })
        .from(refunds)
        .where(sql`${refunds.orderId} = ${orders.id}`),
    ),
  );

/** Deletes orders with their attempts and the gateway's messages about them. Returns how many orders were deleted. */
export async function removeOrders(transaction: Transaction, ids: string[]): Promise<number> {
  const tries = transaction.select({ id: attempts.id }).from(attempts).where(inArray(attempts.orderId, ids));
  await transaction.delete(paymentEvents).where(inArray(paymentEvents.attemptId, tries));
  await transaction.update(settlementLines).set({ attemptId: null }).where(inArray(settlementLines.attemptId, tries));
  await transaction.delete(findings).where(inArray(findings.orderId, ids));
  await transaction.delete(attempts).where(inArray(attempts.orderId, ids));
  const { rowCount } = await transaction.delete(orders).where(inArray(orders.id, ids));
  return rowCount ?? 0;
}

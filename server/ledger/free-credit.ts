import { and, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, ledgerEntries, orders, refunds } from "../database/schema/index.ts";
import { isOpenRefund, leftBeside } from "./refund-sums.ts";

type Refund = typeof refunds.$inferSelect;

/** Of attempts: the gateway took money that pays nothing. */
export const payNothing = and(ne(attempts.state, "success"), isNotNull(attempts.capturedPaise));

/** What of an order's credit no refund gives back or is about to, and is not the money of a payment that pays nothing. */
export async function freeCreditPaise(
  database: Database | Transaction,
  { id: orderId, owedPaise }: Pick<typeof orders.$inferSelect, "id" | "owedPaise">,
): Promise<number> {
  const known = await database.select().from(refunds).where(eq(refunds.orderId, orderId));
  const { ids, leftPaise: theirs } = await paymentsOfNothing(database, orderId, known);
  const taken = known
    .filter((refund) => isOpenRefund(refund) && !(refund.attemptId !== null && ids.has(refund.attemptId)))
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  return Math.max(0, -owedPaise - taken - theirs);
}

/** The ids of those refunds, of such as failed, for which their orders still have the credit. */
export async function withCreditLeft(database: Database, failed: readonly Refund[]): Promise<ReadonlySet<string>> {
  const left = await Promise.all(
    failed.map(async ({ id, orderId, amountPaise }) => {
      const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
      return order && amountPaise <= (await freeCreditPaise(database, order)) ? [id] : [];
    }),
  );
  return new Set(left.flat());
}

/**
 * The payments of an order that pay nothing, and what of their money is still here by these refunds and what was noted by hand: it
 * lowers what the order owes, and pays none of it.
 */
export async function paymentsOfNothing(
  database: Database | Transaction,
  orderId: string,
  known: readonly Refund[],
): Promise<{ ids: ReadonlySet<string>; leftPaise: number }> {
  const paidAmiss = await database
    .select()
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), payNothing));
  const back = known.filter(({ state }) => state === "done");
  const leftPaise = leftBeside(paidAmiss, back);
  return {
    ids: new Set(paidAmiss.map(({ id }) => id)),
    leftPaise: leftPaise === 0 ? 0 : Math.max(0, leftPaise - (await byHandPaise(database, orderId))),
  };
}

/** What is still here of payments that pay nothing, of each of some orders that has any. */
export async function leftOfNothingOf(
  database: Database | Transaction,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (orderIds.length === 0) return new Map();
  const paidAmiss = await database
    .selectDistinct({ orderId: attempts.orderId })
    .from(attempts)
    .where(and(inArray(attempts.orderId, [...orderIds]), payNothing));
  const each = paidAmiss.map(async ({ orderId }): Promise<[string, number]> => {
    const known = await database.select().from(refunds).where(eq(refunds.orderId, orderId));
    return [orderId, (await paymentsOfNothing(database, orderId, known)).leftPaise];
  });
  return new Map(await Promise.all(each));
}

/** What was noted as given back of an order beside its refunds. */
export async function byHandPaise(database: Database | Transaction, orderId: string): Promise<number> {
  const [noted] = await database
    .select({ paise: sql<string>`coalesce(sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(
      and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.kind, "refund"), isNotNull(ledgerEntries.writtenBy)),
    );
  return Number(noted?.paise ?? 0);
}

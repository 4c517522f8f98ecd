import { and, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, ledgerEntries, orders, refunds } from "../database/schema/index.ts";
import { isOpenRefund, leftBeside } from "./refund-sums.ts";

type Refund = typeof refunds.$inferSelect;

const payNothing = and(ne(attempts.state, "success"), isNotNull(attempts.capturedPaise));

/** What of an order's credit no refund gives back or is about to, and is not the money of a payment that pays nothing. */
export async function freeCreditPaise(
  database: Database | Transaction,
  { id: orderId, owedPaise }: Pick<typeof orders.$inferSelect, "id" | "owedPaise">,
): Promise<number> {
  const known = await database.select().from(refunds).where(eq(refunds.orderId, orderId));
  const { ids } = await paymentsOfNothing(database, orderId, known);
  const theirs = await leftOfNothing(database, orderId, known);
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

/** The payments of an order that pay nothing, and what of their money has not gone back by these refunds. */
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
  return { ids: new Set(paidAmiss.map(({ id }) => id)), leftPaise: leftBeside(paidAmiss, back) };
}

/** The money of payments that pay nothing which is still here: it lowers what an order owes, and pays none of it. */
export async function leftOfNothing(
  database: Database | Transaction,
  orderId: string,
  known: readonly Refund[],
): Promise<number> {
  const { leftPaise } = await paymentsOfNothing(database, orderId, known);
  return leftPaise === 0 ? 0 : Math.max(0, leftPaise - (await byHandPaise(database, orderId)));
}

/** The same of each of some orders that has any. */
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
    return [orderId, await leftOfNothing(database, orderId, known)];
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

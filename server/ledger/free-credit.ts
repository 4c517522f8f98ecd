import { and, eq, gte, inArray, isNotNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, ledgerEntries, orders, refunds } from "../database/schema/index.ts";
import { alonePaiseOf, isOpenRefund, leftBeside } from "./refund-sums.ts";

type Refund = typeof refunds.$inferSelect;

/** Of attempts: the gateway took money that pays nothing. */
const payNothing = and(ne(attempts.state, "success"), isNotNull(attempts.capturedPaise));

/** What of an order's credit no refund gives back or is about to, and is not the money of a payment that pays nothing. */
export async function freeCreditPaise(
  database: Database | Transaction,
  { id: orderId, owedPaise }: Pick<typeof orders.$inferSelect, "id" | "owedPaise">,
): Promise<number> {
  const known = await database.select().from(refunds).where(eq(refunds.orderId, orderId));
  const paidAmiss = await paymentsOfNothing(database, orderId);
  const ids = new Set<string | null>(paidAmiss.map(({ id }) => id));
  const taken = known
    .filter((refund) => isOpenRefund(refund) && !ids.has(refund.attemptId))
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  return Math.max(0, -owedPaise - taken - inReviewPaise(paidAmiss, known));
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

/** The payments of an order that pay nothing. */
export const paymentsOfNothing = (database: Database | Transaction, orderId: string) =>
  database
    .select()
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), payNothing));

/**
 * What is still here by these refunds of such payments while they are looked at: it is theirs, as what was given back by hand, which
 * names no payment, may have been other money of the order.
 */
export const inReviewPaise = (paidAmiss: Awaited<ReturnType<typeof paymentsOfNothing>>, known: readonly Refund[]) =>
  leftBeside(
    paidAmiss.filter(({ state }) => state === "review"),
    known.filter(({ state }) => state === "done"),
  );

/** What an order owes, though money of payments that pay nothing stands beside it, which is to go back. */
export const owedBesideNothing = ({
  owedPaise,
  amissPaise,
}: Pick<typeof orders.$inferSelect, "owedPaise" | "amissPaise">): number => owedPaise + amissPaise;

/** Of refunds in the ledger: noted beside those of the gateway, or taken back as the gateway then gave the money back itself. */
export const isByHand = or(isNotNull(ledgerEntries.writtenBy), lt(ledgerEntries.amountPaise, 0));

/**
 * What was noted as given back of an order beside its refunds, from then on or up to then, without what the gateway then gave back
 * itself.
 */
export async function byHandPaise(
  database: Database | Transaction,
  orderId: string,
  { from, until }: { from?: Date; until?: Date } = {},
): Promise<number> {
  const byPeople = and(isNotNull(ledgerEntries.writtenBy), until && lte(ledgerEntries.at, until));
  const [noted] = await database
    .select({ paise: sql<string>`coalesce(sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.orderId, orderId),
        eq(ledgerEntries.kind, "refund"),
        from && gte(ledgerEntries.at, from),
        or(byPeople, lt(ledgerEntries.amountPaise, 0)),
      ),
    );
  return Number(noted?.paise ?? 0);
}

/** What came for an order and has not gone back, by its ledger. */
export async function moneyHerePaise(database: Database | Transaction, orderId: string): Promise<number> {
  const [here] = await database
    .select({ paise: sql<string>`coalesce(-sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), inArray(ledgerEntries.kind, ["payment", "refund"])));
  return Number(here?.paise ?? 0);
}

/** What people have each given back of an order alone, or are giving back, by these refunds and by hand. */
export const givenBackAlonePaise = async (
  database: Database | Transaction,
  orderId: string,
  known: readonly Refund[],
): Promise<number> => alonePaiseOf(known) + (await byHandPaise(database, orderId));

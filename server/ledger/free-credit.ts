import { and, eq, gte, inArray, isNotNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, ledgerEntries, orders, refunds } from "../database/schema/index.ts";
import { alonePaiseOf, isOpenRefund, leftBeside } from "./refund-sums.ts";

type Refund = typeof refunds.$inferSelect;

/** For attempts: the gateway took money that pays for nothing. */
const payNothing = and(ne(attempts.state, "success"), isNotNull(attempts.capturedPaise));

/** An order's credit, less what refunds give back or are about to, less money of payments that pay for nothing. */
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

/** Of these failed refunds, the ids of those for which the order still has enough credit. */
export async function withCreditLeft(database: Database, failed: readonly Refund[]): Promise<ReadonlySet<string>> {
  const left = await Promise.all(
    failed.map(async ({ id, orderId, amountPaise }) => {
      const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
      return order && amountPaise <= (await freeCreditPaise(database, order)) ? [id] : [];
    }),
  );
  return new Set(left.flat());
}

/** The payments of an order that pay for nothing. */
export const paymentsOfNothing = (database: Database | Transaction, orderId: string) =>
  database
    .select()
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), payNothing));

/**
 * The money of payments in review that is still here after their refunds. It is reserved for them: money given back by
 * hand names no payment and may have been other money of the order.
 */
export const inReviewPaise = (paidAmiss: Awaited<ReturnType<typeof paymentsOfNothing>>, known: readonly Refund[]) =>
  leftBeside(
    paidAmiss.filter(({ state }) => state === "review"),
    known.filter(({ state }) => state === "done"),
  );

/** What an order owes, leaving aside money of payments that pay for nothing, which is to be refunded. */
export const owedBesideNothing = ({
  owedPaise,
  amissPaise,
}: Pick<typeof orders.$inferSelect, "owedPaise" | "amissPaise">): number => owedPaise + amissPaise;

/**
 * For refund entries in the ledger: noted by hand besides the gateway's refunds, or taken back because the gateway then
 * gave the money back itself.
 */
export const isByHand = or(isNotNull(ledgerEntries.writtenBy), lt(ledgerEntries.amountPaise, 0));

/** What was noted as given back by hand from or up to a time, less what the gateway then gave back itself. */
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

/** The money that came for an order and has not gone back, according to its ledger. */
export async function moneyHerePaise(database: Database | Transaction, orderId: string): Promise<number> {
  const [here] = await database
    .select({ paise: sql<string>`coalesce(-sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), inArray(ledgerEntries.kind, ["payment", "refund"])));
  return Number(here?.paise ?? 0);
}

/**
 * What single persons have given back of an order, or are giving back, without a second person's consent: by these
 * refunds and by hand.
 */
export const givenBackAlonePaise = async (
  database: Database | Transaction,
  orderId: string,
  known: readonly Refund[],
): Promise<number> => alonePaiseOf(known) + (await byHandPaise(database, orderId));

import { and, asc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts, invoices, orders, refunds, taxDeductions } from "../database/schema/index.ts";
import { cameByTransfer } from "../billing/paying-transfers.ts";
import { byHandPaise, freeCreditPaise, inReviewPaise, paymentsOfNothing } from "../ledger/free-credit.ts";
import { isOpenRefund, leftBeside, leftOfGateway, refundablePaise } from "../ledger/refund-sums.ts";
import { lockAttempt } from "../orders/take-step.ts";

type Attempt = typeof attempts.$inferSelect;
type Order = typeof orders.$inferSelect;
type Refund = typeof refunds.$inferSelect;

/** Money that came for an order, locked with it: one gateway payment, or all transfers if `attempt` is null. */
export interface LockedPayment {
  order: Order;
  attempt: Attempt | null;
}

/** Locks the payment that a refund belongs to, its order first as everywhere. */
export async function lockPayment(
  transaction: Transaction,
  { orderId, attemptId }: Pick<Refund, "orderId" | "attemptId">,
): Promise<LockedPayment> {
  if (attemptId !== null) return lockAttempt(transaction, { id: attemptId, orderId });
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order) throw new Error(`Order ${orderId} is gone`);
  return { order, attempt: null };
}

/** The refunds of a payment, oldest first. */
export const refundsOfPayment = (
  database: Database | Transaction,
  { order, attempt }: { order: Pick<Order, "id">; attempt: Pick<Attempt, "id"> | null },
): Promise<Refund[]> =>
  database
    .select()
    .from(refunds)
    .where(attempt ? eq(refunds.attemptId, attempt.id) : and(eq(refunds.orderId, order.id), isNull(refunds.attemptId)))
    .orderBy(asc(refunds.askedAt), asc(refunds.id));

/** How much of a payment can still be given back. */
export async function leftOf(database: Database | Transaction, { attempt, order }: LockedPayment): Promise<number> {
  if (!attempt) return (await sumsOfTransfers(database, order.id)).leftPaise;
  const all = await database.select().from(attempts).where(eq(attempts.orderId, order.id));
  const known = await database.select().from(refunds).where(eq(refunds.orderId, order.id));
  return leftOfGateway(attempt, all, known, await byHandPaise(database, order.id));
}

export interface SumsOfTransfers {
  /** All that came by transfer for an order. */
  camePaise: number;
  /** The part that did not pay the order: overpayment, and advances given back before the invoice. */
  excessPaise: number;
  backPaise: number;
  /** What can still be given back. */
  leftPaise: number;
}

/** What came by transfer for an order, and what of it can still go back. */
export async function sumsOfTransfers(database: Database | Transaction, orderId: string): Promise<SumsOfTransfers> {
  const { camePaise, onTopPaise } = await cameByTransfer(database, orderId);
  const known = await refundsOfPayment(database, { order: { id: orderId }, attempt: null });
  const leftPaise = refundablePaise(camePaise - (await byHandBeyondGateway(database, orderId)), known);
  return {
    camePaise,
    excessPaise: onTopPaise + (await advancesBackPaise(database, orderId)),
    backPaise: known.filter(({ state }) => state === "done").reduce((sum, { amountPaise }) => sum + amountPaise, 0),
    leftPaise: leftPaise + (await certifiedCreditPaise(database, orderId, leftPaise)),
  };
}

/** The part of a payment that did not pay its order and is not going back: it still belongs to the payer. */
export async function onTopPaiseOf(
  database: Database | Transaction,
  { order, attempt }: LockedPayment,
): Promise<number> {
  if (attempt) return attempt.state === "success" ? 0 : leftOf(database, { order, attempt });
  return onTopOfTransfersPaise(database, order, await sumsOfTransfers(database, order.id));
}

/** The same for all transfers, with their sums given. Refunds count first against what came on top. */
export const onTopOfTransfersPaise = async (
  database: Database | Transaction,
  order: Order,
  { excessPaise, backPaise, leftPaise }: SumsOfTransfers,
): Promise<number> => Math.max(0, Math.min(excessPaise - backPaise, leftPaise, await freeCreditPaise(database, order)));

/** The part noted as given back by hand that can't have been gateway money. */
async function byHandBeyondGateway(database: Database | Transaction, orderId: string): Promise<number> {
  const byHand = await byHandPaise(database, orderId);
  if (byHand === 0) return 0;
  const all = await database.select().from(attempts).where(eq(attempts.orderId, orderId));
  const known = await database.select().from(refunds).where(eq(refunds.orderId, orderId));
  return Math.max(0, byHand - leftBeside(all, known));
}

/**
 * Certified tax deductions count as money too, as the government received them in our name. Credit beyond the
 * transfers, for example after a cancelled invoice, goes back in the same way as transfers do.
 */
async function certifiedCreditPaise(
  database: Database | Transaction,
  orderId: string,
  leftPaise: number,
): Promise<number> {
  const [certified] = await database
    .select({ paise: taxDeductions.amountPaise, id: orders.id, owedPaise: orders.owedPaise })
    .from(taxDeductions)
    .innerJoin(orders, eq(orders.id, taxDeductions.orderId))
    .where(and(eq(taxDeductions.orderId, orderId), eq(taxDeductions.state, "matched")));
  if (!certified) return 0;
  return Math.max(0, Math.min(certified.paise, (await freeCreditPaise(database, certified)) - leftPaise));
}

/** What went back before the invoice was issued: the order was paid again after it. Without an invoice this is 0. */
async function advancesBackPaise(database: Database | Transaction, orderId: string): Promise<number> {
  const [back] = await database
    .select({ paise: sql<string>`coalesce(sum(${refunds.amountPaise}), 0)` })
    .from(refunds)
    .innerJoin(invoices, eq(invoices.orderId, refunds.orderId))
    .where(
      and(
        eq(refunds.orderId, orderId),
        isNull(refunds.attemptId),
        eq(refunds.state, "done"),
        lt(refunds.endedAt, invoices.issuedAt),
      ),
    );
  return Number(back?.paise ?? 0);
}

/**
 * The part of a refund that is already a credit of the order and so needs no credit note: an overpayment, or a sum
 * credited before. Leaves untouched the credit that other refunds will take and the money of payments that paid for
 * nothing.
 */
export async function ofCreditPaise(
  transaction: Transaction,
  { owedPaise }: Order,
  { id, orderId, amountPaise }: Refund,
): Promise<number> {
  const others = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), ne(refunds.id, id)));
  const creditedBefore = others.filter((other) => other.creditNoteId !== null && isOpenRefund(other));
  const taken = creditedBefore.reduce((sum, other) => sum + other.amountPaise, 0);
  const theirs = inReviewPaise(await paymentsOfNothing(transaction, orderId), others);
  return Math.min(amountPaise, Math.max(0, -owedPaise - taken - theirs));
}

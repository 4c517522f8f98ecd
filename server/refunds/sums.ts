import { asc, eq } from "drizzle-orm";
import type { OrderState } from "../../contract/orders.ts";
import type { RefundState } from "../../contract/refunds.ts";
import type { Transaction } from "../database/database.ts";
import { orders, refunds } from "../database/schema/index.ts";
import type { LockedAttempt } from "../orders/take-step.ts";

type Refund = typeof refunds.$inferSelect;

/** Whose money may still go back, or has: all but those that failed. */
const isAlive = ({ state }: Pick<Refund, "state">) => state !== "failed";
const underWay: ReadonlySet<RefundState> = new Set(["approved", "sent"]);

export const refundsOfPayment = (transaction: Transaction, attemptId: string): Promise<Refund[]> =>
  transaction
    .select()
    .from(refunds)
    .where(eq(refunds.attemptId, attemptId))
    .orderBy(asc(refunds.askedAt), asc(refunds.id));

/** How much of a payment can still be given back. */
export function refundablePaise(capturedPaise: number | null, known: readonly Refund[]): number {
  return Math.max(0, (capturedPaise ?? 0) - sumOf(known.filter(isAlive)));
}

/** How much has gone back. */
export const backPaiseOf = (known: readonly Refund[]): number => sumOf(known.filter(({ state }) => state === "done"));

/** What one person alone has had given back of an order, or is having: two small ones count as the large one that they are. */
export const alonePaiseOf = (known: readonly Refund[]): number =>
  sumOf(known.filter((refund) => isAlive(refund) && refund.approvedBy === null));

const sumOf = (some: readonly Refund[]) => some.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

/** What an order shows that was paid by a payment with these refunds. */
export function stateWith(capturedPaise: number, known: readonly Refund[]): OrderState {
  if (known.some(({ state }) => underWay.has(state))) return "refund_pending";
  const back = backPaiseOf(known);
  if (back === 0) return "success";
  return back >= capturedPaise ? "refunded" : "partially_refunded";
}

/** Makes a paid order show what has become of the refunds of its payment; both are locked. */
export async function showRefunds(
  transaction: Transaction,
  { attempt, order }: LockedAttempt,
  now: Date,
): Promise<void> {
  if (attempt.state !== "success") return;
  const known = await refundsOfPayment(transaction, attempt.id);
  const state = stateWith(attempt.capturedPaise ?? attempt.amountPaise, known);
  await transaction.update(orders).set({ state, updatedAt: now }).where(eq(orders.id, order.id));
}

import { and, eq, isNotNull } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { formatRupees } from "../../contract/money.ts";
import type { Scope } from "../access/scope.ts";
import { grossOfCredit, issueCreditNote } from "../billing/credit-notes.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, contractChanges, creditNotes, orders, refunds } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { lockAttempt, type LockedAttempt } from "../orders/take-step.ts";
import { makeRefund } from "../refunds/ask-refund.ts";
import { refundablePaise, refundsOfPayment } from "../refunds/sums.ts";
import type { Services } from "../services.ts";

/** The payment that paid an order, locked with it; null where it was not paid by the gateway. */
export async function lockPaidBy(transaction: Transaction, orderId: string): Promise<LockedAttempt | null> {
  const [paid] = await transaction
    .select()
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), eq(attempts.state, "success"), isNotNull(attempts.gatewayPaymentId)));
  if (paid) return lockAttempt(transaction, paid);
  await transaction.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("update");
  return null;
}

/** How much the gateway can still give back of what paid an order. */
export async function refundableOf(transaction: Transaction, orderId: string): Promise<number> {
  const payment = await lockPaidBy(transaction, orderId);
  return payment === null ? 0 : leftOf(transaction, payment);
}

const leftOf = async (transaction: Transaction, { attempt }: LockedAttempt) =>
  refundablePaise(attempt.capturedPaise, await refundsOfPayment(transaction, attempt.id));

/**
 * Issues the credit note of a change and has its money given back, in the transaction of the change. Where the gateway did
 * not take so much the credit note stands, and a person sees to the money. Answers what was done.
 */
export async function giveBackCredit(
  services: Services,
  transaction: Transaction,
  scope: Scope<"any">,
  payment: LockedAttempt | null,
  {
    changeId,
    orderId,
    creditPaise,
    reason,
  }: { changeId: string; orderId: string; creditPaise: number; reason: string },
): Promise<string> {
  const amountPaise = creditPaise > 0 ? await grossOfCredit(transaction, orderId, creditPaise) : 0;
  if (amountPaise <= 0) return "Agreed. Nothing was left to be credited for it.";
  const note = await issueCreditNote(services, transaction, {
    orderId,
    amountPaise,
    reason,
    cause: `contract change:${changeId}`,
    actorId: scope.actor.personId,
  });
  await transaction.update(contractChanges).set({ creditNoteId: note.id }).where(eq(contractChanges.id, changeId));
  const done = `Agreed. Credit note ${note.number} over ${formatRupees(amountPaise)} is issued.`;
  const money = await giveBack(services, transaction, scope, payment, {
    changeId,
    creditNoteId: note.id,
    amountPaise,
    reason,
  });
  return `${done} ${money}`;
}

async function giveBack(
  services: Services,
  transaction: Transaction,
  scope: Scope<"any">,
  payment: LockedAttempt | null,
  { changeId, ...what }: { changeId: string; creditNoteId: string; amountPaise: number; reason: string },
): Promise<string> {
  if (payment === null || (await leftOf(transaction, payment)) < what.amountPaise)
    return "The gateway did not take this money, or has given it back: please see to it by hand.";
  const refund = await makeRefund(services, transaction, scope, payment, { id: randomUUID(), ...what });
  await transaction.update(contractChanges).set({ refundId: refund.id }).where(eq(contractChanges.id, changeId));
  return refund.state === "asked"
    ? "Its money waits for a second administrator, who finds it under Actions."
    : "Its money goes back; the order shows when it is there.";
}

/** Has the money of a change given back once more, where its refund failed. @throws Failure not_found, conflict */
export async function refundAgain(services: Services, scope: Scope<"any">, changeId: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ orderId: refunds.orderId })
      .from(contractChanges)
      .innerJoin(refunds, eq(refunds.id, contractChanges.refundId))
      .where(eq(contractChanges.id, changeId));
    if (!found) throw notFound("This refund");
    // The order is locked: of two who ask at once the second one finds the first one's refund.
    const payment = await lockPaidBy(transaction, found.orderId);
    const [now] = await transaction
      .select({ refund: refunds, amountPaise: creditNotes.amountPaise })
      .from(contractChanges)
      .innerJoin(refunds, eq(refunds.id, contractChanges.refundId))
      .innerJoin(creditNotes, eq(creditNotes.id, contractChanges.creditNoteId))
      .where(eq(contractChanges.id, changeId));
    if (!now?.refund.creditNoteId) throw notFound("This refund");
    if (now.refund.state !== "failed")
      throw new Failure("conflict", "This money goes back already, or is there. The order shows how far it is.");
    const { creditNoteId, reason } = now.refund;
    return giveBack(services, transaction, scope, payment, {
      changeId,
      creditNoteId,
      amountPaise: now.amountPaise,
      reason,
    });
  });
}

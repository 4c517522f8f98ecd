import { and, eq, isNotNull } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { formatRupees } from "../../contract/money.ts";
import type { Scope } from "../access/scope.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, contractChanges, refunds } from "../database/schema/index.ts";
import { hasCancelledInvoice } from "../e-invoices/of-invoice.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { freeCreditPaise, owedBesideNothing } from "../ledger/free-credit.ts";
import { claimLoweredPaise, lowerClaim } from "../ledger/lower-claim.ts";
import { takeBackWriteOff, writtenOffOf } from "../ledger/take-back-write-off.ts";
import { makeRefund, underWaySentence } from "../refunds/ask-refund.ts";
import { leftOf, type LockedPayment, lockPayment } from "../refunds/payment.ts";
import type { Services } from "../services.ts";

/** Locks an order and what paid it: the gateway's payment, or else transfers. */
export async function lockPaidBy(transaction: Transaction, orderId: string): Promise<LockedPayment> {
  const [paid] = await transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), eq(attempts.state, "success"), isNotNull(attempts.gatewayPaymentId)));
  return lockPayment(transaction, { orderId, attemptId: paid?.id ?? null });
}

/**
 * How much of a credit reduces what is still owed on the order or was written off, how much can be refunded, and
 * whether by hand.
 */
export async function whereCreditGoes(transaction: Transaction, payment: LockedPayment, creditPaise: number) {
  const { order } = payment;
  const unpaidPaise =
    Math.max(0, owedBesideNothing(order) + (await claimLoweredPaise(transaction, order.id, creditPaise))) +
    (await writtenOffOf(transaction, order.id));
  const lowersPaise = Math.min(creditPaise, unpaidPaise);
  const refundablePaise = Math.min(creditPaise - lowersPaise, await leftOf(transaction, payment));
  return { lowersPaise, refundablePaise, byHand: payment.attempt === null };
}

/**
 * Issues the credit note of a change and refunds its money, in the transaction of the change. If not enough money came,
 * the credit note stands and a person sees to the rest; a credit of zero makes neither. Returns what was done.
 */
export async function giveBackCredit(
  services: Services,
  transaction: Transaction,
  scope: Scope<"any">,
  payment: LockedPayment,
  {
    changeId,
    orderId,
    amountPaise,
    reason,
  }: { changeId: string; orderId: string; amountPaise: number; reason: string },
): Promise<string> {
  if (amountPaise === 0)
    return (await hasCancelledInvoice(transaction, orderId))
      ? "Agreed. Its invoice was cancelled: there is nothing to credit."
      : "Agreed. Nothing was left to be credited for it.";
  const loweredPaise = await claimLoweredPaise(transaction, orderId, amountPaise);
  const note = await issueCreditNote(services, transaction, {
    orderId,
    amountPaise,
    reason,
    cause: `contract change:${changeId}`,
    actorId: scope.actor.personId,
  });
  await transaction.update(contractChanges).set({ creditNoteId: note.id }).where(eq(contractChanges.id, changeId));
  const done = `Agreed. Credit note ${note.number} over ${formatRupees(amountPaise)} is issued.`;
  const lowered = { orderId, eventId: note.id, reason: `${note.number} credits it.`, paise: loweredPaise };
  await lowerClaim(services, transaction, lowered);
  // The credit first reduces what is still owed on the order, then what was written off; the rest is the customer's
  // money.
  const owedPaise = owedBesideNothing(payment.order) + loweredPaise;
  const restPaise = Math.min(amountPaise, Math.max(0, amountPaise - owedPaise));
  const givenUpPaise = await takeBackWriteOff(services, transaction, {
    orderId,
    eventId: changeId,
    camePaise: restPaise,
    reason: `${note.number} credits it.`,
  });
  const backPaise = restPaise - givenUpPaise;
  if (backPaise === 0) return `${done} It lowers what is still to be paid.`;
  const money = await giveBack(services, transaction, scope, payment, {
    changeId,
    creditNoteId: note.id,
    amountPaise: backPaise,
    reason,
  });
  return `${done} ${money}`;
}

async function giveBack(
  services: Services,
  transaction: Transaction,
  scope: Scope<"any">,
  payment: LockedPayment,
  { changeId, ...what }: { changeId: string; creditNoteId: string; amountPaise: number; reason: string },
): Promise<string> {
  if ((await leftOf(transaction, payment)) < what.amountPaise)
    return "So much has not come, or has gone back: please see to it by hand.";
  const refund = await makeRefund(services, transaction, scope, payment, { id: randomUUID(), ...what });
  await transaction.update(contractChanges).set({ refundId: refund.id }).where(eq(contractChanges.id, changeId));
  return underWaySentence(transaction, refund);
}

/**
 * Refunds the money of a change again, if its refund failed and nothing else has given the credit back.
 * @throws Failure not_found, conflict
 */
export async function refundAgain(services: Services, scope: Scope<"any">, changeId: string): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const [found] = await transaction
      .select({ orderId: refunds.orderId })
      .from(contractChanges)
      .innerJoin(refunds, eq(refunds.id, contractChanges.refundId))
      .where(eq(contractChanges.id, changeId));
    if (!found) throw notFound("This refund");
    // The order is locked, so of two concurrent callers the second finds the first one's refund.
    const payment = await lockPaidBy(transaction, found.orderId);
    const [now] = await transaction
      .select({ refund: refunds })
      .from(contractChanges)
      .innerJoin(refunds, eq(refunds.id, contractChanges.refundId))
      .where(eq(contractChanges.id, changeId));
    if (!now?.refund.creditNoteId) throw notFound("This refund");
    if (now.refund.state !== "failed")
      throw new Failure("conflict", "This money goes back already, or is there. The order shows how far it is.");
    const { creditNoteId, amountPaise, reason } = now.refund;
    if (amountPaise > (await freeCreditPaise(transaction, payment.order))) throw goneOtherwise(amountPaise);
    return giveBack(services, transaction, scope, payment, { changeId, creditNoteId, amountPaise, reason });
  });
}

const goneOtherwise = (amountPaise: number) =>
  new Failure(
    "conflict",
    `Less than ${formatRupees(amountPaise)} is left of the order’s credit: it went back in another way, or is about to. Please look at the order’s History, and give back there what is left.`,
  );

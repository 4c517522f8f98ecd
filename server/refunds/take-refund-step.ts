import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { orderNumber } from "../../contract/numbers.ts";
import { formatRupees } from "../../contract/money.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, orders, refunds } from "../database/schema/index.ts";
import { settleCancelled } from "../e-invoices/of-invoice.ts";
import { byHandPaise } from "../ledger/free-credit.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { notify } from "../notices/notify.ts";
import { noteFindings } from "../orders/findings.ts";
import { settleOtherSum } from "../orders/other-sum.ts";
import type { Services } from "../services.ts";
import { mailRefund } from "./mail-refund.ts";
import { onRefundDone } from "./on-refund-done.ts";
import { endReviews } from "./end-reviews.ts";
import { type LockedPayment, ofCreditPaise } from "./payment.ts";
import { showRefunds } from "./show-refunds.ts";
import { type RefundNews, type RefundStep, refundTransitions } from "./transitions.ts";

export type Refund = typeof refunds.$inferSelect;

/** News, with the facts needed to act on it. */
export interface LearntOfRefund {
  news: RefundNews;
  /** The gateway's own id. */
  gatewayRefundId?: string;
  /** For `done amiss`: what has gone back, in paise. */
  amountPaise?: number;
  /** The reason, for news that end the refund without money or call a person. */
  problem?: string;
  /** For `paid out`. */
  payOut?: Pick<Refund, "bankReference" | "paidOn" | "paidOutBy"> & Partial<Pick<Refund, "movedFrom">>;
}

/** What happens next with a refund of a gateway's payment. */
export const goesBackSentence = (amountPaise: number) =>
  `${formatRupees(amountPaise)} go back. The order shows when the gateway has it and when the money is there.`;

/** What staff have to do with a refund of transferred money. */
export const payOutSentence = (amountPaise: number) =>
  `${formatRupees(amountPaise)} are to be transferred back at your bank. Note the bank reference in the order’s History then.`;

/**
 * Applies the transition for this news, with everything that follows. The caller has locked the order and the payment,
 * so nothing else moves their refunds. Returns the refund as it is now.
 */
export async function takeRefundStep(
  services: Services,
  transaction: Transaction,
  payment: LockedPayment,
  refund: Refund,
  learnt: LearntOfRefund,
): Promise<Refund> {
  const step = refundTransitions[refund.state][learnt.news];
  if (step.state === refund.state && (step.effects.length === 0 || isToldAlready(refund, learnt))) return refund;
  const [changed] = await transaction
    .update(refunds)
    .set(changesOf(refund, step, learnt, services.now()))
    .where(eq(refunds.id, refund.id))
    .returning();
  if (!changed) throw new Error(`Refund ${refund.id} is gone`);
  await note(transaction, refund, changed, step, learnt);
  if (step.effects.includes("ask the gateway")) await askSoon(services, transaction, payment);
  if (step.effects.includes("money is back")) await giveBack(services, transaction, payment, changed);
  await showRefunds(transaction, payment, services.now());
  await tellPeople(services, transaction, payment, changed, step);
  return changed;
}

/** The same words call a person only once. */
const isToldAlready = ({ problem }: Refund, learnt: LearntOfRefund) =>
  learnt.problem !== undefined && learnt.problem === problem;

function changesOf(refund: Refund, { state, effects }: RefundStep, learnt: LearntOfRefund, now: Date): Partial<Refund> {
  const ends = state === "done" || state === "failed";
  return {
    state,
    amountPaise: learnt.amountPaise ?? refund.amountPaise,
    ...(learnt.news === "approved" && { approvedAt: now }),
    gatewayRefundId: learnt.gatewayRefundId ?? refund.gatewayRefundId,
    takenAt: refund.takenAt ?? (state === "sent" || state === "done" ? now : null),
    endedAt: ends ? now : null,
    failedAt: refund.failedAt ?? (state === "failed" ? now : null),
    failure: state === "failed" ? (learnt.problem ?? null) : null,
    problem: effects.includes("call a person") ? (learnt.problem ?? null) : toPayOut(refund, state),
    ...learnt.payOut,
  };
}

/** Transferred money stays in the work queue until somebody pays it out. */
const toPayOut = ({ attemptId, amountPaise }: Refund, state: Refund["state"]) =>
  attemptId === null && state === "approved" ? payOutSentence(amountPaise) : null;

/** Adds a job that asks the gateway at once; the clock asks if that job is lost. Does nothing for transfers. */
export async function askSoon(services: Services, transaction: Transaction, { attempt }: LockedPayment): Promise<void> {
  if (!attempt) return;
  await transaction.update(attempts).set({ nextCheckAt: services.now() }).where(eq(attempts.id, attempt.id));
  await services.jobs.add(transaction, "settle-refunds", {});
}

/** What follows once the money is back, for a payment that paid the order or one that did not. */
async function giveBack(services: Services, transaction: Transaction, payment: LockedPayment, refund: Refund) {
  const { attempt } = payment;
  const notedBefore = await takeBackByHand(services, transaction, payment, refund);
  // Another refund ended by the same answer may have used some of the credit since the order was locked.
  const [order] = await transaction.select().from(orders).where(eq(orders.id, payment.order.id));
  if (!order) throw new Error(`Order ${payment.order.id} is gone`);
  const ofCredit = Math.max(notedBefore, await ofCreditPaise(transaction, order, refund));
  await postEntry(transaction, {
    orderId: refund.orderId,
    kind: "refund",
    eventId: refund.id,
    amountPaise: refund.amountPaise,
    about: refund.bankReference ?? refund.gatewayRefundId ?? refund.token,
    at: refund.endedAt ?? services.now(),
  });
  await settleCancelled(transaction, order.id);
  if (ofCredit > 0) await settleOtherSum(services, transaction, order.id, "credit", "What came on top was given back.");
  if (!attempt || attempt.state === "success")
    return onRefundDone(services, transaction, { order, refund, creditPaise: refund.amountPaise - ofCredit });
  await endReviews(services, transaction, order.id);
}

/**
 * If the gateway gives money back without our asking, or after it had called the refund failed, a person may meanwhile
 * have noted the same money as given back by hand. It is booked once, as the gateway's, and a finding asks whether it
 * left twice. Returns how much of it that is, in paise.
 */
async function takeBackByHand(
  services: Services,
  transaction: Transaction,
  { order, attempt }: LockedPayment,
  { id, orderId, askedBy, askedAt, failedAt, amountPaise, gatewayRefundId }: Refund,
): Promise<number> {
  if (askedBy !== null && failedAt === null) return 0;
  const meanwhile = failedAt ? { from: failedAt } : { until: askedAt };
  const paise = Math.max(0, Math.min(amountPaise, await byHandPaise(transaction, orderId, meanwhile)));
  if (paise === 0) return 0;
  const sum = formatRupees(paise);
  await postEntry(transaction, {
    orderId,
    kind: "refund",
    eventId: randomUUID(),
    amountPaise: -paise,
    about: "Given back by hand, booked as the gateway’s",
    reason: `The gateway gave it back as ${gatewayRefundId}.`,
    at: services.now(),
  });
  const how = failedAt ? "by a refund that had failed before" : "without having been asked here";
  const says = `The gateway gave ${formatRupees(amountPaise)} of payment ${attempt?.gatewayPaymentId} back ${how}, and ${sum} were noted as given back by hand before. They are booked once: if both left, they went back twice.`;
  await noteFindings(transaction, [{ kind: "refund differs", key: `${id}:by hand`, says, order }]);
  return paise;
}

/** Their callers audit these with the person. */
const saidByPeople: ReadonlySet<RefundNews> = new Set(["approved", "declined", "paid out", "called off"]);

async function note(
  transaction: Transaction,
  was: Refund,
  is: Refund,
  { effects }: RefundStep,
  learnt: LearntOfRefund,
) {
  const detail = { refund: is.id, amountPaise: is.amountPaise, ...(learnt.problem && { reason: learnt.problem }) };
  const subject = `order:${is.orderId}`;
  const isFromGateway = !saidByPeople.has(learnt.news);
  if (is.state !== was.state && isFromGateway && (is.state === "sent" || is.state === "done" || is.state === "failed"))
    await audit(transaction, null, `refund ${is.state}`, subject, detail);
  else if (effects.includes("call a person")) await audit(transaction, null, "refund needs a look", subject, detail);
}

async function tellPeople(
  services: Services,
  transaction: Transaction,
  { order }: LockedPayment,
  refund: Refund,
  { effects }: RefundStep,
): Promise<void> {
  const { organisationId, organisationName: organizationName } = order;
  const facts = {
    organizationName,
    orderNumber: orderNumber(order.serial),
    amount: formatRupees(refund.amountPaise),
    ...(refund.movedFrom && { isMoved: true }),
  };
  if (effects.includes("call a person")) await notify(transaction, "refund to look at", refund.id, facts, {});
  const isBack = effects.includes("money is back");
  if (!isBack && !effects.includes("tell of sending")) return;
  await notify(transaction, isBack ? "refund done" : "refund sent", refund.id, facts, { organisationId });
  await mailRefund(services, transaction, order, refund, isBack ? "done" : "sent");
}

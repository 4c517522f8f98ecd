import { eq } from "drizzle-orm";
import type { FindingKind } from "../../contract/finding-kinds.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { type AttemptState, attempts, orders, quotes } from "../database/schema/index.ts";
import type { PaymentFailure } from "../outside/payments/gateway.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { noteFindings, settleFindings } from "./findings.ts";
import { noteOtherSum } from "./other-sum.ts";
import { endReason } from "./end-reason.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { lowerClaim } from "../ledger/lower-claim.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { takeBackWriteOff } from "../ledger/take-back-write-off.ts";
import { nextCheckAt } from "./next-check.ts";
import { payOrder } from "./pay-order.ts";
import { showAttempts } from "./show-attempts.ts";
import { type News, type Step, transitions } from "./transitions.ts";

type Attempt = typeof attempts.$inferSelect;
type Order = typeof orders.$inferSelect;
export type LockedAttempt = { attempt: Attempt; order: Order };

/** News, with the facts needed to act on it. */
export interface Learnt {
  news: News;
  /** For `captured`; for `captured amiss` only if no other attempt has this payment. */
  paymentId?: string;
  capturedPaise?: number | null;
  /** For `failed`. */
  why?: PaymentFailure;
  /** For `failed`: the gateway's own words. */
  words?: string;
  /** For news that call a person: the reason. */
  problem?: string;
  /** For `captured amiss`: what differs. */
  differs?: FindingKind;
}

export interface Applied {
  orderId: string;
  state: AttemptState;
  /** Whether to ask the gateway at once. */
  ask: boolean;
}

/** Locks the order first and then its attempt, as `startPayment` does, and reads both again. */
export async function lockAttempt(
  transaction: Transaction,
  { id, orderId }: Pick<Attempt, "id" | "orderId">,
): Promise<LockedAttempt> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  const [attempt] = await transaction.select().from(attempts).where(eq(attempts.id, id)).for("update");
  if (!attempt || !order) throw new Error(`Attempt ${id} is gone`);
  return { attempt, order };
}

/** Applies the transition for this news, with everything that follows from it. */
export async function takeStep(
  services: Services,
  transaction: Transaction,
  { attempt, order }: LockedAttempt,
  learnt: Learnt,
): Promise<Applied> {
  const step = transitions[attempt.state][learnt.news];
  const { state, effects } = step;
  const unmoved = { orderId: order.id, state, ask: false };
  if (isSettled(attempt) && effects.length === 0 && state === attempt.state) return unmoved;
  await transaction
    .update(attempts)
    .set(changesOf(attempt, step, learnt, services.now()))
    .where(eq(attempts.id, attempt.id));
  await enterMoney(services, transaction, attempt, learnt);
  if (effects.includes("pay the order")) {
    // Before the receipt, which states what was written off and deducted.
    await takeBackByPayment(services, transaction, attempt, learnt);
    // Tax is not deducted from online payments, even if a deduction was announced for a transfer.
    await payOrder(services, transaction, { ...order, deducts: null, paymentId: learnt.paymentId ?? "" }, "gateway");
    await noteOtherSum(transaction, attempt, learnt.capturedPaise);
  }
  if (effects.includes("call a person"))
    await audit(transaction, null, "payment needs a look", `order:${order.id}`, { reason: learnt.problem });
  else if (state !== attempt.state && state !== "pending")
    await audit(transaction, null, `payment ${state}`, `order:${order.id}`, {
      reference: attempt.reference,
      ...(state === "success" && { paymentId: learnt.paymentId }),
    });
  await compare(transaction, { attempt, order }, learnt, services.now());
  await showAttempts(transaction, order.id, services.now());
  await tellPeople(transaction, { attempt, order }, step);
  return { ...unmoved, ask: effects.includes("ask the gateway") };
}

/** Books captured money in the ledger as soon as the gateway's own answer reports it, even if it pays for nothing. */
async function enterMoney(
  { now }: Services,
  transaction: Transaction,
  attempt: Attempt,
  learnt: Learnt,
): Promise<void> {
  if (attempt.capturedPaise !== null || !learnt.capturedPaise || !learnt.paymentId) return;
  await postEntry(transaction, {
    orderId: attempt.orderId,
    kind: "payment",
    eventId: attempt.id,
    amountPaise: -learnt.capturedPaise,
    about: learnt.paymentId,
    at: now(),
  });
}

/** A sum that was written off, or expected to be deducted as tax, was paid now: it is no credit of the customer. */
async function takeBackByPayment(
  services: Services,
  transaction: Transaction,
  { id, orderId }: Attempt,
  learnt: Learnt,
) {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId));
  const creditPaise = order ? Math.max(0, -owedBesideNothing(order)) : 0;
  const reason = `${learnt.paymentId} came after it.`;
  const came = { orderId, eventId: id, camePaise: creditPaise, reason };
  const takenPaise = await takeBackWriteOff(services, transaction, came);
  const paise = creditPaise - takenPaise;
  const paidWhole = "The gateway has taken the whole sum: nothing was deducted of it.";
  await lowerClaim(services, transaction, { orderId, eventId: id, reason: paidWhole, paise });
}

/** Notes a difference from the gateway's records, and settles such findings once the money has gone back. */
async function compare(transaction: Transaction, { attempt, order }: LockedAttempt, learnt: Learnt, now: Date) {
  const key = attempt.reference;
  if (learnt.differs)
    await noteFindings(transaction, [{ kind: learnt.differs, key, says: learnt.problem ?? "", order }]);
  if (learnt.news === "refunded")
    await settleFindings(transaction, ["amount differs", "second success"], [key], "All of it was given back.", now);
}

/** Sends notices of what became of the payment. A failed attempt is not reported once the order is paid. */
async function tellPeople(transaction: Transaction, { attempt, order }: LockedAttempt, { state, effects }: Step) {
  const { organisationId, organisationName: organizationName } = order;
  const facts = { organizationName, orderNumber: orderNumber(order.serial) };
  if (effects.includes("pay the order"))
    await notify(
      transaction,
      "payment received",
      order.id,
      { ...facts, camePaise: attempt.amountPaise },
      { organisationId },
    );
  if (effects.includes("call a person")) await notify(transaction, "payment to look at", attempt.id, facts, {});
  if (state !== "failure" || attempt.state === "failure" || order.paymentId !== null) return;
  const [quote] = await transaction.select({ serial: quotes.serial }).from(quotes).where(eq(quotes.id, order.quoteId));
  const failed = { ...facts, quoteNumber: quoteNumber(quote?.serial ?? 0) };
  await notify(transaction, "payment failed", attempt.id, failed, { organisationId });
}

/** Paid, in review or refunded: no message moves the attempt any further. */
export const settledStates = ["success", "review", "refunded"] as const satisfies AttemptState[];
export const isSettled = ({ state }: Attempt) => settledStates.some((settled) => settled === state);

/** News that settle whether a claimed success is real. */
const answers: ReadonlySet<News> = new Set(["captured", "captured amiss", "failed", "refunded"]);

function changesOf(attempt: Attempt, { state, effects }: Step, { news, why, words, ...learnt }: Learnt, now: Date) {
  const ends = state !== attempt.state && state !== "pending";
  const answered = answers.has(news);
  const claimedAt = effects.includes("remember the claim") ? (attempt.claimedAt ?? now) : attempt.claimedAt;
  const next = {
    ...attempt,
    state,
    claimedAt: answered ? null : claimedAt,
    endedAt: ends ? now : attempt.endedAt,
  };
  return {
    state,
    claimedAt: next.claimedAt,
    endedAt: next.endedAt,
    reason: ends ? endReason(state, why) : attempt.reason,
    reviewReason: effects.includes("call a person") ? learnt.problem : answered ? null : attempt.reviewReason,
    gatewayWords: (ends && words) || attempt.gatewayWords,
    gatewayPaymentId: (ends && learnt.paymentId) || attempt.gatewayPaymentId,
    capturedPaise: (ends && learnt.capturedPaise) || attempt.capturedPaise,
    nextCheckAt: effects.includes("ask the gateway") ? now : checkAfter(attempt, next, news, now),
  };
}

/** News that neither answer our question nor change the state don't postpone the next check. */
function checkAfter(attempt: Attempt, next: Attempt, news: News, now: Date): Date | null {
  const isAnswer = !news.startsWith("said ") && news !== "unconfirmed" && news !== "given back" && news !== "refunded";
  if (next.state === attempt.state && !isAnswer) return attempt.nextCheckAt;
  return nextCheckAt(next, news === "under way", now);
}

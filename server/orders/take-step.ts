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

/** News, and what has to be known to act on them. */
export interface Learnt {
  news: News;
  /** For `captured`; for `captured amiss` where it is the payment of no other attempt. */
  paymentId?: string;
  capturedPaise?: number | null;
  /** For `failed`. */
  why?: PaymentFailure;
  /** For `failed`: the gateway's own. */
  words?: string;
  /** For news that call a person: why. */
  problem?: string;
  /** For `captured amiss`: what differs. */
  differs?: FindingKind;
}

export interface Applied {
  orderId: string;
  state: AttemptState;
  /** Whether the gateway should be asked at once. */
  ask: boolean;
}

/** Locks an attempt's order before itself, in the order startPayment does, and reads both anew. */
export async function lockAttempt(
  transaction: Transaction,
  { id, orderId }: Pick<Attempt, "id" | "orderId">,
): Promise<LockedAttempt> {
  const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
  const [attempt] = await transaction.select().from(attempts).where(eq(attempts.id, id)).for("update");
  if (!attempt || !order) throw new Error(`Attempt ${id} is gone`);
  return { attempt, order };
}

/** Takes the step that the table of transitions has for the news, with all that follows from it. */
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
    // Before the receipt, which tells what was given up and deducted.
    await takeBackByPayment(services, transaction, attempt, learnt);
    // Who pays online deducts nothing, whatever was said for a transfer.
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

/** Money that the gateway took is in the ledger from when its own answer says so, also where it paid nothing. */
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

/** What was written off, or was to be deducted as tax, has come with the payment: it is no credit of the customer's. */
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

/** Notes what differs from the gateway's books, and that it does no more once the money has gone back. */
async function compare(transaction: Transaction, { attempt, order }: LockedAttempt, learnt: Learnt, now: Date) {
  const key = attempt.reference;
  if (learnt.differs)
    await noteFindings(transaction, [{ kind: learnt.differs, key, says: learnt.problem ?? "", order }]);
  if (learnt.news === "refunded")
    await settleFindings(transaction, ["amount differs", "second success"], [key], "All of it was given back.", now);
}

/** Tells the bells what has become of the payment; a try that failed is no news once the order is paid. */
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

/** Paid, in a person's hands or given back: no message moves it. */
export const settledStates = ["success", "review", "refunded"] as const satisfies AttemptState[];
export const isSettled = ({ state }: Attempt) => settledStates.some((settled) => settled === state);

/** News that answer whether a claimed success is one. */
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

/** What is no answer to a question, and changes nothing, does not put off the next one. */
function checkAfter(attempt: Attempt, next: Attempt, news: News, now: Date): Date | null {
  const isAnswer = !news.startsWith("said ") && news !== "unconfirmed" && news !== "given back" && news !== "refunded";
  if (next.state === attempt.state && !isAnswer) return attempt.nextCheckAt;
  return nextCheckAt(next, news === "under way", now);
}

import { and, eq, ne, sql } from "drizzle-orm";
import { audit } from "../audit.ts";
import type { Transaction } from "../database/database.ts";
import { type AttemptState, attempts, type EventOutcome, orders, paymentEvents } from "../database/schema/index.ts";
import type { PaymentFailure, PaymentHint, PaymentStatus } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";
import { endReason } from "./end-reason.ts";
import { issueInvoice } from "./invoices.ts";
import { isTimedOut, nextCheckAt } from "./next-check.ts";
import { showAttempts } from "./show-attempts.ts";
import { type News, type Step, transitions } from "./transitions.ts";

type Attempt = typeof attempts.$inferSelect;
type Order = typeof orders.$inferSelect;
type Locked = { attempt: Attempt; order: Order };

/** By the browser's return or by webhook only hints come; what happened is known when the gateway was asked. */
export type PaymentMessage =
  | { source: "return" | "webhook"; hint: PaymentHint }
  | { source: "verify"; status: PaymentStatus };

/** News, and what has to be known to act on them. */
interface Learnt {
  news: News;
  /** For `captured`. */
  paymentId?: string;
  /** For `failed`. */
  why?: PaymentFailure;
  /** For news that call a person: why. */
  problem?: string;
}

export interface Applied {
  orderId: string;
  state: AttemptState;
  /** Whether the gateway should be asked at once. */
  ask: boolean;
}

/**
 * Applies what is said about an attempt: the one place that moves it and its order, whichever way the news came.
 * Repeated, late and reordered news change nothing that is settled. Answers null when it is about nothing of ours.
 */
export async function applyPaymentResult(services: Services, message: PaymentMessage): Promise<Applied | null> {
  const { source } = message;
  const { reference, eventKey, raw } = source === "verify" ? message.status : message.hint;
  const outcome: EventOutcome = source === "verify" ? message.status.state : `said ${message.hint.says}`;
  const applied = await services.database.transaction(async (transaction) => {
    const locked = await lockAttempt(transaction, reference);
    if (!locked) return null;
    await keepEvent(transaction, locked.attempt, { eventKey, source, outcome, raw });
    const learnt =
      source === "verify"
        ? await learnFrom(services, transaction, locked, message.status)
        : learnFromHint(message.hint);
    return learnt
      ? takeStep(services, transaction, locked, learnt)
      : { orderId: locked.order.id, state: locked.attempt.state, ask: false };
  });
  services.log.info({ event: "payment news", source, outcome, reference, ...applied });
  return applied;
}

/** Locks the order before its attempt, in the order startPayment does; null when the reference is not ours. */
export async function lockAttempt(transaction: Transaction, reference: string): Promise<Locked | null> {
  const [found] = await transaction
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(eq(attempts.reference, reference));
  if (!found) return null;
  const [order] = await transaction.select().from(orders).where(eq(orders.id, found.orderId)).for("update");
  const [attempt] = await transaction.select().from(attempts).where(eq(attempts.reference, reference)).for("update");
  return order && attempt ? { attempt, order } : null;
}

/** Whoever may send messages about an attempt can't fill the table with them. */
const eventsMax = 50;

export async function keepEvent(
  transaction: Transaction,
  attempt: Attempt,
  event: Omit<typeof paymentEvents.$inferInsert, "attemptId">,
): Promise<void> {
  const kept = await transaction.$count(paymentEvents, eq(paymentEvents.attemptId, attempt.id));
  if (event.source !== "verify" && kept >= eventsMax) return;
  await transaction
    .insert(paymentEvents)
    .values({ ...event, attemptId: attempt.id })
    .onConflictDoNothing({ target: paymentEvents.eventKey });
}

const learnFromHint = ({ says }: PaymentHint): Learnt | null => (says === "nothing" ? null : { news: `said ${says}` });

async function learnFrom(
  services: Services,
  transaction: Transaction,
  locked: Locked,
  status: PaymentStatus,
): Promise<Learnt> {
  if (status.state === "captured") {
    const paymentId = status.gatewayPaymentId;
    const problem = await problemWith(transaction, locked, paymentId, status.amountPaise);
    return problem || !paymentId
      ? { news: "captured amiss", problem: problem ?? "The gateway named no payment id." }
      : { news: "captured", paymentId };
  }
  if (status.state === "failed") return { news: "failed", why: status.why };
  const isUnderWay = status.state === "under way";
  return { news: isTimedOut(locked.attempt, isUnderWay, services.now()) ? "timed out" : status.state };
}

/** Why a captured payment can't simply pay the order; null when it can. */
async function problemWith(
  transaction: Transaction,
  { attempt, order }: Locked,
  paymentId: string | null,
  amountPaise: number | null,
): Promise<string | null> {
  if (amountPaise !== attempt.amountPaise)
    return `The gateway took ${amountPaise ?? "an unknown number of"} paise for an order of ${attempt.amountPaise}.`;
  if (!paymentId) return "The gateway named no payment id.";
  // Two orders that are told the same payment id at once take turns here.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${paymentId}`}, 0))`);
  const [other] = await transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(eq(attempts.gateway, attempt.gateway), eq(attempts.gatewayPaymentId, paymentId), ne(attempts.id, attempt.id)),
    );
  if (other) return `Payment ${paymentId} already belongs to another attempt.`;
  if (order.paymentId) return `Payment ${paymentId} came on top of ${order.paymentId}: one of them has to be refunded.`;
  return null;
}

/** Takes the step that the table of transitions has for the news, with all that follows from it. */
export async function takeStep(
  services: Services,
  transaction: Transaction,
  { attempt, order }: Locked,
  learnt: Learnt,
): Promise<Applied> {
  const step = transitions[attempt.state][learnt.news];
  const { state, effects } = step;
  await transaction
    .update(attempts)
    .set(changesOf(attempt, step, learnt, services.now()))
    .where(eq(attempts.id, attempt.id));
  if (effects.includes("pay the order"))
    await payOrder(services, transaction, { ...order, paymentId: learnt.paymentId ?? "" });
  if (effects.includes("call a person"))
    await audit(transaction, null, "payment needs a look", `order:${order.id}`, { reason: learnt.problem });
  else if (state !== attempt.state && state !== "pending")
    await audit(transaction, null, `payment ${state}`, `order:${order.id}`, {
      reference: attempt.reference,
      ...(state === "success" && { paymentId: learnt.paymentId }),
    });
  await showAttempts(transaction, order.id, services.now());
  return { orderId: order.id, state, ask: effects.includes("ask the gateway") };
}

/** News that answer whether a claimed success is one. */
const answers: ReadonlySet<News> = new Set(["captured", "captured amiss", "failed"]);

function changesOf(attempt: Attempt, { state, effects }: Step, { news, why, ...learnt }: Learnt, now: Date) {
  const isSettled = attempt.state === "success" || attempt.state === "review";
  const ends = state !== attempt.state && state !== "pending";
  const answered = answers.has(news) && !isSettled;
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
    gatewayPaymentId: news === "captured" && ends ? learnt.paymentId : attempt.gatewayPaymentId,
    nextCheckAt: effects.includes("ask the gateway") ? now : checkAfter(attempt, next, news, now),
  };
}

/** A hint that changes nothing does not put off the next question. */
function checkAfter(attempt: Attempt, next: Attempt, news: News, now: Date): Date | null {
  const isHint = news.startsWith("said ") || news === "unconfirmed" || news === "given back";
  if (next.state === attempt.state && (isHint || next.state === "success")) return attempt.nextCheckAt;
  return nextCheckAt(next, news === "under way", now);
}

async function payOrder(
  services: Services,
  transaction: Transaction,
  order: Order & { paymentId: string },
): Promise<void> {
  const now = services.now();
  await transaction
    .update(orders)
    .set({ state: "success", paymentId: order.paymentId, paidAt: now, updatedAt: now })
    .where(eq(orders.id, order.id));
  await issueInvoice(services, transaction, order);
}

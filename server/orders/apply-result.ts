import { and, eq, ne, sql } from "drizzle-orm";
import type { FindingKind } from "../../contract/finding-kinds.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, type EventOutcome } from "../database/schema/index.ts";
import type { PaymentHint, PaymentStatus } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";
import { keepEvent } from "./keep-event.ts";
import { isTimedOut } from "./next-check.ts";
import { waitsFor } from "./show-attempts.ts";
import { type Applied, isSettled, type Learnt, lockAttempt, type LockedAttempt, takeStep } from "./take-step.ts";

/** A return by browser or a webhook brings only a hint; the gateway's answer to our own query says what happened. */
export type PaymentMessage =
  | { source: "return" | "webhook"; hint: PaymentHint }
  | { source: "verify"; status: PaymentStatus };

/**
 * Applies a message about an attempt to it and its order, whichever way the message came. Repeated, late and reordered
 * messages change nothing that is settled. Returns null when no attempt of ours has the reference.
 */
export async function applyPaymentResult(services: Services, message: PaymentMessage): Promise<Applied | null> {
  const { source } = message;
  const { reference, eventKey, raw } = source === "verify" ? message.status : message.hint;
  const event = { source, eventKey, raw, outcome: outcomeOf(message) };
  const { database } = services;
  const [known] = await database.select().from(attempts).where(eq(attempts.reference, reference));
  if (!known) return null;
  if (isSettled(known)) {
    // Nothing moves a settled attempt, so repeated messages need not wait for its lock.
    await keepEvent(database, known, event);
    return { orderId: known.orderId, state: known.state, ask: false };
  }
  const isUnreadable = message.source === "verify" && message.status.state === "captured" && !isWhole(message.status);
  const applied = await database.transaction(async (transaction) => {
    const locked = await lockAttempt(transaction, known);
    await keepEvent(transaction, locked.attempt, event);
    const learnt = await learnFrom(services, transaction, locked, message);
    return takeStep(services, transaction, locked, learnt);
  });
  // Asks again, ever less often; after a day the claim shows it to a person.
  if (isUnreadable) throw new Error("The gateway called it captured, and named no amount or no payment id");
  services.log.info({ event: "payment news", source, outcome: event.outcome, reference, ...applied });
  return applied;
}

const outcomeOf = (message: PaymentMessage): EventOutcome =>
  message.source === "verify" ? message.status.state : `said ${message.hint.says}`;

/** Without an amount or a payment id, a capture could neither pay an order nor be refunded. */
const isWhole = (status: PaymentStatus & { state: "captured" }): status is Captured =>
  status.gatewayPaymentId !== null && (status.amountPaise ?? 0) > 0;
type Captured = PaymentStatus & { state: "captured"; gatewayPaymentId: string; amountPaise: number };

async function learnFrom(
  services: Services,
  transaction: Transaction,
  locked: LockedAttempt,
  message: PaymentMessage,
): Promise<Learnt> {
  if (message.source !== "verify") return { news: `said ${message.hint.says}` };
  const { status } = message;
  if (status.state === "captured" && !isWhole(status)) {
    const isClaimed = locked.attempt.claimedAt !== null;
    return { news: isClaimed ? "said nothing" : "said success" };
  }
  if (status.state === "captured") {
    const { gatewayPaymentId: paymentId, amountPaise: capturedPaise } = status;
    const other = await findOtherAttempt(transaction, locked, paymentId);
    const amiss = problemWith(locked, status, other) ?? (await problemWithClosed(transaction, locked));
    if (amiss === null) return { news: "captured", paymentId, capturedPaise };
    return { news: "captured amiss", ...amiss, ...(!other && { paymentId, capturedPaise }) };
  }
  if (status.state === "failed") return { news: "failed", why: status.why, words: status.words };
  const isUnderWay = status.state === "under way";
  return { news: isTimedOut(locked.attempt, isUnderWay, services.now()) ? "timed out" : status.state };
}

/** Another attempt that already has this payment. */
async function findOtherAttempt(transaction: Transaction, { attempt }: LockedAttempt, paymentId: string) {
  // Serialises two orders that are told the same payment id at once.
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${paymentId}`}, 0))`);
  const [other] = await transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(eq(attempts.gateway, attempt.gateway), eq(attempts.gatewayPaymentId, paymentId), ne(attempts.id, attempt.id)),
    );
  return other;
}

/** Nothing is due for an invoice that was cancelled, credited in full or written off (decision 113). */
async function problemWithClosed(
  transaction: Transaction,
  { attempt, order }: LockedAttempt,
): Promise<Pick<Learnt, "problem" | "differs"> | null> {
  if ((await waitsFor(transaction, order)) !== "closed") return null;
  const problem = `${formatRupees(attempt.amountPaise)} came for an order of which nothing is to be paid any more.`;
  return { differs: "amount differs", problem };
}

/** Why a captured payment can't simply pay the order; null when it can. */
function problemWith(
  { attempt, order }: LockedAttempt,
  { gatewayPaymentId: paymentId, amountPaise }: Captured,
  other: { id: string } | undefined,
): Pick<Learnt, "problem" | "differs"> | null {
  const amiss = (differs: FindingKind, problem: string) => ({ differs, problem });
  if (amountPaise !== attempt.amountPaise)
    return amiss(
      "amount differs",
      `The gateway took ${formatRupees(amountPaise)} for an order of ${formatRupees(attempt.amountPaise)}.`,
    );
  if (other) return amiss("unknown payment", `Payment ${paymentId} already belongs to another attempt.`);
  if (order.paymentId)
    return amiss(
      "second success",
      `Payment ${paymentId} came on top of ${order.paymentId}: one of them has to be refunded.`,
    );
  return null;
}

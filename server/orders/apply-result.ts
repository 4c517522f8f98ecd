import { and, desc, eq, ne } from "drizzle-orm";
import { audit } from "../audit.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, orders, paymentEvents } from "../database/schema/index.ts";
import type { PaymentResult } from "../outside/payments/gateway.ts";
import type { Services } from "../services.ts";
import { issueInvoice } from "./invoices.ts";

type Attempt = typeof attempts.$inferSelect;
type Order = typeof orders.$inferSelect;

export type ResultSource = "return" | "webhook" | "verify";
type Outcome = { orderId: string; change: string };

/**
 * Applies what the gateway says about an attempt: the one place that moves an order, whichever way the news came.
 * Repeated, late and reordered news change nothing that is settled; a success is never taken back here.
 * Answers null when it is forged or about nothing of ours.
 */
export async function applyPaymentResult(
  services: Services,
  source: ResultSource,
  result: PaymentResult,
): Promise<Outcome | null> {
  if (!result.authentic) {
    services.log.warn({ event: "forged payment result", source, reference: result.reference.slice(0, 40) });
    return null;
  }
  const { reference } = result;
  const outcome = await services.database.transaction(async (transaction) => {
    const locked = await lockAttempt(transaction, reference);
    if (!locked) return null;
    const { attempt, order } = locked;
    const [fresh] = await transaction
      .insert(paymentEvents)
      .values({
        eventKey: result.eventKey,
        attemptId: attempt.id,
        source,
        outcome: result.state,
        raw: result.raw,
      })
      .onConflictDoNothing({ target: paymentEvents.eventKey })
      .returning({ id: paymentEvents.id });
    if (source !== "verify" && result.state === "success" && isGivenUp(attempt)) {
      if (fresh) await checkLater(services, transaction, attempt, [15]);
      return { orderId: order.id, change: unproven };
    }
    const change =
      fresh || source === "verify" ? await move(services, transaction, attempt, order, result) : "repeated";
    return { orderId: order.id, change };
  });
  services.log.info({ event: "payment result", source, state: result.state, ...outcome });
  return outcome?.change === unproven ? await askNow(services, reference, outcome) : outcome;
}

/** A signed success of an attempt given up before: the gateway is asked whether the money is still there. */
const unproven = "unproven";

/** Asks while the buyer's browser waits; a gateway that can't be reached is asked again by the queue. */
async function askNow(services: Services, reference: string, outcome: Outcome): Promise<Outcome> {
  try {
    const answer = await services.gateway.fetchStatus(reference);
    return (await applyPaymentResult(services, "verify", answer)) ?? outcome;
  } catch (error) {
    services.log.warn({ err: error, reference }, "late capture could not be checked yet");
    return outcome;
  }
}

const isGivenUp = ({ state }: Attempt) => state === "failure" || state === "expired";

/** Locks the order before its attempt, in the order startPayment does; null when the reference is not ours. */
export async function lockAttempt(
  transaction: Transaction,
  reference: string,
): Promise<{ attempt: Attempt; order: Order } | null> {
  const [found] = await transaction
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(eq(attempts.reference, reference));
  if (!found) return null;
  const [order] = await transaction.select().from(orders).where(eq(orders.id, found.orderId)).for("update");
  const [attempt] = await transaction.select().from(attempts).where(eq(attempts.reference, reference)).for("update");
  return order && attempt ? { attempt, order } : null;
}

async function move(
  services: Services,
  transaction: Transaction,
  attempt: Attempt,
  order: Order,
  result: PaymentResult,
): Promise<string> {
  if (attempt.state === "success" || attempt.state === "review") return "settled";
  if (result.state === "success") return succeed(services, transaction, attempt, order, result);
  if (isGivenUp(attempt)) return "settled";
  if (result.state === "pending") return wait(services, transaction, attempt, order);
  if (result.state === "failure") return fail(services, transaction, attempt, order, "failure");
  return "none";
}

async function succeed(
  services: Services,
  transaction: Transaction,
  attempt: Attempt,
  order: Order,
  result: PaymentResult,
): Promise<string> {
  const problem = await problemWith(transaction, attempt, order, result);
  if (problem) return sendToReview(services, transaction, attempt, order, problem);
  const now = services.now();
  const paymentId = result.gatewayPaymentId ?? "";
  await transaction
    .update(attempts)
    .set({ state: "success", gatewayPaymentId: paymentId })
    .where(eq(attempts.id, attempt.id));
  await transaction
    .update(orders)
    .set({ state: "success", paymentId, paidAt: now, updatedAt: now })
    .where(eq(orders.id, order.id));
  await issueInvoice(services, transaction, { ...order, paymentId });
  await audit(transaction, null, "payment success", `order:${order.id}`, { paymentId });
  return "success";
}

/** Why a captured payment can't simply pay the order; null when it can. */
async function problemWith(
  transaction: Transaction,
  attempt: Attempt,
  order: Order,
  result: PaymentResult,
): Promise<string | null> {
  if (result.amountPaise !== attempt.amountPaise)
    return `The gateway took ${result.amountPaise ?? "an unknown number of"} paise for an order of ${attempt.amountPaise}.`;
  if (!result.gatewayPaymentId) return "The gateway named no payment id.";
  const [other] = await transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(
        eq(attempts.gateway, attempt.gateway),
        eq(attempts.gatewayPaymentId, result.gatewayPaymentId),
        ne(attempts.id, attempt.id),
      ),
    );
  if (other) return `Payment ${result.gatewayPaymentId} already belongs to another attempt.`;
  if (order.paymentId)
    return `Payment ${result.gatewayPaymentId} came on top of ${order.paymentId}: one of them has to be refunded.`;
  return null;
}

/** A paid order stays paid; its attempt, and an unpaid order, wait for a person. */
async function sendToReview(
  services: Services,
  transaction: Transaction,
  attempt: Attempt,
  order: Order,
  reason: string,
): Promise<string> {
  await transaction.update(attempts).set({ state: "review" }).where(eq(attempts.id, attempt.id));
  const state = order.paymentId ? order.state : "review";
  await transaction
    .update(orders)
    .set({ state, reviewReason: reason, updatedAt: services.now() })
    .where(eq(orders.id, order.id));
  await audit(transaction, null, "payment needs a look", `order:${order.id}`, { reason });
  return "review";
}

async function wait(services: Services, transaction: Transaction, attempt: Attempt, order: Order): Promise<string> {
  if (attempt.state === "pending") return "none";
  await transaction.update(attempts).set({ state: "pending" }).where(eq(attempts.id, attempt.id));
  if (!isSettled(order)) await setState(services, transaction, order, "pending");
  // The buyer is looking at the result page: ask soon, not only at the next reconciliation.
  await checkLater(services, transaction, attempt, [25, 60, 180, 600]);
  return "pending";
}

/** Ends an attempt without money. The order shows its newest attempt, unless an older one is still pending. */
export async function fail(
  services: Services,
  transaction: Transaction,
  attempt: Attempt,
  order: Order,
  state: "failure" | "expired",
): Promise<string> {
  await transaction.update(attempts).set({ state }).where(eq(attempts.id, attempt.id));
  const others = await transaction
    .select({ id: attempts.id, state: attempts.state })
    .from(attempts)
    .where(and(eq(attempts.orderId, order.id), ne(attempts.id, attempt.id)))
    .orderBy(desc(attempts.id));
  const [newest] = others;
  const shown = newest && newest.id > attempt.id ? newest.state : state;
  const pending = others.some((other) => other.state === "pending");
  if (!isSettled(order)) await setState(services, transaction, order, pending ? "pending" : shown);
  // A gateway may still capture what it called failed, and its word of that may get lost.
  await checkLater(services, transaction, attempt, [3600, 6 * 3600, 24 * 3600]);
  await audit(transaction, null, `payment ${state}`, `order:${order.id}`);
  return state;
}

/** Paid, or in a person's hands: news of another attempt does not move it. */
function isSettled(order: Order): boolean {
  return order.paymentId !== null || order.state === "review";
}

async function checkLater(
  { jobs }: Services,
  transaction: Transaction,
  { reference }: Attempt,
  afterSeconds: number[],
): Promise<void> {
  for (const startAfterSeconds of afterSeconds)
    await jobs.add(transaction, "check-attempt", { reference }, { startAfterSeconds });
}

async function setState(
  services: Services,
  transaction: Transaction,
  order: Order,
  state: Order["state"],
): Promise<void> {
  await transaction.update(orders).set({ state, updatedAt: services.now() }).where(eq(orders.id, order.id));
}

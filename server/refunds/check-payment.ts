import { and, eq, isNull, lt, lte, or } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { formatRupees } from "../../contract/money.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, refunds } from "../database/schema/index.ts";
import { doEachOf } from "../jobs/do-each.ts";
import type { GatewayRefund } from "../outside/payments/gateway.ts";
import { keepEvent } from "../orders/keep-event.ts";
import { lockAttempt, type LockedAttempt, takeStep } from "../orders/take-step.ts";
import type { Services } from "../services.ts";
import { newToken } from "./ask-refund.ts";
import { refundsOfPayment } from "./payment.ts";
import { showRefunds } from "./show-refunds.ts";
import { type LearntOfRefund, type Refund, takeRefundStep } from "./take-refund-step.ts";

type Attempt = typeof attempts.$inferSelect;

/** Longer than any request to the gateway takes: an earlier one has ended by then, or was cut off. */
const sendingSeconds = 60;

/**
 * Asks the gateway which refunds of a payment it has, applies its answer to each of ours, and sends those that it
 * lacks. Because we ask before each sending, and store each token before using it, the process may be killed at any
 * line: the next run asks again, and a repeated token gives nothing back twice.
 * @throws when the gateway gives no answer
 */
export async function checkPayment(services: Services, known: Attempt): Promise<void> {
  const listed = await services.gateway.fetchRefunds(known.gatewayPaymentId ?? "");
  const toSend = await services.database.transaction(async (transaction) => {
    const payment = await lockAttempt(transaction, known);
    await keepAnswer(transaction, payment, listed);
    await adoptOthers(services, transaction, payment, listed);
    for (const refund of await refundsOfPayment(transaction, payment)) {
      const learnt = learnFrom(refund, listed);
      // oxlint-disable-next-line no-await-in-loop -- within one transaction
      if (learnt) await takeRefundStep(services, transaction, payment, refund, learnt);
    }
    return claimUnsent(services, transaction, known.id, listed);
  });
  // One after the other, because the gateway locks the payment.
  // oxlint-disable-next-line no-await-in-loop
  for (const refund of toSend) await send(services, known, refund);
}

/** What the gateway's list says about a refund; null if the list lacks it. */
function learnFrom(refund: Refund, listed: readonly GatewayRefund[]): LearntOfRefund | null {
  const { amountPaise } = refund;
  const found = listed.find((each) => isSame(refund, each));
  if (!found) return null;
  const about = { gatewayRefundId: found.id };
  if (found.state === "failed")
    return { ...about, news: "failed", problem: "The gateway took the refund and then could not give the money back." };
  if (found.amountPaise !== amountPaise) {
    const sums = `${formatRupees(found.amountPaise)} back where ${formatRupees(amountPaise)} were asked for`;
    return found.state === "done"
      ? { ...about, news: "done amiss", amountPaise: found.amountPaise, problem: `The gateway gave ${sums}.` }
      : { ...about, news: "amiss", problem: `The gateway gives ${sums}.` };
  }
  return { ...about, news: found.state };
}

/** Matches by our token; a refund made at the gateway without one has only the gateway's own id. */
const isSame = ({ token, gatewayRefundId }: Refund, { token: listed, id }: GatewayRefund) =>
  listed === token || (gatewayRefundId !== null && gatewayRefundId === id);

/**
 * Money that the gateway gives back without our asking is recorded as a refund like any other, so that it is booked and
 * nobody gives it back again. A person is called once to look at it.
 */
async function adoptOthers(
  services: Services,
  transaction: Transaction,
  payment: LockedAttempt,
  listed: readonly GatewayRefund[],
): Promise<void> {
  const { attempt, order } = payment;
  const ours = await refundsOfPayment(transaction, payment);
  const foreign = listed.filter(
    (each) => each.state !== "failed" && each.amountPaise > 0 && !ours.some((refund) => isSame(refund, each)),
  );
  if (foreign.length === 0) return;
  const now = services.now();
  await transaction.insert(refunds).values(
    foreign.map(({ id, amountPaise }) => ({
      orderId: order.id,
      attemptId: attempt.id,
      token: newToken(now),
      amountPaise,
      reason: "The gateway gave it back without having been asked here.",
      state: "sent" as const,
      askedBy: null,
      askedAt: now,
      needsSecond: false,
      approvedAt: now,
      takenAt: now,
      gatewayRefundId: id,
    })),
  );
  await showRefunds(transaction, payment, now);
  const foreignPaise = foreign.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const problem = `The gateway gives ${formatRupees(foreignPaise)} of payment ${attempt.gatewayPaymentId} back, which nobody asked for here. It is booked as a refund.`;
  if (attempt.state === "success") await takeStep(services, transaction, payment, { news: "given back", problem });
}

/** Claims the refunds to send. The claim is committed before the gateway is called, so no other process sends them. */
async function claimUnsent(
  { now }: Services,
  transaction: Transaction,
  attemptId: string,
  listed: readonly GatewayRefund[],
): Promise<Refund[]> {
  const known = new Set(listed.map(({ token }) => token));
  const unclaimed = or(isNull(refunds.sentAt), lte(refunds.sentAt, earlier(now(), { seconds: sendingSeconds })));
  const unsent = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.attemptId, attemptId), eq(refunds.state, "approved"), unclaimed));
  const toSend = unsent.filter(({ token }) => !known.has(token));
  for (const { id } of toSend)
    // oxlint-disable-next-line no-await-in-loop -- within one transaction
    await transaction.update(refunds).set({ sentAt: now() }).where(eq(refunds.id, id));
  return toSend;
}

async function send(services: Services, known: Attempt, { id, token, amountPaise }: Refund): Promise<void> {
  const gatewayPaymentId = known.gatewayPaymentId ?? "";
  const { accepted, message } = await services.gateway.refund({ gatewayPaymentId, token, amountPaise });
  const words = message.replace(/[^\x20-\x7e]/g, "").slice(0, 200);
  const learnt: LearntOfRefund = accepted
    ? { news: "taken" }
    : { news: "refused", problem: `The gateway refused the refund: ${words || "it gave no reason"}.` };
  await services.database.transaction(async (transaction) => {
    const payment = await lockAttempt(transaction, known);
    const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, id));
    if (refund) await takeRefundStep(services, transaction, payment, refund, learnt);
  });
  services.log.info({ event: "refund sent", refund: id, accepted, message: words });
}

/** Keeps each different answer of the gateway once. */
async function keepAnswer(transaction: Transaction, { attempt }: LockedAttempt, listed: readonly GatewayRefund[]) {
  const backPaise = listed
    .filter(({ state }) => state !== "failed")
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const states = listed.map(({ id, state }) => `${id} ${state}`).join(", ");
  await keepEvent(transaction, attempt, {
    eventKey: `${attempt.gateway}:${attempt.reference}:given back:${backPaise}:${states}`,
    source: "verify",
    outcome: backPaise > 0 ? "given back" : "not given back",
    raw: Object.fromEntries(listed.map(({ id, amountPaise, state }) => [id, `${amountPaise} paise, ${state}`])),
  });
}

const untakenHours = 24;
const undoneDays = 10;

/**
 * Shows a person refunds that the gateway has not taken for a day, or not finished for ten. Checks go on, even if one
 * can't be shown.
 */
export async function showOverdue(services: Services): Promise<void> {
  const now = services.now();
  const untaken = and(eq(refunds.state, "approved"), lt(refunds.approvedAt, earlier(now, { hours: untakenHours })));
  const undone = and(eq(refunds.state, "sent"), lt(refunds.takenAt, earlier(now, { days: undoneDays })));
  const overdue = await services.database
    .select({ refund: refunds, attempt: attempts })
    .from(refunds)
    .innerJoin(attempts, eq(attempts.id, refunds.attemptId))
    .where(and(or(untaken, undone), isNull(refunds.problem)));
  await doEachOf(services, "an overdue refund could not be shown", overdue, ({ refund, attempt }) =>
    services.database.transaction(async (transaction) => {
      const payment = await lockAttempt(transaction, attempt);
      const [current] = await transaction.select().from(refunds).where(eq(refunds.id, refund.id));
      if (!current || current.state !== refund.state || current.problem !== null) return;
      const problem =
        current.state === "sent"
          ? `The gateway has had this refund for ${undoneDays} days and not finished it: please look it up there.`
          : `The gateway has not taken this refund for a day: please look it up there. It is asked on.`;
      await takeRefundStep(services, transaction, payment, current, { news: "overdue", problem });
    }),
  );
}

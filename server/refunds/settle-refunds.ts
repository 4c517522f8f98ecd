import { and, asc, eq, gt, inArray } from "drizzle-orm";
import { inMilliseconds } from "../../contract/durations.ts";
import { isDue } from "../database/is-due.ts";
import { attempts, refunds } from "../database/schema/index.ts";
import { runMs } from "../jobs/do-each.ts";
import { checkedWithin } from "../orders/next-check.ts";
import { settledStates } from "../orders/take-step.ts";
import type { Services } from "../services.ts";
import { checkPayment, showOverdue } from "./check-payment.ts";

type Attempt = typeof attempts.$inferSelect;

/** After this many failures in a row the gateway is taken to be down; each further question would only time out. */
const failuresMax = 3;

/**
 * Asks the gateway about every payment with refunds, and sends refunds that it does not have yet. As in
 * `reconcilePayments`, a refund whose request or process was lost is found here by its row.
 */
export async function settleRefunds(services: Services): Promise<void> {
  await showOverdue(services);
  const stopAt = performance.now() + runMs;
  let failures = 0;
  while (failures < failuresMax && performance.now() < stopAt) {
    const payment = await takeDuePayment(services);
    if (!payment) return;
    try {
      await checkPayment(services, payment);
      await planNextCheck(services, payment);
      failures = 0;
    } catch (error) {
      services.log.warn({ err: error, reference: payment.reference }, "refunds could not be checked");
      failures++;
    }
  }
}

/** Adds a job that asks about a refund at once. Don't call it while holding a lock on a row that follows refunds. */
export async function checkRefundSoon({ database, jobs, now }: Services, refundId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const [refund] = await transaction.select().from(refunds).where(eq(refunds.id, refundId));
    if (!refund?.attemptId) return;
    await transaction.update(attempts).set({ nextCheckAt: now() }).where(eq(attempts.id, refund.attemptId));
    await jobs.add(transaction, "settle-refunds", {});
  });
}

/** Takes the payment that has been due longest and postpones it at once, as `reconcilePayments` does. */
async function takeDuePayment({ database, now }: Services): Promise<Attempt | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction
      .select()
      .from(attempts)
      .where(and(isDue(attempts.nextCheckAt, now(), checkedWithin), inArray(attempts.state, [...settledStates])))
      .orderBy(asc(attempts.nextCheckAt))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return undefined;
    const since = await oldestOpen(transaction, due.id);
    const nextCheckAt = retryAt(since ?? due.endedAt ?? due.createdAt, now());
    await transaction.update(attempts).set({ askedAt: now(), nextCheckAt }).where(eq(attempts.id, due.id));
    return due;
  });
}

/** Keeps asking while a refund is open. A message that came meanwhile has made the payment due again already. */
async function planNextCheck({ database, now }: Services, { id }: Attempt): Promise<void> {
  if (await oldestOpen(database, id)) return;
  await database
    .update(attempts)
    .set({ nextCheckAt: null })
    .where(and(eq(attempts.id, id), gt(attempts.nextCheckAt, now())));
}

async function oldestOpen(database: Pick<Services["database"], "select">, attemptId: string): Promise<Date | null> {
  const [oldest] = await database
    .select({ since: refunds.approvedAt })
    .from(refunds)
    .where(and(eq(refunds.attemptId, attemptId), inArray(refunds.state, ["approved", "sent"])))
    .orderBy(asc(refunds.approvedAt))
    .limit(1);
  return oldest?.since ?? null;
}

/** Ever less often, without end. */
function retryAt(since: Date, now: Date): Date {
  const pauseMs = Math.min(
    Math.max((now.getTime() - since.getTime()) / 4, inMilliseconds({ seconds: 30 })),
    inMilliseconds({ hours: 1 }),
  );
  return new Date(now.getTime() + pauseMs);
}

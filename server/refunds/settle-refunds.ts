import { and, asc, eq, gt, inArray } from "drizzle-orm";
import { attempts, refunds } from "../database/schema/index.ts";
import { askAboutDue } from "../orders/ask-about-due.ts";
import { askAgainAt } from "../orders/next-check.ts";
import { settledStates } from "../orders/take-step.ts";
import type { Services } from "../services.ts";
import { checkPayment, showOverdue } from "./check-payment.ts";

type Attempt = typeof attempts.$inferSelect;

/**
 * Asks the gateway about every payment with refunds, and sends refunds that it does not have yet. As in
 * `reconcilePayments`, a refund whose request or process was lost is found here by its row.
 */
export async function settleRefunds(services: Services): Promise<void> {
  await showOverdue(services);
  await askAboutDue(services, {
    about: inArray(attempts.state, [...settledStates]),
    retryAt: async (transaction, { id, endedAt, createdAt }) =>
      askAgainAt((await oldestOpen(transaction, id)) ?? endedAt ?? createdAt, services.now()),
    ask: async (payment) => {
      await checkPayment(services, payment);
      await planNextCheck(services, payment);
    },
    failure: "refunds could not be checked",
  });
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

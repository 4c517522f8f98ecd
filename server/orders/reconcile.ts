import { and, asc, eq, inArray, isNull, lt, or } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { attempts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult, fail, lockAttempt } from "./apply-result.ts";
import { deliverInvoice } from "./invoices.ts";

const batch = 200;
/** A payment left pending by a bank may take days; after this it is given up unless the gateway says otherwise. */
const pendingDaysMax = 7;

/** Asks the gateway about one attempt and applies its answer. @throws when the gateway can't be reached */
export async function checkAttempt(services: Services, reference: string): Promise<void> {
  const [attempt] = await services.database
    .select({ state: attempts.state })
    .from(attempts)
    .where(eq(attempts.reference, reference));
  if (attempt?.state !== "initiated" && attempt?.state !== "pending") return;
  await applyPaymentResult(services, "verify", await services.gateway.fetchStatus(reference));
}

/**
 * Asks after attempts that are still open when they should not be, and expires those that came to nothing.
 * An attempt the gateway can't be asked about now is left for the next run.
 */
export async function reconcilePayments(services: Services): Promise<void> {
  const now = services.now();
  const late = new Date(now.getTime() - limits.paymentMinutes * 60_000);
  const open = await services.database
    .select()
    .from(attempts)
    .where(
      and(
        inArray(attempts.state, ["initiated", "pending"]),
        lt(attempts.createdAt, late),
        or(isNull(attempts.askedAt), lt(attempts.askedAt, new Date(now.getTime() - 4 * 60_000))),
      ),
    )
    .orderBy(asc(attempts.createdAt))
    .limit(batch);
  for (const attempt of open) {
    try {
      await services.database.update(attempts).set({ askedAt: now }).where(eq(attempts.id, attempt.id));
      const result = await services.gateway.fetchStatus(attempt.reference);
      await applyPaymentResult(services, "verify", result);
      if (result.state === "unknown" || result.state === "initiated") await expire(services, attempt.reference);
      if (result.state === "pending" && now.getTime() - attempt.createdAt.getTime() > pendingDaysMax * 24 * 3_600_000)
        await expire(services, attempt.reference);
    } catch (error) {
      services.log.warn({ err: error, reference: attempt.reference }, "payment could not be checked");
    }
  }
}

/** An attempt that was never finished. A late capture still turns it into a success. */
async function expire(services: Services, reference: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const locked = await lockAttempt(transaction, reference);
    if (locked?.attempt.state === "initiated" || locked?.attempt.state === "pending")
      await fail(services, transaction, locked.attempt, locked.order, "expired");
  });
}

export async function workOrders(services: Services): Promise<void> {
  await services.jobs.work("render-invoice", ({ invoiceId }) => deliverInvoice(services, invoiceId));
  await services.jobs.work("check-attempt", ({ reference }) => checkAttempt(services, reference));
  await services.jobs.work("reconcile-payments", () => reconcilePayments(services));
  await services.jobs.schedule("reconcile-payments", "*/5 * * * *");
}

import { and, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { attempts } from "../database/schema/index.ts";
import { doEachOf } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";
import { unconfirmedMaxMs } from "./next-check.ts";
import { isSettled, lockAttempt, takeStep } from "./take-step.ts";

/** Asks the gateway about one attempt and applies its answer. @throws when the gateway gives no answer */
export async function checkAttempt(services: Services, reference: string): Promise<void> {
  const [attempt] = await services.database.select().from(attempts).where(eq(attempts.reference, reference));
  if (!attempt || isSettled(attempt)) return;
  await applyPaymentResult(services, { source: "verify", status: await services.gateway.fetchStatus(reference) });
}

/**
 * Shows a person each payment that the gateway called a success and has not confirmed for a day. Checks go on, even if
 * one can't be shown.
 */
export async function showUnconfirmed(services: Services): Promise<void> {
  const dayAgo = new Date(services.now().getTime() - unconfirmedMaxMs);
  const unconfirmed = and(isNotNull(attempts.claimedAt), lt(attempts.claimedAt, dayAgo), isNull(attempts.reviewReason));
  const found = await services.database.select().from(attempts).where(unconfirmed);
  await doEachOf(services, "an unconfirmed payment could not be shown", found, (known) =>
    services.database.transaction(async (transaction) => {
      const locked = await lockAttempt(transaction, known);
      const { reference, claimedAt, reviewReason } = locked.attempt;
      if (!claimedAt || reviewReason) return;
      const since = claimedAt.toISOString().replace(/T(.{5}).*/, " $1 UTC");
      const problem = `The gateway called payment ${reference} a success at ${since} and has not confirmed it since: please look it up there.`;
      await takeStep(services, transaction, locked, { news: "unconfirmed", problem });
    }),
  );
}

import { and, asc, eq, notInArray } from "drizzle-orm";
import { isDue } from "../database/is-due.ts";
import { attempts } from "../database/schema/index.ts";
import { runMs } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { checkAttempt, showUnconfirmed } from "./check-attempt.ts";
import { checkedWithin, retryAt } from "./next-check.ts";
import { settledStates } from "./take-step.ts";

/** After this many failures in a row the gateway is taken to be down; each further question would only time out. */
const failuresMax = 3;

/**
 * Asks the gateway about every attempt that is due: open, called a success but not confirmed, or failed recently. An
 * attempt whose request, process or gateway call was lost is found here by its row.
 */
export async function reconcilePayments(services: Services): Promise<void> {
  await showUnconfirmed(services);
  const stopAt = performance.now() + runMs;
  let failures = 0;
  while (failures < failuresMax && performance.now() < stopAt) {
    const reference = await takeDueAttempt(services);
    if (!reference) return;
    try {
      await checkAttempt(services, reference);
      failures = 0;
    } catch (error) {
      services.log.warn({ err: error, reference }, "payment could not be checked");
      failures++;
    }
  }
}

/**
 * Takes the attempt that has been due longest, and postpones it before asking: several processes can share the work,
 * and an attempt that gets no answer waits behind the others.
 */
async function takeDueAttempt({ database, now }: Services): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction
      .select()
      .from(attempts)
      .where(and(isDue(attempts.nextCheckAt, now(), checkedWithin), notInArray(attempts.state, [...settledStates])))
      .orderBy(asc(attempts.nextCheckAt))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return undefined;
    await transaction
      .update(attempts)
      .set({ askedAt: now(), nextCheckAt: retryAt(due, now()) })
      .where(eq(attempts.id, due.id));
    return due.reference;
  });
}

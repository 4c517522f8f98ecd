import { and, asc, eq, notInArray } from "drizzle-orm";
import { isDue } from "../database/is-due.ts";
import { attempts } from "../database/schema/index.ts";
import { runMs } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { checkAttempt, showUnconfirmed } from "./check-attempt.ts";
import { checkedWithin, retryAt } from "./next-check.ts";
import { settledStates } from "./take-step.ts";

/** After so many failures in a row the gateway is down: asking on would only wait for each time limit. */
const failuresMax = 3;

/**
 * Asks the gateway about every attempt that is due: open, called a success and not confirmed, or failed not long ago.
 * Whatever lost its request, its process or its gateway on the way is found here, by its row.
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
 * The attempt that has been due for longest. It is put off at once, before it is asked about: several processes share
 * the work, and one that gets no answer waits behind the others.
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

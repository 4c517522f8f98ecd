import { and, eq, isNotNull, notInArray } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { askAtOnce } from "./ask-at-once.ts";
import { settledStates } from "./take-step.ts";

/** Somebody waits for the answer in a browser. */
const patienceMs = 5000;

/** An order's attempts called a success but not confirmed: the only ones under review that an answer can still move. */
const unconfirmedOf = (orderId: string) =>
  and(eq(attempts.orderId, orderId), isNotNull(attempts.claimedAt), notInArray(attempts.state, [...settledStates]));

/** Whether asking the gateway could still settle something about this order. */
export async function canAskAgain(database: Database | Transaction, orderId: string): Promise<boolean> {
  const [one] = await database.select({ id: attempts.id }).from(attempts).where(unconfirmedOf(orderId)).limit(1);
  return one !== undefined;
}

/**
 * Asks the gateway about an order's unconfirmed attempts. They become due at once, so the clock asks within a minute
 * about any that gets no answer here. Don't call it while holding a lock on a row that follows an order's state.
 */
export async function askAgain(services: Services, orderId: string): Promise<void> {
  const due = await services.database
    .update(attempts)
    .set({ nextCheckAt: services.now() })
    .where(unconfirmedOf(orderId))
    .returning({ reference: attempts.reference });
  // One after the other, because each may wait for the same order.
  // oxlint-disable-next-line no-await-in-loop
  for (const { reference } of due) await askAtOnce(services, reference, patienceMs);
}

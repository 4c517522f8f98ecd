import { and, eq, isNotNull, notInArray } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { attempts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { applyPaymentResult } from "./apply-result.ts";

/** Somebody waits for the answer in a browser. */
const patienceMs = 5000;

/** An order's attempts that were called a success and not confirmed: the only ones in a person's hands that an answer can still move. */
const unconfirmedOf = (orderId: string) =>
  and(eq(attempts.orderId, orderId), isNotNull(attempts.claimedAt), notInArray(attempts.state, ["success", "review"]));

/** Whether the gateway's word could still settle something about this order. */
export async function canAskAgain(database: Database | Transaction, orderId: string): Promise<boolean> {
  const [one] = await database.select({ id: attempts.id }).from(attempts).where(unconfirmedOf(orderId)).limit(1);
  return one !== undefined;
}

/** Makes the order's attempts due at once: if nobody comes to ask, `reconcilePayments` does within a minute. */
export async function makeDue({ now }: Services, transaction: Transaction, orderId: string): Promise<void> {
  await transaction.update(attempts).set({ nextCheckAt: now() }).where(unconfirmedOf(orderId));
}

/** Asks the gateway about an order's unconfirmed attempts. One that gives no answer is asked again by the clock. */
export async function askAgain(services: Services, orderId: string): Promise<void> {
  const found = await services.database
    .select({ reference: attempts.reference })
    .from(attempts)
    .where(unconfirmedOf(orderId));
  for (const { reference } of found) {
    try {
      await services.limiter.consume("askGatewayByAttempt", reference);
      const status = await services.gateway.fetchStatus(reference, patienceMs);
      await applyPaymentResult(services, { source: "verify", status });
    } catch (error) {
      services.log.warn({ err: error, reference }, "the gateway could not be asked at once");
    }
  }
}

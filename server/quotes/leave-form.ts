import { and, eq, gt, isNull } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Actor } from "../access/scope.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { attempts } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/**
 * Supersedes the person's own payment form for an order that is no longer wanted; money that still comes by it pays the
 * order. The caller has locked the order.
 * @throws Failure conflict if somebody else has an open form and can still pay by it
 */
export async function leaveOwnForm(
  { now }: Services,
  transaction: Transaction,
  orderId: string,
  { personId }: Actor,
): Promise<void> {
  const living = and(
    eq(attempts.orderId, orderId),
    eq(attempts.state, "initiated"),
    isNull(attempts.supersededAt),
    gt(attempts.expiresAt, now()),
  );
  const open = await transaction.select({ startedBy: attempts.startedBy }).from(attempts).where(living);
  const [other] = open.filter(({ startedBy }) => startedBy !== personId);
  if (other)
    throw new Failure(
      "conflict",
      `${await whoIs(transaction, other.startedBy)} has begun to pay for this quote online. Please agree with them, or try again in ${limits.paymentMinutes} minutes.`,
    );
  await transaction.update(attempts).set({ supersededAt: now(), supersededBy: personId }).where(living);
}

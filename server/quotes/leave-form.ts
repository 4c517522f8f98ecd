import { and, eq, gt, isNull } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Actor } from "../access/scope.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Transaction } from "../database/database.ts";
import { attempts } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/**
 * Leaves one's own form for paying an order, as what it would pay is not wanted any more: who pays by it all the same has paid. The
 * order is locked. @throws Failure conflict for a form of somebody else, who can still pay by it
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

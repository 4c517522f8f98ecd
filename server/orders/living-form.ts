import { desc, eq } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import { audit } from "../audit/audit.ts";
import { whoIs } from "../audit/who-is.ts";
import type { Actor } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, type BillTo, type orders, type TaxSplit } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { isUnderWay } from "./show-attempts.ts";

type OrderRow = typeof orders.$inferSelect;
type AttemptRow = typeof attempts.$inferSelect;

/**
 * The newest attempt, if its form can still be paid and was not superseded. The caller has locked the order's row.
 * @throws Failure conflict while a bank has yet to confirm any attempt: a second payment would have to be refunded
 */
export async function findLivingAttempt(
  services: Services,
  transaction: Transaction,
  order: OrderRow,
): Promise<AttemptRow | null> {
  const tries = await transaction
    .select()
    .from(attempts)
    .where(eq(attempts.orderId, order.id))
    .orderBy(desc(attempts.id));
  if (tries.some(isUnderWay))
    throw new Failure("conflict", "A payment for this quote is being confirmed. Please wait a moment.");
  const [newest] = tries;
  if (newest?.state !== "initiated" || newest.supersededAt !== null) return null;
  return newest.expiresAt > services.now() ? newest : null;
}

/** Whether this person asks for the same form again: a double click, or the way back from the gateway's page. */
export function asksAgain(
  living: AttemptRow,
  order: OrderRow,
  actor: Actor,
  { billTo, tax }: { billTo: BillTo; tax: TaxSplit },
): boolean {
  const shown = { billTo: living.billTo ?? order.billTo, tax: living.tax };
  // jsonb does not keep the order of keys; this comparison ignores it.
  return living.startedBy === actor.personId && isDeepStrictEqual(shown, { billTo, tax });
}

/**
 * Makes room for a new form. A person may replace their own form freely, but must explicitly take over somebody else's.
 * The gateway can't withdraw a form: money that still comes by it pays the order.
 * @throws Failure payment_in_progress
 */
export async function supersede(
  services: Services,
  transaction: Transaction,
  actor: Actor,
  living: AttemptRow,
  takeOver: boolean,
): Promise<void> {
  const isOwn = living.startedBy === actor.personId;
  if (!isOwn && !takeOver) throw await inProgress(services, transaction, living);
  await transaction
    .update(attempts)
    .set({ supersededAt: services.now(), supersededBy: actor.personId })
    .where(eq(attempts.id, living.id));
  if (!isOwn)
    await audit(transaction, actor.personId, "take over payment", `order:${living.orderId}`, {
      from: living.startedBy,
      reference: living.reference,
    });
}

async function inProgress(
  services: Services,
  transaction: Transaction,
  { startedBy, createdAt }: AttemptRow,
): Promise<Failure> {
  const who = await whoIs(transaction, startedBy);
  const since = timeAgo(services.now().getTime() - createdAt.getTime());
  return new Failure(
    "payment_in_progress",
    `${who} started paying for this quote ${since}. Please take over only if that payment will not be finished: a second one would have to be refunded.`,
  );
}

function timeAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute ago";
  return minutes === 1 ? "1 minute ago" : `${minutes} minutes ago`;
}

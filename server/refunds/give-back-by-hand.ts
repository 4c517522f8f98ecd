import { and, eq, inArray, sql } from "drizzle-orm";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { enteredStates, ledgerEntries, orders, refunds, transfers } from "../database/schema/index.ts";
import { settleCancelled } from "../e-invoices/of-invoice.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { givenBackAlonePaise, isByHand, moneyHerePaise } from "../ledger/free-credit.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { refuseOtherTry } from "../ledger/refuse-other-try.ts";
import { openRefundStates } from "../ledger/refund-sums.ts";
import type { Services } from "../services.ts";
import { endReviews } from "./end-reviews.ts";

/**
 * Notes that a credit of gateway money was given back by hand, with a reason and never more than is open. A payment in
 * review ends once all of its money is back. Transferred money, and sums that need a second person's consent, go back as
 * refunds instead. Repeating the same id changes nothing. Returns a sentence for the page.
 * @throws Failure not_found, conflict
 */
export async function giveBackByHand(
  services: Services,
  { actor }: Scope<"any">,
  { id, order_id: orderId, amount, reason }: Input<"admin/receivables/settle">,
): Promise<string> {
  const amountPaise = paiseFrom(amount);
  return services.database.transaction(async (transaction) => {
    const [order] = await transaction.select().from(orders).where(eq(orders.id, orderId)).for("update");
    if (!order) throw notFound("This order");
    const number = orderNumber(order.serial);
    const done = `It is noted that ${formatRupees(amountPaise)} of ${number} were given back.`;
    const [repeated] = await transaction
      .select()
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.kind, "refund"), eq(ledgerEntries.eventId, id)));
    if (repeated) {
      refuseOtherTry(repeated, { orderId, amountPaise, reason });
      return done;
    }
    const openPaise = await creditPaiseOf(transaction, order);
    if (amountPaise > openPaise) {
      const sentence =
        openPaise > 0
          ? `Of ${number}, ${formatRupees(openPaise)} are open. Please enter no more than that.`
          : `${number} has no credit.`;
      throw new Failure("conflict", sentence, { fields: { amount: sentence } });
    }
    await refuseAlone(services, transaction, orderId, amountPaise);
    await postEntry(transaction, {
      orderId,
      kind: "refund",
      eventId: id,
      amountPaise,
      about: "Given back by hand",
      reason,
      writtenBy: actor.personId,
      at: services.now(),
    });
    await endReviews(services, transaction, orderId);
    await settleCancelled(transaction, orderId);
    await audit(transaction, actor.personId, "give credit back", `order:${orderId}`, { amountPaise, reason });
    return done;
  });
}

/**
 * Above the limit a second person must agree, as to any refund: they agree to a gateway refund, and only what the
 * gateway then fails to give back may be given back by hand.
 * @throws Failure conflict
 */
async function refuseAlone({ env }: Services, transaction: Transaction, orderId: string, amountPaise: number) {
  const known = await transaction.select().from(refunds).where(eq(refunds.orderId, orderId));
  const noted = await transaction
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.kind, "refund"), isByHand));
  const alonePaise = (await givenBackAlonePaise(transaction, orderId, known)) + amountPaise;
  if (alonePaise - consentedPaise(known, noted) <= env.refundApprovalPaise) return;
  const sentence = `Above ${formatRupees(env.refundApprovalPaise)} of one order another main administrator has to agree: please ask for a refund in the order’s History. What the gateway then can’t give back can be noted here.`;
  throw new Failure("conflict", sentence, { fields: { amount: sentence } });
}

/**
 * How much may go back by hand because two people agreed to a refund that the gateway then failed to make: what was
 * noted under such a consent, plus what remains of each payment's latest failed refund, less what was agreed to in its
 * place. A later consent replaces the unused rest of an earlier one.
 */
function consentedPaise(
  known: readonly (typeof refunds.$inferSelect)[],
  noted: readonly (typeof ledgerEntries.$inferSelect)[],
): number {
  const consents = known
    .filter(({ approvedBy }) => approvedBy !== null)
    .map(({ askedAt: at, state, attemptId, amountPaise }) => ({ at, state, attemptId, amountPaise }));
  const notes = noted.map(({ at, amountPaise }) => ({ at, state: "noted" as const, attemptId: null, amountPaise }));
  const inTurn = [...consents, ...notes].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const left = new Map<string | null, number>();
  let usedPaise = 0;
  for (const { state, attemptId, amountPaise } of inTurn) {
    if (state === "failed") left.set(attemptId, amountPaise);
    else if (state !== "noted") left.set(attemptId, Math.max(0, (left.get(attemptId) ?? 0) - amountPaise));
    // A negative entry takes back what the gateway then refunded itself.
    else if (amountPaise < 0) usedPaise = Math.max(0, usedPaise + amountPaise);
    else usedPaise += takeFrom(left, amountPaise);
  }
  return usedPaise + [...left.values()].reduce((sum, paise) => sum + paise, 0);
}

/** Takes up to `paise` from the amounts in `left`. Returns how much was taken. */
function takeFrom(left: Map<string | null, number>, paise: number): number {
  let open = paise;
  for (const [key, each] of left) {
    left.set(key, Math.max(0, each - open));
    open -= Math.min(open, each);
  }
  return paise - open;
}

/**
 * The credit that no refund gives back or is about to, at most what came.
 * @throws Failure conflict if all of it is already on its way back, or if money came by transfer
 */
async function creditPaiseOf(
  transaction: Transaction,
  { id, owedPaise, serial }: typeof orders.$inferSelect,
): Promise<number> {
  const [under] = await transaction
    .select({ paise: sql<string>`coalesce(sum(${refunds.amountPaise}), 0)` })
    .from(refunds)
    .where(and(eq(refunds.orderId, id), inArray(refunds.state, openRefundStates)));
  const underWayPaise = Number(under?.paise ?? 0);
  if (underWayPaise > 0 && underWayPaise >= -owedPaise)
    throw new Failure(
      "conflict",
      `${formatRupees(underWayPaise)} of ${orderNumber(serial)} are on their way back already. The order’s History says how far they are.`,
    );
  const came = and(eq(transfers.orderId, id), inArray(transfers.state, enteredStates));
  if ((await transaction.$count(transfers, came)) > 0)
    throw new Failure(
      "conflict",
      "Money of this order came by transfer: please give it back in the order’s History, where a second person agrees above the limit.",
    );
  return Math.min(-owedPaise, await moneyHerePaise(transaction, id)) - underWayPaise;
}

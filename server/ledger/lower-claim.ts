import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { invoices, taxDeductions } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { creditedPaise } from "./deductible.ts";
import { moneyHerePaise } from "./free-credit.ts";
import { postEntry } from "./post-entry.ts";

const isAwaited = (orderId: string) =>
  and(eq(taxDeductions.orderId, orderId), isNull(taxDeductions.debtSince), ne(taxDeductions.state, "matched"));

/**
 * What remains of a claim for deducted tax, in paise, after part of its invoice is credited: its share, in whole rupees
 * as paid to the government. All of it remains if more has come than the lowered invoice asks for: that buyer has
 * deducted the tax already, and its certificate will say so.
 * @param herePaise the money that came and has not gone back
 */
export function claimLeftPaise({
  claimedPaise,
  invoicedPaise,
  creditPaise,
  herePaise,
}: Record<"claimedPaise" | "invoicedPaise" | "creditPaise" | "herePaise", number>): number {
  const leftPaise = Math.max(0, invoicedPaise - creditPaise);
  const shareOfClaimPaise = leftPaise === 0 ? 0 : Math.round((claimedPaise * leftPaise) / invoicedPaise / 100) * 100;
  return herePaise > leftPaise - shareOfClaimPaise ? claimedPaise : shareOfClaimPaise;
}

/** How much of an order's deduction, in paise, no longer applies once this much of its invoice is credited. */
export async function claimLoweredPaise(
  database: Database | Transaction,
  orderId: string,
  creditPaise: number,
): Promise<number> {
  const [found] = await database
    .select({
      claimedPaise: taxDeductions.amountPaise,
      invoicedPaise: sql<string>`(${invoices.content}->>'totalPaise')::bigint - ${creditedPaise}`,
    })
    .from(taxDeductions)
    .innerJoin(invoices, eq(invoices.orderId, taxDeductions.orderId))
    .where(isAwaited(orderId));
  if (!found) return 0;
  const { claimedPaise } = found;
  const invoicedPaise = Number(found.invoicedPaise);
  const herePaise = await moneyHerePaise(database, orderId);
  return claimedPaise - claimLeftPaise({ claimedPaise, invoicedPaise, creditPaise, herePaise });
}

/**
 * Takes back part or all of an order's awaited claim for deducted tax, because its invoice is credited or cancelled.
 * The caller has locked the order.
 * @param eventId the event that lowers the claim
 */
export async function lowerClaim(
  { now }: Pick<Services, "now">,
  transaction: Transaction,
  { orderId, eventId, reason, paise }: { orderId: string; eventId: string; reason: string; paise?: number },
): Promise<void> {
  const at = now();
  const [claim] = await transaction.select().from(taxDeductions).where(isAwaited(orderId)).for("update");
  const loweredPaise = Math.min(paise ?? Infinity, claim?.amountPaise ?? 0);
  if (!claim || loweredPaise === 0) return;
  const leftPaise = claim.amountPaise - loweredPaise;
  await transaction
    .update(taxDeductions)
    .set(leftPaise === 0 ? { debtSince: at, debtReason: reason } : { amountPaise: leftPaise })
    .where(eq(taxDeductions.id, claim.id));
  await postEntry(transaction, {
    orderId,
    kind: "tax not certified",
    eventId,
    amountPaise: loweredPaise,
    about: `Section ${claim.section}`,
    reason,
    at,
  });
}

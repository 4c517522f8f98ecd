import { asc, eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, type orders } from "../database/schema/index.ts";
import { owedBesideNothing } from "./free-credit.ts";
import { claimLeftPaise } from "./lower-claim.ts";

/** The deduction of a buyer that paid net of tax before credit notes lowered its invoice, in paise. */
export interface ClaimByLedger {
  /** The tax that it deducted. */
  claimedPaise: number;
  /** The most that it can have deducted: what is open, plus what was credited of its payment and not refunded. */
  claimablePaise: number;
}

/**
 * What an order's claim for deducted tax would be now if the buyer had declared this deduction with the invoice. Tax on
 * a part that was credited after it had paid net of tax was deducted all the same. Null if something is written off,
 * which may have been that tax, and for a cancelled invoice.
 */
export async function claimByLedger(
  transaction: Transaction,
  order: Pick<typeof orders.$inferSelect, "id" | "owedPaise" | "amissPaise">,
  wholePaise: number,
): Promise<ClaimByLedger | null> {
  const entries = await transaction
    .select({ kind: ledgerEntries.kind, amountPaise: ledgerEntries.amountPaise })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.orderId, order.id))
    .orderBy(asc(ledgerEntries.id));
  const sumOf = (...kinds: string[]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  if (sumOf("write-off") !== 0 || sumOf("invoice cancelled") !== 0) return null;
  let [claimedPaise, invoicedPaise, herePaise, keptPaise] = [wholePaise, 0, 0, 0];
  for (const { kind, amountPaise } of entries)
    if (kind === "invoice") invoicedPaise += amountPaise;
    else if (kind === "payment" || kind === "refund") herePaise -= amountPaise;
    else if (kind === "credit note") {
      const creditPaise = -amountPaise;
      const leftPaise = claimLeftPaise({ claimedPaise, invoicedPaise, creditPaise, herePaise });
      if (leftPaise === claimedPaise) keptPaise += creditPaise;
      [claimedPaise, invoicedPaise] = [leftPaise, invoicedPaise - creditPaise];
    }
  return { claimedPaise, claimablePaise: owedBesideNothing(order) + keptPaise - sumOf("refund") };
}

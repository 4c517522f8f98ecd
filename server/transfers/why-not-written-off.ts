import { and, eq, isNotNull, lt, notExists, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, type orders, writeOffRequests } from "../database/schema/index.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import { writtenOffOf } from "../ledger/take-back-write-off.ts";
import type { PartPaid } from "./part-paid.ts";

type Order = typeof orders.$inferSelect;

/** Why so much of an order can't be written off; null if it can. */
export function whyNotWrittenOff(order: Order, partPaid: PartPaid | null, amountPaise: number): string | null {
  const number = orderNumber(order.serial);
  if (partPaid) return whyNotGivenUp(number, order, restPaiseOf(partPaid), amountPaise);
  const openPaise = owedBesideNothing(order);
  if (amountPaise <= openPaise) return null;
  return openPaise > 0
    ? `Of ${number}, ${formatRupees(openPaise)} are open, and no more can be written off.`
    : `${number} has nothing that is owed.`;
}

const restPaiseOf = ({ order: { amountPaise, deducts, owedPaise } }: PartPaid) =>
  amountPaise - (deducts?.amountPaise ?? 0) + owedPaise;

/** The rest of an open proforma is given up as bank charges only if it is small, and as a whole. */
function whyNotGivenUp(number: string, { amountPaise }: Order, restPaise: number, givenUpPaise: number): string | null {
  if (restPaise * 100 > amountPaise * limits.givenUpRestPercentMax)
    return `Of ${number}, ${formatRupees(restPaise)} are still to come, more than the ${limits.givenUpRestPercentMax}% that can be given up before its invoice.`;
  return givenUpPaise === restPaise
    ? null
    : `Of ${number}, ${formatRupees(restPaise)} are still to come. Before its invoice all of that can be given up, or nothing.`;
}

/** What single persons have written off of an order without a second person's consent. */
export function writtenOffAlonePaise(transaction: Transaction, orderId: string): Promise<number> {
  const consented = transaction
    .select({ one: sql`1` })
    .from(writeOffRequests)
    .where(eq(writeOffRequests.id, ledgerEntries.eventId));
  const alone = and(isNotNull(ledgerEntries.writtenBy), lt(ledgerEntries.amountPaise, 0), notExists(consented));
  return writtenOffOf(transaction, orderId, alone);
}

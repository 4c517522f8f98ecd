import { and, eq, gte, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { postEntry } from "./post-entry.ts";

/**
 * Takes back a write-off as far as money or a certificate for it has come after all: the sum was owed and is not a
 * credit of the customer. The caller has locked the order. Returns how much was taken back.
 * @param eventId the event that brought the money or certificate
 * @param since ignores what was written off earlier
 */
export async function takeBackWriteOff(
  { now }: Services,
  transaction: Transaction,
  {
    orderId,
    eventId,
    camePaise,
    reason,
    since,
  }: { orderId: string; eventId: string; camePaise: number; reason: string; since?: Date },
): Promise<number> {
  const amountPaise = Math.max(
    0,
    Math.min(camePaise, await writtenOffOf(transaction, orderId, since && gte(ledgerEntries.at, since))),
  );
  const about = "Write-off taken back";
  await postEntry(transaction, { orderId, kind: "write-off", eventId, amountPaise, about, reason, at: now() });
  return amountPaise;
}

/** What is written off of an order, less what was taken back; with a condition, by those entries alone. */
export async function writtenOffOf(transaction: Transaction, orderId: string, which?: SQL): Promise<number> {
  const [written] = await transaction
    .select({ paise: sql<string>`coalesce(-sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.orderId, orderId), eq(ledgerEntries.kind, "write-off"), which));
  return Number(written?.paise ?? 0);
}

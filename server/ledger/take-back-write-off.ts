import { and, eq, gte, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { postEntry } from "./post-entry.ts";

/**
 * Takes back what was written off of an order, as far as money or a certificate for it has come after all: it was owed, and is
 * no credit of the customer's. The order is locked. Answers how much of it that is.
 * @param eventId of what has come
 * @param since what was written off before has nothing to do with it
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
  const amountPaise = Math.max(0, Math.min(camePaise, await writtenOffOf(transaction, orderId, since)));
  const about = "Write-off taken back";
  await postEntry(transaction, { orderId, kind: "write-off", eventId, amountPaise, about, reason, at: now() });
  return amountPaise;
}

/** What is written off of an order, without what was taken back. */
export async function writtenOffOf(transaction: Transaction, orderId: string, since?: Date): Promise<number> {
  const [written] = await transaction
    .select({ paise: sql<string>`coalesce(-sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.orderId, orderId),
        eq(ledgerEntries.kind, "write-off"),
        since && gte(ledgerEntries.at, since),
      ),
    );
  return Number(written?.paise ?? 0);
}

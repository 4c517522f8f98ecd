import type { Transaction } from "../database/database.ts";
import { ledgerEntries } from "../database/schema/index.ts";

export type NewEntry = typeof ledgerEntries.$inferInsert;

/**
 * Enters an event into the ledger of its order, in the transaction of the event; an event that is there already is not
 * entered again. Above zero is owed, below zero was given.
 */
export async function postEntry(transaction: Transaction, entry: NewEntry): Promise<void> {
  if (entry.amountPaise === 0) return;
  await transaction
    .insert(ledgerEntries)
    .values(entry)
    .onConflictDoNothing({ target: [ledgerEntries.kind, ledgerEntries.eventId] });
}

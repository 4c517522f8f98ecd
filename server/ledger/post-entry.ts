import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, orders } from "../database/schema/index.ts";

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
  await showOwed(transaction, entry);
}

/** What an order shows that was bought against invoice and is not paid, by what is owed of it. */
export const invoicedState = (owedPaise: number) => (owedPaise > 0 ? "invoiced" : "closed");

/** An order against invoice is closed once nothing of it is owed any more, and open again when something is. */
async function showOwed(transaction: Transaction, { orderId, at }: NewEntry): Promise<void> {
  const [order] = await transaction
    .select({ owedPaise: orders.owedPaise, state: orders.state })
    .from(orders)
    .where(and(eq(orders.id, orderId), isNull(orders.paymentId), inArray(orders.state, ["invoiced", "closed"])));
  if (!order || order.state === invoicedState(order.owedPaise)) return;
  await transaction
    .update(orders)
    .set({ state: invoicedState(order.owedPaise), updatedAt: at })
    .where(eq(orders.id, orderId));
}

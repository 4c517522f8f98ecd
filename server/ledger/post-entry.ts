import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, orders } from "../database/schema/index.ts";
import { owedBesideNothing } from "./free-credit.ts";

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
export const invoicedState = (order: Parameters<typeof owedBesideNothing>[0]) =>
  owedBesideNothing(order) > 0 ? "invoiced" : "closed";

/** An order against invoice is closed once nothing of it is owed any more, and open again when something is. */
async function showOwed(transaction: Transaction, { orderId, at }: NewEntry): Promise<void> {
  const [order] = await transaction
    .select({ owedPaise: orders.owedPaise, amissPaise: orders.amissPaise, state: orders.state })
    .from(orders)
    .where(and(eq(orders.id, orderId), isNull(orders.paymentId), inArray(orders.state, ["invoiced", "closed"])));
  if (!order) return;
  const state = invoicedState(order);
  if (state !== order.state)
    await transaction.update(orders).set({ state, updatedAt: at }).where(eq(orders.id, orderId));
}

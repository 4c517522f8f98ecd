import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { ledgerEntries, orders } from "../database/schema/index.ts";
import { owedBesideNothing } from "./free-credit.ts";

export type NewEntry = typeof ledgerEntries.$inferInsert;

/**
 * Enters an event into its order's ledger, in the event's own transaction; does nothing if it is entered already.
 * Positive amounts are owed, negative ones were given.
 */
export async function postEntry(transaction: Transaction, entry: NewEntry): Promise<void> {
  if (entry.amountPaise === 0) return;
  await transaction
    .insert(ledgerEntries)
    .values(entry)
    .onConflictDoNothing({ target: [ledgerEntries.kind, ledgerEntries.eventId] });
  await showOwed(transaction, entry);
}

/** The state of an unpaid order bought against invoice, by what it owes. */
export const invoicedState = (order: Parameters<typeof owedBesideNothing>[0]) =>
  owedBesideNothing(order) > 0 ? "invoiced" : "closed";

/** Closes an order against invoice once it owes nothing, and reopens it when it owes something again. */
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

import { and, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { eInvoices, invoices, orders } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

/** The parts of a registration that are printed. */
export interface PrintedEInvoice {
  irn: string;
  ackNumber: string;
  ackAt: Date;
  signedQr: string;
}

/**
 * The registration to print on a document; null where it needs none. "waits" while it has no IRN: without one it is not
 * a valid invoice (rule 48(5)), so nothing is rendered or mailed.
 */
export async function printedEInvoice(
  database: Database,
  of: { invoiceId: string } | { creditNoteId: string },
): Promise<PrintedEInvoice | "waits" | null> {
  const [row] = await database
    .select()
    .from(eInvoices)
    .where("invoiceId" in of ? eq(eInvoices.invoiceId, of.invoiceId) : eq(eInvoices.creditNoteId, of.creditNoteId));
  if (!row) return null;
  const { irn, ackNumber, ackAt, signedQr } = row;
  return irn && ackNumber && ackAt && signedQr ? { irn, ackNumber, ackAt, signedQr } : "waits";
}

/** SQL condition on `invoices`: the invoice still waits for its IRN. */
export const invoiceWaits: SQL = sql`exists (select from e_invoices where invoice_id = invoices.id and irn is null)`;

/** The same for a statement about `credit_notes`. */
export const creditNoteWaits: SQL = sql`exists (select from e_invoices where credit_note_id = credit_notes.id and irn is null)`;

/** Whether an order's invoice was cancelled, so that there is nothing to credit. */
export async function hasCancelledInvoice(transaction: Transaction, orderId: string): Promise<boolean> {
  const [cancelled] = await transaction
    .select({ id: eInvoices.id })
    .from(eInvoices)
    .innerJoin(invoices, eq(invoices.id, eInvoices.invoiceId))
    .where(and(eq(invoices.orderId, orderId), eq(eInvoices.state, "cancelled")));
  return cancelled !== undefined;
}

/**
 * The same for code that is about to credit the invoice; locks the e-invoice, to take turns with the portal's answer.
 * @throws Failure conflict while the portal is being asked: the job that settles refunds tries again
 */
export async function isCancelledInvoice(transaction: Transaction, orderId: string): Promise<boolean> {
  const [row] = await transaction
    .select({ id: eInvoices.id, state: eInvoices.state, cancelAskedAt: eInvoices.cancelAskedAt })
    .from(eInvoices)
    .innerJoin(invoices, eq(invoices.id, eInvoices.invoiceId))
    .where(eq(invoices.orderId, orderId))
    .for("update", { of: eInvoices });
  if (!row || (row.state !== "cancelled" && !row.cancelAskedAt)) return false;
  if (row.state !== "cancelled")
    throw new Failure("conflict", "The portal is being asked to cancel the invoice of this order.");
  return true;
}

/** Clears the problem of an order's cancelled invoice once all money received for it has been refunded. */
export async function settleCancelled(transaction: Transaction, orderId: string): Promise<void> {
  const givenBack = transaction
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(and(eq(orders.id, orderId), gte(orders.owedPaise, 0)));
  await transaction
    .update(eInvoices)
    .set({ problem: null })
    .where(and(inArray(eInvoices.invoiceId, givenBack), eq(eInvoices.state, "cancelled")));
}

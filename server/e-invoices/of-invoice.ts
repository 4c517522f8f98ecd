import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { eInvoices, invoices } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

/** What is printed of a registration. */
export interface PrintedEInvoice {
  irn: string;
  ackNumber: string;
  ackAt: Date;
  signedQr: string;
}

/**
 * What a document prints of its registration; null where it needs none. "waits" while it has no number yet: without one such
 * a document is none (rule 48(5)), so that nothing is made or mailed.
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

/** Whether an invoice waits for its number, in a statement about `invoices`. */
export const invoiceWaits: SQL = sql`exists (select from e_invoices where invoice_id = invoices.id and irn is null)`;

/** The same of a credit note, in a statement about `credit_notes`. */
export const creditNoteWaits: SQL = sql`exists (select from e_invoices where credit_note_id = credit_notes.id and irn is null)`;

/**
 * Whether an order's invoice was cancelled: then there is nothing to credit. `isCancelledInvoice` would take what is still to do
 * about it as done, and fewer devices give no money back.
 */
export async function hasCancelledInvoice(transaction: Transaction, orderId: string): Promise<boolean> {
  const [cancelled] = await transaction
    .select({ id: eInvoices.id })
    .from(eInvoices)
    .innerJoin(invoices, eq(invoices.id, eInvoices.invoiceId))
    .where(and(eq(invoices.orderId, orderId), eq(eInvoices.state, "cancelled")));
  return cancelled !== undefined;
}

/**
 * Whether an order's invoice was cancelled at the portal: then there is nothing to credit. What still had to be done about it
 * is done by the money that goes back.
 * @throws Failure conflict while the portal is being asked: whoever settles refunds comes again
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
  await transaction.update(eInvoices).set({ problem: null }).where(eq(eInvoices.id, row.id));
  return true;
}

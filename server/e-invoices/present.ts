import { asc, eq, or } from "drizzle-orm";
import type { StaffEInvoice } from "../../contract/e-invoices.ts";
import { creditNotes, eInvoices, invoices } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { cancelUntil } from "./cancel-e-invoice.ts";
import { reasonSentence } from "./reasons.ts";

export type EInvoiceRow = typeof eInvoices.$inferSelect;

/**
 * The registrations of an order's invoice and credit notes. The caller has checked that the user's scope includes the
 * order.
 */
export async function findEInvoices({ database }: Services, orderId: string): Promise<EInvoiceRow[]> {
  const found = await database
    .selectDistinct({ row: eInvoices })
    .from(invoices)
    .leftJoin(creditNotes, eq(creditNotes.invoiceId, invoices.id))
    .innerJoin(eInvoices, or(eq(eInvoices.invoiceId, invoices.id), eq(eInvoices.creditNoteId, creditNotes.id)))
    .where(eq(invoices.orderId, orderId))
    .orderBy(asc(eInvoices.id));
  return found.map(({ row }) => row);
}

export function presentEInvoice(row: EInvoiceRow, now: Date): StaffEInvoice {
  const until = cancelUntil(row);
  const stillTo = (end: Date | undefined) => (end && end > now ? end.toISOString() : null);
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    irn: row.irn,
    ack_number: row.ackNumber,
    ack_at: row.ackAt?.toISOString() ?? null,
    reasons: row.reasons.map(reasonSentence),
    cancel_until: stillTo(until?.asked),
    record_until: stillTo(until?.told),
    cancel_asked_at: row.state === "cancelled" ? null : (row.cancelAskedAt?.toISOString() ?? null),
  };
}

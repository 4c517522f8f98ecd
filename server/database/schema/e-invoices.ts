import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { CancelReason } from "../../../contract/cancel-reasons.ts";
import type { EInvoiceState } from "../../../contract/e-invoices.ts";
import { people } from "./accounts.ts";
import { creditNotes } from "./billing.ts";
import { id, instant } from "./columns.ts";
import { invoices } from "./invoices.ts";

/** The registration of an invoice or credit note with the government's portal; documents that need none have no row. */
export const eInvoices = pgTable(
  "e_invoices",
  {
    id: id(),
    invoiceId: uuid()
      .unique()
      .references(() => invoices.id, { onDelete: "cascade" }),
    creditNoteId: uuid()
      .unique()
      .references(() => creditNotes.id, { onDelete: "cascade" }),
    /** The document's number. */
    number: text().notNull().unique(),
    state: text().$type<EInvoiceState>().notNull(),
    dueAt: instant().notNull(),
    /** When to ask the portal next; null when there is nothing left to learn. */
    nextAskAt: instant(),
    /** When it was last sent: the portal may have it even though no answer came. */
    sentAt: instant(),
    /** How often in a row the portal gave no answer. */
    failures: integer().notNull().default(0),
    /** Why it was refused. */
    reasons: jsonb().$type<{ code: string; text: string }[]>().notNull().default([]),
    irn: text().unique(),
    ackNumber: text(),
    ackAt: instant(),
    /** The content of the printed QR code. */
    signedQr: text(),
    signedInvoice: text(),
    /** Who asked to cancel it; the portal answers later. */
    cancelAskedBy: uuid().references(() => people.id),
    cancelAskedAt: instant(),
    cancelReason: text().$type<CancelReason>(),
    cancelRemark: text(),
    cancelledAt: instant(),
    /** Why the staff must act; shown in the action queue. */
    problem: text(),
  },
  (table) => [
    index("e_invoices_due")
      .on(table.nextAskAt)
      .where(sql`next_ask_at is not null`),
    check("e_invoices_of_one_document", sql`num_nonnulls(invoice_id, credit_note_id) = 1`),
    check(
      "e_invoices_registered_with_number",
      sql`state not in ('registered', 'cancelled') or (irn is not null and signed_qr is not null and ack_at is not null)`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant, paise } from "./columns.ts";
import { invoices, type InvoiceContent } from "./invoices.ts";

/** How a supply is taxed; each is a row of `server/billing/tax-rules.ts`. */
export type Treatment =
  | "within the state"
  | "to another state"
  | "SEZ with tax"
  | "SEZ under undertaking"
  | "export with tax"
  | "export under undertaking";

export interface Tax {
  name: "CGST" | "SGST" | "UTGST" | "IGST";
  basisPoints: number;
  amountPaise: number;
}

/** The tax on a sum and the reason for it; frozen with an order. */
export interface TaxSplit {
  treatment: Treatment;
  /** GST state code; "96" outside India, as in the GST returns. */
  placeOfSupply: string;
  taxablePaise: number;
  taxes: Tax[];
  /** What the document adds to reach whole rupees; negative if it subtracts. */
  roundOffPaise: number;
  totalPaise: number;
  /** Sentences that the law requires on the document. */
  sentences: string[];
}

/** The last number of each financial year, as in `invoice_series`. */
export const creditNoteSeries = pgTable("credit_note_series", {
  /** For example 26-27. */
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
  lastIssuedAt: instant(),
});

/** What a credit note says, frozen when it is made. */
export interface CreditNoteContent extends Pick<
  InvoiceContent,
  "supplier" | "cin" | "billTo" | "placeOfSupply" | "treatment" | "sentences" | "taxes" | "taxablePaise" | "totalPaise"
> {
  invoiceNumber: string;
  /** As 2026-11-22, the day in India. */
  invoiceDay: string;
  sac: string;
  description: string;
  roundOffPaise: number;
  reason: string;
}

/** Credits against an invoice; together never more than its total. */
export const creditNotes = pgTable(
  "credit_notes",
  {
    id: id(),
    invoiceId: uuid()
      .notNull()
      .references(() => invoices.id),
    financialYear: text().notNull(),
    serial: integer().notNull(),
    /** CN/26-27/00001, at most 16 characters. */
    number: text().notNull().unique(),
    amountPaise: paise().notNull(),
    /** What caused it, such as refund:ID; unique, so that one cause makes one note. */
    cause: text().unique(),
    content: jsonb().$type<CreditNoteContent>().notNull(),
    issuedAt: instant().notNull(),
    /** Name of the PDF in the file store; null until it is made. */
    file: text().unique(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.invoiceId),
    index("credit_notes_by_time").on(table.issuedAt, table.id),
    unique("credit_notes_series").on(table.financialYear, table.serial),
    index("credit_notes_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
    check("credit_notes_of_something", sql`amount_paise > 0`),
  ],
);

import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import type { CertificateState, LedgerKind } from "../../../contract/receivables.ts";
import { people } from "./accounts.ts";
import { createdAt, id, instant, paise } from "./columns.ts";
import { orders } from "./orders.ts";

/**
 * What an order owes, event by event: positive amounts are owed, negative ones were paid or credited. An entry never
 * changes. The customer follows from the order, which a merge of two customers moves.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    kind: text().$type<LedgerKind>().notNull(),
    /** The id of the invoice, payment, credit note, refund or claim, which is entered once. */
    eventId: uuid().notNull(),
    amountPaise: paise().notNull(),
    /** When it is due; for an invoice, and for deducted tax that is owed again. */
    dueOn: date(),
    /** The event's name for people, such as the number of its document. */
    about: text().notNull(),
    /** For a write-off, and for a credit that was returned by hand. */
    reason: text().notNull().default(""),
    writtenBy: uuid().references(() => people.id),
    at: instant().notNull(),
  },
  (table) => [
    unique("ledger_entries_once").on(table.kind, table.eventId),
    index().on(table.orderId, table.at),
    check("ledger_entries_of_something", sql`amount_paise <> 0`),
  ],
);

/** Tax that a customer deducted at source: claimed with the invoice, open until its certificate is matched. */
export const taxDeductions = pgTable(
  "tax_deductions",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .unique()
      .references(() => orders.id),
    /** Section of the Income-tax Act, as the customer named it. */
    section: text().notNull(),
    basisPoints: integer().notNull(),
    amountPaise: paise().notNull(),
    state: text().$type<CertificateState>().notNull().default("awaited"),
    claimedAt: createdAt(),
    certificateNumber: text(),
    /** For example 2026-27 Q3. */
    quarter: text(),
    certificatePaise: paise(),
    /** Name of the uploaded certificate in the file store. */
    file: text().unique(),
    uploadedBy: uuid().references(() => people.id),
    uploadedAt: instant(),
    refusal: text().notNull().default(""),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant(),
    /** Since when it is owed because no certificate came; a certificate matched later settles it after all. */
    debtSince: instant(),
    debtBy: uuid().references(() => people.id),
    debtReason: text().notNull().default(""),
    /** Whether a certificate is still to come or to be checked; of a cancelled invoice, only an uploaded one. */
    isOpen: boolean()
      .notNull()
      .generatedAlwaysAs(
        sql`state = 'uploaded' or state in ('awaited', 'refused') and (debt_since is null or debt_by is not null)`,
      ),
    /** Sorts the list of open claims: 1000 years are added for an uploaded certificate, so that it comes first. */
    rankedAt: timestamp()
      .notNull()
      .generatedAlwaysAs(
        sql`claimed_at at time zone 'UTC' + case when state = 'uploaded' then interval '1000 years' else interval '0' end`,
      ),
    /** Copies that triggers maintain, as in `orders`. */
    organisationName: text().notNull().default(""),
    orderNumber: text().notNull().default(""),
    invoiceNumber: text().notNull().default(""),
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(invoice_number || ' ' || order_number || ' ' || organisation_name || ' ' || coalesce(certificate_number, '') || ' ' || coalesce(quarter, ''))`,
      ),
  },
  (table) => [
    index("tax_deductions_open")
      .on(table.rankedAt, table.id)
      .where(sql`is_open`),
    index("tax_deductions_open_by_amount")
      .on(table.amountPaise, table.id)
      .where(sql`is_open`),
    index("tax_deductions_open_by_organisation")
      .on(sql`lower(organisation_name)`, table.id)
      .where(sql`is_open`),
    index("tax_deductions_open_searched")
      .using("gin", table.searched.op("gin_trgm_ops"))
      .where(sql`is_open`),
  ],
);

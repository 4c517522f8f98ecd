import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import type { CertificateState, LedgerKind } from "../../../contract/receivables.ts";
import { people } from "./accounts.ts";
import { createdAt, id, instant, paise } from "./columns.ts";
import { orders } from "./orders.ts";

/**
 * What an order owes, event by event: above zero what is owed, below zero what was given. An entry is never changed. Whose it
 * is follows from its order, which a merge of two customers moves.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    kind: text().$type<LedgerKind>().notNull(),
    /** The invoice, payment, credit note, refund or claim: each is entered once. */
    eventId: uuid().notNull(),
    amountPaise: paise().notNull(),
    /** Of an invoice, and of deducted tax that is owed again: until when it is to be paid. */
    dueOn: date(),
    /** What people call the event, such as the number of its document. */
    about: text().notNull(),
    /** Of a write-off, and of a credit that was given back by hand. */
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
    /** Of the Income-tax Act, as the customer named it. */
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
    /** Why it was refused. */
    refusal: text().notNull().default(""),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant(),
    /** Since then it is owed, as no certificate came; one that is matched later settles it again. */
    debtSince: instant(),
    debtBy: uuid().references(() => people.id),
    debtReason: text().notNull().default(""),
    /** Whether a certificate is still to come or to be compared; of a cancelled invoice only one that was uploaded is. */
    isOpen: boolean()
      .notNull()
      .generatedAlwaysAs(
        sql`state = 'uploaded' or state in ('awaited', 'refused') and (debt_since is null or debt_by is not null)`,
      ),
    /** What the list of the open ones goes by: what was uploaded stands before all others, as if it were of another age. */
    rankedAt: timestamp()
      .notNull()
      .generatedAlwaysAs(
        sql`claimed_at at time zone 'UTC' + case when state = 'uploaded' then interval '1000 years' else interval '0' end`,
      ),
    /** Copies that triggers keep true, as in `orders`. */
    organisationName: text().notNull().default(""),
    orderNumber: text().notNull().default(""),
    invoiceNumber: text().notNull().default(""),
    /** What a search looks through, in lower case. */
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

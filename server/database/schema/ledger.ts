import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
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
  },
  (table) => [index("tax_deductions_in_state").on(table.state, table.uploadedAt)],
);

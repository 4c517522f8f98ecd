import { sql } from "drizzle-orm";
import { check, date, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { TransferState } from "../../../contract/receivables.ts";
import type { BankAccount } from "../../../contract/seller.ts";
import { people } from "./accounts.ts";
import type { TaxSplit } from "./billing.ts";
import { createdAt, id, instant, paise } from "./columns.ts";
import type { TaxDeducted } from "./bill-to.ts";
import type { InvoiceContent } from "./invoices.ts";
import { orders } from "./orders.ts";

/** The last number of each financial year, as in `invoice_series`. */
export const proformaSeries = pgTable("proforma_series", {
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
  lastIssuedAt: instant(),
});
export const receiptSeries = pgTable("receipt_series", {
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
  lastIssuedAt: instant(),
});

/** What a proforma invoice says, frozen when it is made. */
export interface ProformaContent extends Omit<InvoiceContent, "paymentId" | "transfers" | "dueOn" | "taxDeducted"> {
  bank: BankAccount;
  taxDeducted?: TaxDeducted;
  /** The amount to transfer: the total without the tax to be deducted. */
  payPaise: number;
}

/** Asks for a transfer. It is not a tax invoice and creates no debt. */
export const proformas = pgTable(
  "proformas",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    financialYear: text().notNull(),
    serial: integer().notNull(),
    /** PF/26-27/0001. */
    number: text().notNull().unique(),
    /** What the payer writes into the transfer, such as PF2627000001. */
    reference: text().notNull().unique(),
    state: text({ enum: ["open", "paid", "void"] })
      .notNull()
      .default("open"),
    payPaise: paise().notNull(),
    content: jsonb().$type<ProformaContent>().notNull(),
    dueOn: date().notNull(),
    issuedAt: instant().notNull(),
    closedAt: instant(),
    /** Why it is void. */
    closedBecause: text().notNull().default(""),
    /** Name of the PDF in the file store; null until it is made. */
    file: text().unique(),
  },
  (table) => [
    unique("proformas_series").on(table.financialYear, table.serial),
    uniqueIndex("proformas_one_open")
      .on(table.orderId)
      .where(sql`state = 'open'`),
    index().on(table.orderId),
    index("proformas_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
  ],
);

/** An imported bank statement. */
export const bankStatements = pgTable("bank_statements", {
  id: id(),
  /** SHA-256 of its bytes: the same file is imported once. */
  hash: text().notNull().unique(),
  name: text().notNull(),
  uploadedBy: uuid()
    .notNull()
    .references(() => people.id),
  uploadedAt: createdAt(),
});

/** Transfers that wait for a person. Shared, because PostgreSQL uses a partial index only for its exact condition. */
const unmatched = sql`state in ('announced', 'seen')`;

/** The states in which a transfer is assigned to an order and in its ledger. */
export const enteredStates: TransferState[] = ["matched", "partly_matched"];

/** Money that comes by bank transfer. */
export const transfers = pgTable(
  "transfers",
  {
    id: id(),
    /** The bank's own reference, in capital letters; unique, so that no transfer is entered twice. */
    utr: text().notNull().unique(),
    state: text().$type<TransferState>().notNull(),
    /** The order that it pays; null until that is known. */
    orderId: uuid().references(() => orders.id),
    amountPaise: paise().notNull(),
    receivedOn: date().notNull(),
    payer: text().notNull().default(""),
    /** The text on the bank statement. */
    narration: text().notNull().default(""),
    statementId: uuid().references(() => bankStatements.id),
    announcedBy: uuid().references(() => people.id),
    /** Null if it came from a statement. */
    recordedBy: uuid().references(() => people.id),
    createdAt: createdAt(),
    matchedAt: instant(),
    /** The part beyond what was to be paid. */
    excessPaise: paise().notNull().default(0),
    /** Why it is no customer's money; empty unless it is set aside. */
    asideBecause: text().notNull().default(""),
    /** Its order's number, copied by a trigger; empty while it has no order. */
    orderNumber: text().notNull().default(""),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(utr || ' ' || payer || ' ' || narration || ' ' || order_number)`),
  },
  (table) => [
    index().on(table.orderId),
    index("transfers_by_day").on(table.receivedOn, table.id),
    index("transfers_by_amount").on(table.amountPaise, table.id),
    index("transfers_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("transfers_unmatched").on(table.id).where(unmatched),
    index("transfers_unmatched_by_day").on(table.receivedOn, table.id).where(unmatched),
    index("transfers_unmatched_by_amount").on(table.amountPaise, table.id).where(unmatched),
    index("transfers_unmatched_searched").using("gin", table.searched.op("gin_trgm_ops")).where(unmatched),
    check("transfers_of_money", sql`amount_paise > 0`),
    check("transfers_matched_to_an_order", sql`state in ('announced', 'seen', 'set_aside') or order_id is not null`),
    check("transfers_set_aside", sql`state <> 'set_aside' or (order_id is null and aside_because <> '')`),
  ],
);

/** What a receipt for an advance says, frozen when it is made: rule 50 of the CGST Rules. */
export interface ReceiptContent
  extends
    Pick<
      InvoiceContent,
      "supplier" | "cin" | "billTo" | "placeOfSupply" | "treatment" | "sentences" | "orderNumber" | "quoteNumber"
    >,
    Pick<TaxSplit, "taxes" | "taxablePaise" | "roundOffPaise" | "totalPaise"> {
  description: string;
  sac: string;
  utr: string;
  /** As 2026-11-22. */
  receivedOn: string;
}

/** Receipts for money that came before the invoice. */
export const receipts = pgTable(
  "receipts",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    transferId: uuid()
      .notNull()
      .unique()
      .references(() => transfers.id),
    financialYear: text().notNull(),
    serial: integer().notNull(),
    /** RV/26-27/0001. */
    number: text().notNull().unique(),
    content: jsonb().$type<ReceiptContent>().notNull(),
    issuedAt: instant().notNull(),
    /** Name of the PDF in the file store; null until it is made. */
    file: text().unique(),
  },
  (table) => [
    unique("receipts_series").on(table.financialYear, table.serial),
    index().on(table.orderId),
    index("receipts_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
  ],
);

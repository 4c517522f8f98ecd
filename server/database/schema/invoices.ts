import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { Brand } from "../../../contract/brand.ts";
import type { BankAccount } from "../../../contract/seller.ts";
import type { BillTo, TaxDeducted } from "./bill-to.ts";
import type { Tax, Treatment } from "./billing.ts";
import { id, instant } from "./columns.ts";
import { orders } from "./orders.ts";
import type { QuoteTerm } from "./quotes.ts";

/** A transfer that paid an order before its invoice. */
export interface PayingTransfer {
  utr: string;
  /** The day at the bank, as 2026-11-22. */
  receivedOn: string;
  amountPaise: number;
  /** The part that pays the order, without any excess or what was returned before. */
  paysPaise: number;
}

/** What the invoice says, frozen when it is made. */
export interface InvoiceContent {
  /** The supplier as of then; missing on invoices from before site texts could be changed. */
  supplier?: Brand;
  /** Corporate identity number of the supplier. */
  cin?: string;
  billTo: BillTo;
  /** GST state code; "96" outside India. */
  placeOfSupply: string;
  /** The fields from here on are missing on invoices from before they were stored. */
  treatment?: Treatment;
  /** Sentences that the law requires on the invoice. */
  sentences?: string[];
  /** First and last day of the service, as 2026-11-22. */
  period?: { from: string; to: string };
  /** For a change or a renewal of a contract. */
  term?: QuoteTerm;
  quoteNumber?: string;
  orderNumber?: string;
  roundOffPaise?: number;
  lines: { description: string; sac: string; quantity: number; ratePaise: number; amountPaise: number }[];
  subtotalPaise: number;
  discountPaise: number;
  taxablePaise: number;
  taxes: Tax[];
  totalPaise: number;
  /** Empty if it is to be paid by `dueOn`; of several transfers, the one that completed the payment. */
  paymentId: string;
  /** All transfers that paid it, by day; missing if none did, and on invoices from before they were stored. */
  transfers?: PayingTransfer[];
  /** As 2026-12-22; set if it was issued before it was paid. */
  dueOn?: string;
  /** The account to pay it to. */
  bank?: BankAccount;
  /** What the buyer deducts from it and pays to the government on our behalf. */
  taxDeducted?: TaxDeducted;
  /** A small remainder that was never paid, and was waived when the rest had arrived. */
  givenUpPaise?: number;
}

export const invoices = pgTable(
  "invoices",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .unique()
      .references(() => orders.id),
    financialYear: text().notNull(),
    serial: integer().notNull(),
    /** SOC/26-27/000123, at most 16 characters. */
    number: text().notNull().unique(),
    content: jsonb().$type<InvoiceContent>().notNull(),
    issuedAt: instant().notNull(),
    /** Name of the PDF in the file store; null until it is made. */
    file: text().unique(),
  },
  (table) => [
    unique("invoices_series").on(table.financialYear, table.serial),
    index("invoices_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
  ],
);

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
  /** At the bank, as 2026-11-22. */
  receivedOn: string;
  amountPaise: number;
  /** What of it pays the order: not what came on top, nor what went back before. */
  paysPaise: number;
}

/** What the invoice says, frozen when it was made. */
export interface InvoiceContent {
  /** Who issued it, as it was then; invoices from before site texts could be changed have none. */
  supplier?: Brand;
  /** Corporate identity number of the supplier. */
  cin?: string;
  billTo: BillTo;
  /** GST state code; "96" outside India. */
  placeOfSupply: string;
  /** This and what follows is missing on those from before it was kept. */
  treatment?: Treatment;
  /** What the law wants the invoice to say. */
  sentences?: string[];
  /** First and last day of the service, as 2026-11-22. */
  period?: { from: string; to: string };
  /** Of what changes a contract, or goes on from one. */
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
  /** Empty where it is to be paid by `dueOn`; of several transfers the one with which all had come. */
  paymentId: string;
  /** All transfers that paid it, by their days; missing where none did, and on those from before they were kept. */
  transfers?: PayingTransfer[];
  /** As 2026-12-22: it was issued before it was paid. */
  dueOn?: string;
  /** Where to it is to be paid. */
  bank?: BankAccount;
  /** The buyer keeps this of it, and pays it to the government for us. */
  taxDeducted?: TaxDeducted;
  /** This small rest never came, and was given up when the rest had. */
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
    /** Name of the PDF in the file store; null while it is being made. */
    file: text().unique(),
  },
  (table) => [
    unique("invoices_series").on(table.financialYear, table.serial),
    index("invoices_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
  ],
);

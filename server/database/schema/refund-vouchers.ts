import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";
import { orders } from "./orders.ts";
import { refunds } from "./refunds.ts";
import { type ReceiptContent, receipts } from "./transfers.ts";

/** The last number of each financial year, as in `invoice_series`. */
export const refundVoucherSeries = pgTable("refund_voucher_series", {
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
  lastIssuedAt: instant(),
});

/** What a refund voucher says, frozen when it is made: rule 51 of the CGST Rules. */
export interface RefundVoucherContent extends Omit<ReceiptContent, "utr" | "receivedOn"> {
  receiptNumber: string;
  /** As 2026-11-22, the day in India. */
  receiptDay: string;
  /** The bank's reference and the day of the transfer that returned the money. */
  bankReference: string;
  paidOn: string;
  /** Whether it was entered again for another order, by that reference, instead of being returned. */
  isMoved?: boolean;
}

/** For an advance, or a part of one, returned before there was an invoice: one for each receipt voucher of a refund. */
export const refundVouchers = pgTable(
  "refund_vouchers",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    receiptId: uuid()
      .notNull()
      .references(() => receipts.id),
    refundId: uuid()
      .notNull()
      .references(() => refunds.id),
    financialYear: text().notNull(),
    serial: integer().notNull(),
    /** RF/26-27/0001. */
    number: text().notNull().unique(),
    content: jsonb().$type<RefundVoucherContent>().notNull(),
    issuedAt: instant().notNull(),
    /** Name of the PDF in the file store; null until it is made. */
    file: text().unique(),
  },
  (table) => [
    unique("refund_vouchers_series").on(table.financialYear, table.serial),
    unique("refund_vouchers_once").on(table.refundId, table.receiptId),
    index().on(table.orderId),
    index().on(table.receiptId),
    index("refund_vouchers_without_file")
      .on(table.issuedAt)
      .where(sql`file is null`),
  ],
);

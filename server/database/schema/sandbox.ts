import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns.ts";

export interface SandboxRefund {
  requestId: string;
  token: string;
  /** Rupees with two decimals. */
  amount: string;
  /** When it was asked for, in ISO 8601; missing in entries from before this was stored. */
  at?: string;
}

/** The sandbox gateway's own records, which the product never reads. */
export const sandboxTransactions = pgTable("sandbox_transactions", {
  reference: text().primaryKey(),
  gatewayPaymentId: text().notNull().unique(),
  status: text().$type<"success" | "failure" | "pending">().notNull(),
  unmappedStatus: text().notNull(),
  /** The form as the browser posted it. */
  form: jsonb().$type<Record<string, string>>().notNull(),
  refunds: jsonb().$type<SandboxRefund[]>().notNull().default([]),
  createdAt: createdAt(),
});

/** Documents registered by the stand-in for the invoice registration portal. */
export const sandboxEInvoices = pgTable("sandbox_e_invoices", {
  irn: text().primaryKey(),
  ackNumber: text().notNull(),
  ackAt: instant().notNull(),
  signedQr: text().notNull(),
  signedInvoice: text().notNull(),
  cancelledAt: instant(),
});

import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns.ts";

export interface SandboxRefund {
  requestId: string;
  token: string;
  /** Rupees with two decimals. */
  amount: string;
  /** When it was asked for, as ISO 8601; missing in those from before this was kept. */
  at?: string;
}

/** What the sandbox gateway knows: its own records, never read by the product. */
export const sandboxTransactions = pgTable("sandbox_transactions", {
  reference: text().primaryKey(),
  gatewayPaymentId: text().notNull().unique(),
  status: text().$type<"success" | "failure" | "pending">().notNull(),
  unmappedStatus: text().notNull(),
  /** The form as the browser brought it. */
  form: jsonb().$type<Record<string, string>>().notNull(),
  refunds: jsonb().$type<SandboxRefund[]>().notNull().default([]),
  createdAt: createdAt(),
});

/** What the stand-in of the invoice registration portal has registered. */
export const sandboxEInvoices = pgTable("sandbox_e_invoices", {
  irn: text().primaryKey(),
  ackNumber: text().notNull(),
  ackAt: instant().notNull(),
  signedQr: text().notNull(),
  signedInvoice: text().notNull(),
  cancelledAt: instant(),
});

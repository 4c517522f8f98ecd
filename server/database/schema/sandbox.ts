import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt } from "./columns.ts";

/** What the sandbox gateway knows: its own records, never read by the product. */
export const sandboxTransactions = pgTable("sandbox_transactions", {
  reference: text().primaryKey(),
  gatewayPaymentId: text().notNull().unique(),
  status: text().$type<"success" | "failure" | "pending">().notNull(),
  unmappedStatus: text().notNull(),
  /** The form as the browser brought it. */
  form: jsonb().$type<Record<string, string>>().notNull(),
  createdAt: createdAt(),
});

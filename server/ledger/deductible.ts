import { sql } from "drizzle-orm";
import { creditNotes, invoices, type orders } from "../database/schema/index.ts";

/** In a question about invoices: what credit notes have taken back of each. */
export const creditedPaise = sql<string>`(
  select coalesce(sum(amount_paise), 0) from ${creditNotes} where invoice_id = ${invoices}.id)`;

/**
 * Of how much, in paise, of an invoice that is not paid its buyer can say that tax is deducted: its value without GST, and of that
 * the share that is not credited. Null where nothing is to be paid of it. That nothing was said before is for the caller to know.
 */
export function deductibleOfPaise(
  order: Pick<typeof orders.$inferSelect, "state" | "tax">,
  invoice: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
): number | null {
  return order.state === "invoiced" && order.tax !== null ? leftOfTaxablePaise(order, invoice, paiseCredited) : null;
}

/** The value of an invoice without GST, in paise, of which so much is credited. */
export const leftOfTaxablePaise = (
  { tax }: Pick<typeof orders.$inferSelect, "tax">,
  { content: { totalPaise } }: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
): number => Math.round((tax?.taxablePaise ?? 0) * ((totalPaise - paiseCredited) / totalPaise));

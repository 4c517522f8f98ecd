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
  { state, tax }: Pick<typeof orders.$inferSelect, "state" | "tax">,
  { content: { totalPaise } }: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
): number | null {
  if (state !== "invoiced" || tax === null) return null;
  return Math.round(tax.taxablePaise * ((totalPaise - paiseCredited) / totalPaise));
}

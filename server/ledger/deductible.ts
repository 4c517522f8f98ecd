import { sql } from "drizzle-orm";
import { creditNotes, invoices, ledgerEntries, orders } from "../database/schema/index.ts";

/** In a question about invoices: what credit notes have taken back of each. */
export const creditedPaise = sql<string>`(
  select coalesce(sum(amount_paise), 0) from ${creditNotes} where invoice_id = ${invoices}.id)`;

/** In a question about orders: whether one is closed by money and credit notes alone, so that its buyer may have paid net of tax. */
export const isClosedByCredit = sql<boolean>`${orders}.state = 'closed' and (
  select count(*) filter (where kind = 'payment') > 0 and count(*) filter (where kind = 'credit note') > 0
      and count(*) filter (where kind = 'invoice cancelled') = 0
      and coalesce(sum(amount_paise) filter (where kind = 'write-off'), 0) = 0
    from ${ledgerEntries} where order_id = ${orders}.id)`;

/**
 * Of how much, in paise, of an invoice that is not paid its buyer can say that tax is deducted: its value without GST, and of that
 * the share that is not credited. Null where nothing is to be paid of it, unless credit notes and money alone have closed it. That
 * nothing was said before is for the caller to know.
 */
export function deductibleOfPaise(
  order: Pick<typeof orders.$inferSelect, "state" | "tax">,
  invoice: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
  isByCredit: boolean,
): number | null {
  return (order.state === "invoiced" || isByCredit) && order.tax !== null
    ? leftOfTaxablePaise(order, invoice, paiseCredited)
    : null;
}

/** The value of an invoice without GST, in paise, of which so much is credited. */
export const leftOfTaxablePaise = (
  { tax }: Pick<typeof orders.$inferSelect, "tax">,
  { content: { totalPaise } }: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
): number => Math.round((tax?.taxablePaise ?? 0) * ((totalPaise - paiseCredited) / totalPaise));

import { sql } from "drizzle-orm";
import { creditNotes, invoices, ledgerEntries, orders } from "../database/schema/index.ts";

/** For queries on invoices: how much of each was taken back by credit notes. */
export const creditedPaise = sql<string>`(
  select coalesce(sum(amount_paise), 0) from ${creditNotes} where invoice_id = ${invoices}.id)`;

/**
 * For queries on orders: whether an order was closed by money and credit notes alone, so that its buyer may have paid
 * net of tax.
 */
export const isClosedByCredit = sql<boolean>`${orders}.state = 'closed' and (
  select count(*) filter (where kind = 'payment') > 0 and count(*) filter (where kind = 'credit note') > 0
      and count(*) filter (where kind = 'invoice cancelled') = 0
      and coalesce(sum(amount_paise) filter (where kind = 'write-off'), 0) = 0
    from ${ledgerEntries} where order_id = ${orders}.id)`;

/**
 * The part of an unpaid invoice, in paise, on which its buyer can declare a tax deduction: the value without GST, less
 * the credited share. Null if nothing is due on it, unless credit notes and money alone closed it. The caller checks
 * that nothing was declared before.
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

/** The value of an invoice without GST, in paise, less the share that is credited. */
export const leftOfTaxablePaise = (
  { tax }: Pick<typeof orders.$inferSelect, "tax">,
  { content: { totalPaise } }: Pick<typeof invoices.$inferSelect, "content">,
  paiseCredited: number,
): number => Math.round((tax?.taxablePaise ?? 0) * ((totalPaise - paiseCredited) / totalPaise));

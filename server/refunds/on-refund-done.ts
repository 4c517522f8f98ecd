import { eq } from "drizzle-orm";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { issueCreditNote, leftToCredit } from "../billing/credit-notes.ts";
import { issueRefundVouchers } from "../billing/refund-vouchers.ts";
import { hasCancelledInvoice, isCancelledInvoice } from "../e-invoices/of-invoice.ts";
import type { Transaction } from "../database/database.ts";
import { invoices, type orders, type refunds } from "../database/schema/index.ts";
import { noteFindings } from "../orders/findings.ts";
import type { Services } from "../services.ts";

/** Money of a paid order that has gone back. */
export interface RefundDone {
  order: typeof orders.$inferSelect;
  refund: typeof refunds.$inferSelect;
  /** What of it the invoice is credited with: all but what was the customer's anyway. */
  creditPaise: number;
}

/**
 * THE place for what follows from money of a paid order that has gone back, once for each refund and in the transaction
 * that notes it: its refund vouchers where it was an advance, also of an invoice that was cancelled, otherwise its credit note,
 * unless that was issued before. What came on top of what the order costs has no invoice, and is credited by nothing.
 */
export async function onRefundDone(
  services: Services,
  transaction: Transaction,
  { order, refund, creditPaise }: RefundDone,
): Promise<void> {
  if ((await transaction.$count(invoices, eq(invoices.orderId, order.id))) === 0)
    return issueRefundVouchers(services, transaction, refund);
  if (refund.attemptId === null && (await hasCancelledInvoice(transaction, order.id)))
    await issueRefundVouchers(services, transaction, refund);
  if (creditPaise === 0 || refund.creditNoteId !== null || (await isCancelledInvoice(transaction, order.id))) return;
  // The money is gone, whatever is left to be credited: it is booked, and a person looks at the rest.
  const amountPaise = Math.max(0, Math.min(creditPaise, await leftToCredit(transaction, order.id)));
  if (amountPaise < creditPaise) {
    const rest = formatRupees(creditPaise - amountPaise);
    const says = `${formatRupees(refund.amountPaise)} went back, ${rest} of it beyond what was left of the invoice: there is no credit note over that.`;
    await noteFindings(transaction, [{ kind: "refund differs", key: `${refund.id}:credit note`, says, order }]);
  }
  if (amountPaise === 0) return;
  await issueCreditNote(services, transaction, {
    orderId: order.id,
    amountPaise,
    // What our people wrote about it is for them.
    reason: `Money given back for the order ${orderNumber(order.serial)}.`,
    cause: `refund:${refund.id}`,
    actorId: refund.askedBy,
  });
}

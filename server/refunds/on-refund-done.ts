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
  /** The part to issue a credit note for: all except what was the customer's credit anyway, in paise. */
  creditPaise: number;
}

/**
 * Everything that follows when money of a paid order has gone back: here only, once for each refund, and in the
 * transaction that notes it. An advance, also of a cancelled invoice, gets refund vouchers; other money gets a credit
 * note unless one was issued before. An overpayment was never invoiced and needs neither.
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
  // The money is gone even if less is left to credit, so it is booked and a person looks at the rest.
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
    // The reason that our staff wrote is for internal use.
    reason: refund.movedFrom
      ? `Money taken off the order ${orderNumber(order.serial)}, as it belongs to another one.`
      : `Money given back for the order ${orderNumber(order.serial)}.`,
    cause: `refund:${refund.id}`,
    actorId: refund.askedBy,
  });
}

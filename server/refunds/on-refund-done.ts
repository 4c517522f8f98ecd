import { orderNumber } from "../../contract/numbers.ts";
import { issueCreditNote } from "../billing/credit-notes.ts";
import { isCancelledInvoice } from "../e-invoices/of-invoice.ts";
import type { Transaction } from "../database/database.ts";
import type { orders, refunds } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Money of a paid order that has gone back. */
export interface RefundDone {
  order: typeof orders.$inferSelect;
  refund: typeof refunds.$inferSelect;
}

/**
 * THE place for what follows from money of a paid order that has gone back, once for each refund and in the transaction
 * that notes it: its credit note, unless that was issued before or the invoice was cancelled. What came on top of the order's
 * payment has no invoice, and does not come here.
 */
export async function onRefundDone(
  services: Services,
  transaction: Transaction,
  { order, refund }: RefundDone,
): Promise<void> {
  if (refund.creditNoteId !== null || (await isCancelledInvoice(transaction, order.id))) return;
  await issueCreditNote(services, transaction, {
    orderId: order.id,
    amountPaise: refund.amountPaise,
    // What our people wrote about it is for them.
    reason: `Money given back for the order ${orderNumber(order.serial)}.`,
    cause: `refund:${refund.id}`,
    actorId: refund.askedBy,
  });
}

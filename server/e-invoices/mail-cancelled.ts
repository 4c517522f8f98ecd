import { later } from "../../contract/durations.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { daysOfPaperMails, mailBuyer } from "../accounts/mail-buyer.ts";
import type { Transaction } from "../database/database.ts";
import type { invoices, orders } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Mails the buyer, who may have booked the invoice, that it was cancelled. A repeated call sends nothing more. */
export async function mailCancelled(
  services: Services,
  transaction: Transaction,
  { id, number, content }: typeof invoices.$inferSelect,
  order: typeof orders.$inferSelect,
): Promise<void> {
  await mailBuyer(services, transaction, order, {
    eventKey: `invoice-cancelled:${id}`,
    content: {
      template: "invoiceCancelled",
      name: content.billTo.name,
      orderNumber: orderNumber(order.serial),
      invoiceNumber: number,
      totalPaise: content.totalPaise,
      link: `${services.publicUrl}/user/orderhistory?search=${orderNumber(order.serial)}`,
    },
    uselessAfter: later(services.now(), { days: daysOfPaperMails }),
  });
}

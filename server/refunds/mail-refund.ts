import { later } from "../../contract/durations.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { daysOfPaperMails, mailBuyer } from "../accounts/mail-buyer.ts";
import type { Transaction } from "../database/database.ts";
import type { orders, refunds } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Mails the buyer, once each, that money is on its way back and that it has arrived. */
export async function mailRefund(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  refund: typeof refunds.$inferSelect,
  stage: "sent" | "done",
): Promise<void> {
  await mailBuyer(services, transaction, order, {
    eventKey: `refund ${stage}:${refund.id}`,
    content: {
      template: "refund",
      stage,
      name: order.billTo.name,
      orderNumber: orderNumber(order.serial),
      amountPaise: refund.amountPaise,
      ...(refund.movedFrom ? { isMoved: true } : refund.bankReference && { bankReference: refund.bankReference }),
      link: `${services.publicUrl}/user/orderhistory?search=${orderNumber(order.serial)}`,
    },
    uselessAfter: later(services.now(), { days: daysOfPaperMails }),
  });
}

import { later } from "../../contract/durations.ts";
import { orderNumber } from "../../contract/numbers.ts";
import { findBuyer } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import type { orders, refunds } from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/** So long it is tried; shorter than mails are remembered. */
const mailDays = 180;

/** Tells the buyer by mail that money is on its way back, or back; each once. */
export async function mailRefund(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  refund: typeof refunds.$inferSelect,
  stage: "sent" | "done",
): Promise<void> {
  const buyer = await findBuyer(transaction, order);
  if (!buyer) return;
  await queueMail(services, transaction, {
    eventKey: `refund ${stage}:${refund.id}`,
    to: buyer.email,
    content: {
      template: "refund",
      stage,
      name: order.billTo.name,
      orderNumber: orderNumber(order.serial),
      amountPaise: refund.amountPaise,
      ...(refund.bankReference && { bankReference: refund.bankReference }),
      link: `${services.publicUrl}/user/orderhistory`,
    },
    uselessAfter: later(services.now(), { days: mailDays }),
  });
}

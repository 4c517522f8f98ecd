import type { Transaction } from "../database/database.ts";
import { type NewMail, queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { findBuyer } from "./queries.ts";

/**
 * For how many days the mail of an invoice, of what follows it, or of a refund is tried; less than the time for which
 * sent mails are remembered, so that none is sent twice.
 */
export const daysOfPaperMails = 180;

/** Mails something about an order to the person whom `findBuyer` finds; nobody if none is left. */
export async function mailBuyer(
  services: Services,
  transaction: Transaction,
  order: Parameters<typeof findBuyer>[1],
  mail: Omit<NewMail, "to">,
): Promise<void> {
  const buyer = await findBuyer(transaction, order);
  if (buyer) await queueMail(services, transaction, { ...mail, to: buyer.email });
}

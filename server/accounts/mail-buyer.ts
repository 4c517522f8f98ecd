import type { Transaction } from "../database/database.ts";
import { type NewMail, queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { findBuyer } from "./queries.ts";

/**
 * So long the mail of an invoice is tried, of what followed it, or of money given back; shorter than mails are remembered, so that none
 * comes twice.
 */
export const daysOfPaperMails = 180;

/** Mails what concerns an order to whoever `findBuyer` finds for it; nobody where nobody is left. */
export async function mailBuyer(
  services: Services,
  transaction: Transaction,
  order: Parameters<typeof findBuyer>[1],
  mail: Omit<NewMail, "to">,
): Promise<void> {
  const buyer = await findBuyer(transaction, order);
  if (buyer) await queueMail(services, transaction, { ...mail, to: buyer.email });
}

import { sendQueuedMails } from "../server/mail/outbox.ts";
import type { Services } from "../server/services.ts";

/**
 * Sends one mail as the queue would.
 * @throws the reason for a retry
 */
export async function sendMailNow(services: Services, mailId: string): Promise<void> {
  const [failure] = await sendQueuedMails(services, [mailId]);
  if (failure) throw failure;
}

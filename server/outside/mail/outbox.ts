import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { brand } from "../../../contract/brand.ts";
import type { Transaction } from "../../database/database.ts";
import { mails } from "../../database/schema/index.ts";
import type { Services } from "../../services.ts";
import { type MailContent, renderMail } from "./templates.ts";

export interface NewMail {
  /** One mail per event: a second one with the same key is not written. */
  eventKey: string;
  to: string;
  content: MailContent;
  attachments?: { file: string; shownAs: string }[];
  /** After this a mail is not worth sending any more: its code or link has expired. */
  uselessAfter?: Date;
}

/** Writes a mail in the transaction of its cause; the queue sends it. */
export async function queueMail(services: Services, transaction: Transaction, mail: NewMail): Promise<void> {
  const [written] = await transaction
    .insert(mails)
    .values({
      eventKey: mail.eventKey,
      recipient: mail.to,
      content: mail.content,
      attachments: mail.attachments ?? [],
      uselessAfter: mail.uselessAfter ?? null,
    })
    .onConflictDoNothing({ target: mails.eventKey })
    .returning({ id: mails.id });
  if (written) await services.jobs.add(transaction, "send-mail", { mailId: written.id });
}

/**
 * Sends one mail unless it went out already or another worker has it.
 * Its Message-ID stays the same, so that a repeat after a crash can be told by the receiver.
 * @throws when the mail server did not take it; the queue tries again with growing pauses.
 */
export async function sendQueuedMail(services: Services, mailId: string): Promise<void> {
  const failure = await services.database.transaction(async (transaction) => {
    const [mail] = await transaction
      .select()
      .from(mails)
      .where(and(eq(mails.id, mailId), isNull(mails.sentAt)))
      .for("update", { skipLocked: true });
    if (!mail?.content) return null;
    if (mail.uselessAfter && mail.uselessAfter < services.now()) {
      await transaction
        .update(mails)
        .set({ content: null, lastError: "expired before it could be sent" })
        .where(eq(mails.id, mailId));
      return null;
    }
    try {
      await services.mail.send({
        messageId: `<${mail.id}@${new URL(services.publicUrl).hostname}>`,
        to: mail.recipient,
        ...(await renderMail(mail.content, brand)),
        attachments: await Promise.all(
          mail.attachments.map(async ({ file, shownAs }) => ({
            file,
            filename: shownAs,
            content: await services.files.read(file),
          })),
        ),
      });
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      await transaction
        .update(mails)
        .set({ tries: mail.tries + 1, lastError: said.slice(0, 300) })
        .where(eq(mails.id, mailId));
      return error instanceof Error ? error : new Error(said);
    }
    // What was in it may open an account: it is not kept once it is out.
    await transaction
      .update(mails)
      .set({ sentAt: services.now(), tries: mail.tries + 1, lastError: null, content: null })
      .where(eq(mails.id, mailId));
    return null;
  });
  if (failure) throw failure;
}

/** Adds jobs for mails that are still waiting after ten minutes, should their job have been lost. */
export async function sweepUnsentMails(services: Services): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const waiting = await transaction
      .select({ id: mails.id })
      .from(mails)
      .where(
        and(
          isNull(mails.sentAt),
          lt(mails.createdAt, sql`now() - interval '10 minutes'`),
          sql`${mails.content} is not null`,
        ),
      )
      .limit(500);
    for (const { id } of waiting) await services.jobs.add(transaction, "send-mail", { mailId: id });
  });
}

export async function workMail(services: Services): Promise<void> {
  await services.jobs.work("send-mail", ({ mailId }) => sendQueuedMail(services, mailId), 2);
}

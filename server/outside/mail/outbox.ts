import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { brand } from "../../../contract/brand.ts";
import type { Transaction } from "../../database/database.ts";
import { mails } from "../../database/schema/index.ts";
import type { Services } from "../../services.ts";
import { type MailContent, renderMail } from "./templates.ts";
import { type Envelope, NoSuchMailbox } from "./transport.ts";

type Mail = typeof mails.$inferSelect;

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
    const note = (change: Partial<Mail>) => transaction.update(mails).set(change).where(eq(mails.id, mailId));
    if (mail.uselessAfter && mail.uselessAfter < services.now()) {
      await note({ content: null, lastError: "expired before it could be sent" });
      return null;
    }
    const tries = mail.tries + 1;
    const failure = await trySending(services, mail, mail.content);
    if (!failure) {
      // What was in it may open an account: it is not kept once it is out.
      await note({ sentAt: services.now(), tries, lastError: null, content: null });
      return null;
    }
    const isFinal = failure instanceof NoSuchMailbox;
    await note({ tries, lastError: failure.message.slice(0, 300), ...(isFinal && { content: null }) });
    services.log.warn({ mailId, tries, err: failure }, isFinal ? "mail given up" : "mail not sent yet");
    return isFinal ? null : failure;
  });
  if (failure) throw failure;
}

/** Answers why it did not go out; null when it did. */
async function trySending(services: Services, mail: Mail, content: MailContent): Promise<Error | null> {
  try {
    await services.mail.send(await envelopeOf(services, mail, content));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function envelopeOf(services: Services, mail: Mail, content: MailContent): Promise<Envelope> {
  return {
    messageId: `<${mail.id}@${new URL(services.publicUrl).hostname}>`,
    to: mail.recipient,
    ...(await renderMail(content, brand)),
    ...("replyTo" in content && { replyTo: content.replyTo }),
    attachments: await Promise.all(
      mail.attachments.map(async ({ file, shownAs }) => ({
        file,
        filename: shownAs,
        content: await services.files.read(file),
      })),
    ),
  };
}

/** Adds jobs for mails that are still waiting after ten minutes and have none any more. */
export async function sweepUnsentMails(services: Services): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const lost = await transaction
      .select({ id: mails.id })
      .from(mails)
      .where(
        and(
          isNull(mails.sentAt),
          lt(mails.createdAt, sql`now() - interval '10 minutes'`),
          sql`${mails.content} is not null`,
          // The queue keeps its jobs in a schema of its own. A second job for one mail would only double the tries.
          sql`not exists (select from jobs.job where name = 'send-mail'
            and state in ('created', 'retry', 'active') and data->>'mailId' = ${mails.id}::text)`,
        ),
      )
      .orderBy(mails.id)
      .limit(500);
    for (const { id } of lost) await services.jobs.add(transaction, "send-mail", { mailId: id });
  });
}

export async function workMail(services: Services): Promise<void> {
  await services.jobs.work("send-mail", ({ mailId }) => sendQueuedMail(services, mailId), 4);
}

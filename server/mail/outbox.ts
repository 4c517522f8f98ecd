import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { areaOf } from "../../contract/roles.ts";
import { mayEnter } from "../access/suspended.ts";
import type { Transaction } from "../database/database.ts";
import { mails, organisations, people } from "../database/schema/index.ts";
import { describeError } from "../failures/describe-error.ts";
import type { Services } from "../services.ts";
import { findReceiver } from "./choices.ts";
import { choiceOf, needsEntry, turnOf } from "./choice-of.ts";
import { isOut, noteSent, whenSent } from "./note-sent.ts";
import { subjectOf } from "./subjects.ts";
import { type ChoiceLinks, type MailContent, renderMail } from "./templates.ts";
import { expiredUnsent } from "./unsent.ts";
import { unsubscribeToken } from "./unsubscribe.ts";
import { type Envelope, MayHaveCome, NoSuchMailbox, NotAccepted } from "../outside/mail/transport.ts";

/** The `content` column holds a MailContent: only this file writes it. */
type Mail = typeof mails.$inferSelect;

export interface NewMail {
  /** One mail per event: a second with the same key is not written. */
  eventKey: string;
  to: string;
  content: MailContent;
  attachments?: { file: string; shownAs: string }[];
  /** After this time the mail is useless: its code or link has expired. */
  uselessAfter?: Date;
}

/**
 * Writes a mail in the transaction of its cause; the queue sends it. Writes none of a kind that the receiver has turned
 * off.
 */
export async function queueMail(services: Services, transaction: Transaction, mail: NewMail): Promise<void> {
  const kind = choiceOf(mail.content);
  const receiver = kind && (await findReceiver(transaction, mail.to, kind));
  if (receiver && !receiver.wantsIt) return;
  await queueMails(services, transaction, [{ ...mail, personId: receiver?.id ?? null }]);
}

/**
 * Writes mails whose receivers' choices were checked already; `personId` is the receiver's account, null without one.
 */
export async function queueMails(
  services: Services,
  transaction: Transaction,
  wanted: readonly (NewMail & { personId: string | null })[],
): Promise<void> {
  if (wanted.length === 0) return;
  const written = await transaction
    .insert(mails)
    .values(
      wanted.map(({ to, attachments, uselessAfter, ...mail }) => ({
        ...mail,
        about: subjectOf(mail.eventKey),
        recipient: to,
        attachments: attachments ?? [],
        uselessAfter: uselessAfter ?? null,
      })),
    )
    .onConflictDoNothing({ target: mails.eventKey })
    .returning({ id: mails.id, eventKey: mails.eventKey });
  const turns = new Map(wanted.map(({ eventKey, content }) => [eventKey, turnOf(content)]));
  for (const [turn, some] of Map.groupBy(written, ({ eventKey }) => turns.get(eventKey)))
    // oxlint-disable-next-line no-await-in-loop -- in one transaction
    await services.jobs.addAll(
      transaction,
      "send-mail",
      some.map(({ id }) => ({ mailId: id })),
      { turn },
    );
}

/**
 * Sends those of the mails that were not sent yet and that no other worker has locked. Returns for each the error for
 * which to retry it, or null. The Message-ID stays the same, so that the receiver can recognise a repeat after a crash.
 */
export async function sendQueuedMails(services: Services, mailIds: string[]): Promise<(Error | null)[]> {
  let sent: string[] = [];
  try {
    return await services.database.transaction(async (transaction) => {
      const tried = await sendWaiting(services, transaction, mailIds);
      sent = tried.flatMap(({ mail, change }) => (change === "sent" ? [mail.id] : []));
      if (sent.length > 0) await transaction.update(mails).set(whenSent(services)).where(inArray(mails.id, sent));
      for (const { mail, change } of tried)
        if (change !== "sent") await transaction.update(mails).set(change).where(eq(mails.id, mail.id));
      const last = tried.flatMap(({ mail, comesLast }) => (comesLast ? [{ mailId: mail.id }] : []));
      await services.jobs.addAll(transaction, "send-mail", last, { turn: "last", startAfterSeconds: 1 });
      const failures = new Map(tried.map(({ mail, failure }) => [mail.id, failure]));
      for (const id of await heldByOthers(transaction, mailIds, failures))
        failures.set(id, new Error("another worker has it"));
      return mailIds.map((id) => failures.get(id) ?? null);
    });
  } catch (error) {
    await noteSent(services, sent);
    throw error;
  }
}

interface Tried {
  mail: Mail;
  /** What to change in the mail's row; "sent" if it is out. */
  change: "sent" | Partial<Mail>;
  /** Null if a retry does not help. */
  failure: Error | null;
  /** Whether another job, after those of all other mails, is to retry it. */
  comesLast?: boolean;
}

/** Locks those of the mails that wait, and sends them. */
async function sendWaiting(services: Services, transaction: Transaction, mailIds: string[]): Promise<Tried[]> {
  const waiting = await transaction
    .select()
    .from(mails)
    .where(and(inArray(mails.id, mailIds), isNull(mails.sentAt), isNotNull(mails.content)))
    .for("update", { skipLocked: true });
  const shutOut = await findShutOut(transaction, waiting);
  return Promise.all(
    waiting.map(async (mail) => ({ mail, ...(await trySending(services, mail, shutOut.has(mail.id))) })),
  );
}

/** The waiting mails that another transaction has locked; its process may have died, so they may not have been sent. */
async function heldByOthers(
  transaction: Transaction,
  mailIds: readonly string[],
  own: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const left = mailIds.filter((id) => !own.has(id));
  if (left.length === 0) return [];
  const waiting = await transaction
    .select({ id: mails.id })
    .from(mails)
    .where(and(inArray(mails.id, left), isNull(mails.sentAt), isNotNull(mails.content)));
  return waiting.map(({ id }) => id);
}

/** The ids of mails whose receiver was suspended since they were written and must not get them. */
async function findShutOut(transaction: Transaction, waiting: readonly Mail[]): Promise<ReadonlySet<string>> {
  const asked = waiting.flatMap(({ id, personId, content }) =>
    personId && content && needsEntry(content as MailContent) ? [{ id, personId }] : [],
  );
  if (asked.length === 0) return new Set();
  const there = await transaction
    .select({ id: people.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(
      and(
        inArray(
          people.id,
          asked.map(({ personId }) => personId),
        ),
        mayEnter,
      ),
    );
  const inside = new Set(there.map(({ id }) => id));
  return new Set(asked.filter(({ personId }) => !inside.has(personId)).map(({ id }) => id));
}

/** How many times a mail is handed to a server that does not confirm it. */
const silentTriesMax = 4;

async function trySending(services: Services, mail: Mail, isShutOut: boolean): Promise<Omit<Tried, "mail">> {
  if (isOut(mail.id)) return { change: "sent", failure: null };
  if (isShutOut)
    return { change: { content: null, lastError: "receiver suspended before it could be sent" }, failure: null };
  if (!mail.content || (mail.uselessAfter && mail.uselessAfter < services.now()))
    return { change: { content: null, lastError: expiredUnsent }, failure: null };
  const tries = mail.tries + 1;
  const failure = await send(services, mail, mail.content as MailContent);
  if (!failure) return { change: "sent", failure };
  const lastError = describeError(failure).message.slice(0, 300);
  // A server that never confirms would get copies all night, so the mail is given up; after a single silence it may be
  // lost, so it is retried.
  const isSilent = failure instanceof MayHaveCome && tries >= silentTriesMax && mail.lastError === lastError;
  const isFinal = failure instanceof NoSuchMailbox || isSilent;
  services.log.warn({ mailId: mail.id, tries, err: failure }, isFinal ? "mail given up" : "mail not sent yet");
  if (isFinal) return { change: { tries, lastError, content: null }, failure: null };
  // Its next tries are likely to hang as well: they must not hold up mails that can go out.
  const comesLast = failure instanceof NotAccepted && !hasHung(mail);
  return { change: { tries, lastError }, failure: comesLast ? null : failure, comesLast };
}

const hasHung = ({ lastError }: Mail) => lastError === NotAccepted.said;

/** Returns why the mail was not sent; null when it was. */
async function send(services: Services, mail: Mail, content: MailContent): Promise<Error | null> {
  try {
    await services.mail.send(await envelopeOf(services, mail, content));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function envelopeOf(services: Services, mail: Mail, content: MailContent): Promise<Envelope> {
  const links = await choiceLinksOf(services, mail, content);
  return {
    messageId: `<${mail.id}@${new URL(services.publicUrl).hostname}>`,
    to: mail.recipient,
    ...(await renderMail(content, brand, links)),
    ...(links && { unsubscribe: links.unsubscribe }),
    ...("replyTo" in content && { replyTo: content.replyTo }),
    isUrgent: turnOf(content) === "urgent" && !hasHung(mail),
    attachments: await Promise.all(
      mail.attachments.map(async ({ file, shownAs }) => ({
        file,
        filename: shownAs,
        content: await services.files.read(file),
      })),
    ),
  };
}

/**
 * The links by which the receiver turns this kind of mail off; null for a kind that can't be turned off, and for a
 * receiver without an account.
 */
async function choiceLinksOf(
  { database, env, publicUrl }: Services,
  { personId }: Mail,
  content: MailContent,
): Promise<ChoiceLinks | null> {
  const kind = choiceOf(content);
  if (!kind || !personId) return null;
  const [person] = await database.select({ role: people.role }).from(people).where(eq(people.id, personId));
  if (!person) return null;
  return {
    settings: `${publicUrl}/${areaOf(person.role)}/account-settings?show=mails`,
    unsubscribe: `${publicUrl}/unsubscribe/${unsubscribeToken(env.tokenSecret, { personId, kind })}`,
  };
}

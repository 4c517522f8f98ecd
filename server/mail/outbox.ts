import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { areaOf } from "../../contract/roles.ts";
import { mayEnter } from "../access/suspended.ts";
import type { Transaction } from "../database/database.ts";
import { mails, organisations, people } from "../database/schema/index.ts";
import { describeError } from "../failures/describe-error.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import { findReceiver } from "./choices.ts";
import { choiceOf, needsEntry, turnOf } from "./choice-of.ts";
import { subjectOf } from "./subjects.ts";
import { type ChoiceLinks, type MailContent, renderMail } from "./templates.ts";
import { expiredUnsent } from "./unsent.ts";
import { unsubscribeToken } from "./unsubscribe.ts";
import { type Envelope, MayHaveCome, NoSuchMailbox } from "../outside/mail/transport.ts";

/** Its content is a MailContent: only queueMail writes it. */
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

/**
 * Writes a mail in the transaction of its cause; the queue sends it. One of a kind that its receiver has turned off is
 * not written.
 */
export async function queueMail(services: Services, transaction: Transaction, mail: NewMail): Promise<void> {
  const kind = choiceOf(mail.content);
  const receiver = kind && (await findReceiver(transaction, mail.to, kind));
  if (receiver && !receiver.wantsIt) return;
  await queueMails(services, transaction, [{ ...mail, personId: receiver?.id ?? null }]);
}

/** Writes mails whose receivers' choices are known already; `personId` is whose choice each is, null for nobody's. */
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
 * Sends the mails that did not go out already and that no other worker has. Answers for each why to try it again, or null.
 * A Message-ID stays the same, so that a repeat after a crash can be told by the receiver.
 */
export async function sendQueuedMails(services: Services, mailIds: string[]): Promise<(Error | null)[]> {
  const sent: string[] = [];
  try {
    return await sendLocked(services, mailIds, sent);
  } catch (error) {
    await noteSent(services, sent);
    throw error;
  }
}

/** Adds to `sent` what is out, before anything of it is noted. */
function sendLocked(services: Services, mailIds: string[], sent: string[]): Promise<(Error | null)[]> {
  return services.database.transaction(async (transaction) => {
    const waiting = await transaction
      .select()
      .from(mails)
      .where(and(inArray(mails.id, mailIds), isNull(mails.sentAt), isNotNull(mails.content)))
      .for("update", { skipLocked: true });
    const shutOut = await findShutOut(transaction, waiting);
    const tried = await Promise.all(
      waiting.map(async (mail) => ({ mail, ...(await trySending(services, mail, shutOut.has(mail.id))) })),
    );
    sent.push(...tried.filter(({ change }) => change === "sent").map(({ mail }) => mail.id));
    if (sent.length > 0) await transaction.update(mails).set(whenSent(services)).where(inArray(mails.id, sent));
    for (const { mail, change } of tried)
      if (change !== "sent") await transaction.update(mails).set(change).where(eq(mails.id, mail.id));
    const failures = new Map(tried.map(({ mail, failure }) => [mail.id, failure]));
    for (const id of await heldByOthers(transaction, mailIds, failures))
      failures.set(id, new Error("another worker has it"));
    return mailIds.map((id) => failures.get(id) ?? null);
  });
}

/** What was in them may open an account: it is not kept once they are out. */
const whenSent = ({ now }: Services) => ({
  sentAt: now(),
  tries: sql`${mails.tries} + 1`,
  lastError: null,
  content: null,
});

/** With the wait for what was lost and the last try shorter than a stop waits for jobs. */
const noteSentMs = 2000;

/** For mails that were out when their sender lost the database: not noted by another connection, they would go out again. */
async function noteSent(services: Services, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const isUnnoted = and(inArray(mails.id, ids), isNull(mails.sentAt));
  for (const until = performance.now() + noteSentMs; ; await sleep(250))
    try {
      await services.database.update(mails).set(whenSent(services)).where(isUnnoted);
      return;
    } catch (error) {
      if (isOutage(error) && performance.now() < until) continue;
      services.log.warn({ err: error, mailIds: ids }, "mails that are out could not be noted: they go out again");
      return;
    }
}

/** Those that wait and that others have locked, who may be gone: they are not sent by that. */
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

/** The ids of those whose receiver has been suspended since they were written, and is not to have them. */
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

/** So often a mail is given to a server that says nothing then. */
const silentTriesMax = 4;

/** Answers what is to be kept of the try, and the failure if another may help. */
async function trySending(
  services: Services,
  mail: Mail,
  isShutOut: boolean,
): Promise<{ change: "sent" | Partial<Mail>; failure: Error | null }> {
  if (isShutOut)
    return { change: { content: null, lastError: "receiver suspended before it could be sent" }, failure: null };
  if (!mail.content || (mail.uselessAfter && mail.uselessAfter < services.now()))
    return { change: { content: null, lastError: expiredUnsent }, failure: null };
  const tries = mail.tries + 1;
  const failure = await send(services, mail, mail.content as MailContent);
  if (!failure) return { change: "sent", failure };
  const lastError = describeError(failure).message.slice(0, 300);
  // A server that is silent each time would get copies for a night; one that is once has lost it, for all that anybody knows.
  const isSilent = failure instanceof MayHaveCome && tries >= silentTriesMax && mail.lastError === lastError;
  const isFinal = failure instanceof NoSuchMailbox || isSilent;
  services.log.warn({ mailId: mail.id, tries, err: failure }, isFinal ? "mail given up" : "mail not sent yet");
  return isFinal
    ? { change: { tries, lastError, content: null }, failure: null }
    : { change: { tries, lastError }, failure };
}

/** Answers why it did not go out; null when it did. */
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
    attachments: await Promise.all(
      mail.attachments.map(async ({ file, shownAs }) => ({
        file,
        filename: shownAs,
        content: await services.files.read(file),
      })),
    ),
  };
}

/** Where its receiver turns its kind off; null for a mail that comes in any case, and for who has no account. */
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

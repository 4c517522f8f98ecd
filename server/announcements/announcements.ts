import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import type { AnnouncementPreview, NewAnnouncement } from "../../contract/announcements.ts";
import { limits } from "../../contract/limits.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { announcements, organisations, people } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { wantsMails } from "../mail/choices.ts";
import { renderMail } from "../mail/templates.ts";
import type { Services } from "../services.ts";
import { correctUnsentMails } from "./unsent-mails.ts";
import { audienceOf, getsIt, holdAudience } from "./whom.ts";

type Row = typeof announcements.$inferSelect;
/** An announcement's version as the administrator read it. */
interface Seen {
  id: string;
  version: number;
}

/** How many people an announcement would reach today, and its mail. @throws Failure invalid */
export async function previewAnnouncement(
  { database, publicUrl }: Services,
  scope: Scope<"any">,
  asked: NewAnnouncement,
): Promise<AnnouncementPreview> {
  const audience = await audienceOf(database, scope, asked);
  const counted = (more?: ReturnType<typeof wantsMails>) =>
    database
      .select({ id: people.id })
      .from(people)
      .innerJoin(organisations, eq(organisations.id, people.organisationId))
      .where(and(getsIt(audience), more))
      .limit(limits.countedMax)
      .as("reached");
  const [reached, mailed] = await Promise.all([
    database.$count(counted()),
    asked.mailed ? database.$count(counted(mailable)) : 0,
  ]);
  const { title, text } = asked;
  const mail = await renderMail({ template: "announcement", title, text, link: `${publicUrl}/user/notices` }, brand);
  return { people: reached, mailed, mail: asked.mailed ? { subject: mail.subject, text: mail.text } : null };
}

/** Condition: gets the mail too, with a proved address and without having turned such mails off. */
export const mailable = sql<boolean>`${and(isNotNull(people.emailVerifiedAt), wantsMails("announcements"))}`;

/**
 * Creates an announcement; a repeated call makes no second one.
 * @throws Failure invalid; conflict for an id under which a different one is stored
 */
export async function addAnnouncement(
  services: Services,
  scope: Scope<"any">,
  asked: NewAnnouncement & { id: string },
): Promise<void> {
  const { id } = asked;
  await services.database.transaction(async (transaction) => {
    const values = {
      ...(await holdAudience(transaction, scope, asked)),
      ...wordsOf(asked),
      ...timeOf(services, asked),
    };
    const made = await transaction
      .insert(announcements)
      .values({ ...values, id, mailed: asked.mailed, createdBy: scope.actor.personId, createdAt: services.now() })
      .onConflictDoNothing();
    if (made.rowCount === 0) return refuseOther(transaction, asked, values);
    await deliverFrom(services, transaction, id, values.shownFrom);
    await audit(transaction, scope.actor.personId, "add announcement", `announcement:${id}`, {
      after: tellOf({ ...values, mailed: asked.mailed }),
    });
  });
}

type Kept = Omit<Whom, "mailed"> & Pick<Row, "title" | "text" | "shownFrom" | "shownUntil">;

/**
 * For an id that is taken: accepts a repeat of the same announcement, and refuses one edited since the first try
 * arrived, so that it is neither announced twice nor reported as saved.
 * @throws Failure conflict
 */
async function refuseOther(
  transaction: Transaction,
  { id, mailed, shown_from }: NewAnnouncement & { id: string },
  asked: Kept,
): Promise<void> {
  const [row] = await transaction.select().from(announcements).where(eq(announcements.id, id));
  if (!row) return;
  // If it was to begin at once, it began when the first try arrived.
  const given = new Date(shown_from);
  const isSameTime =
    row.shownUntil.getTime() === asked.shownUntil.getTime() &&
    (given > row.createdAt ? given.getTime() === row.shownFrom.getTime() : row.shownFrom <= row.createdAt);
  const isSameText = row.title === asked.title && row.text === asked.text;
  if (isSameText && isSameTime && isSameAudience(row, { ...asked, mailed })) return;
  throw new Failure(
    "conflict",
    `An earlier try has arrived: “${row.title}” is kept and goes out as it was then. Save it again to change it to what you have typed now; mails that went out stay as they were.`,
  );
}

/**
 * Changes an announcement. Once shown, only its text and its end can change: bells, banners and unsent mails follow,
 * sent mails stay.
 * @throws Failure not_found; conflict when it was changed meanwhile or has ended; invalid
 */
export async function changeAnnouncement(
  services: Services,
  scope: Scope<"any">,
  asked: NewAnnouncement & Seen,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const whom = await holdAudience(transaction, scope, asked);
    const before = await lockSeen(services, transaction, asked);
    const isShown = before.shownFrom <= services.now();
    const time = timeOf(services, asked, isShown ? before.shownFrom : undefined);
    if (isShown && !isSameAudience(await withoutGone(transaction, before), { ...whom, mailed: asked.mailed }))
      throw new Failure(
        "conflict",
        "It is already shown: only its words and its end can change. Withdraw it and write another one instead.",
      );
    const after = { ...whom, ...wordsOf(asked), ...time, mailed: asked.mailed };
    await transaction
      .update(announcements)
      .set({ ...after, version: before.version + 1, deliveredAt: null })
      .where(eq(announcements.id, before.id));
    await correctUnsentMails(transaction, { ...before, ...after }, { skipLocked: true });
    await deliverFrom(services, transaction, before.id, after.shownFrom);
    await audit(transaction, scope.actor.personId, "change announcement", `announcement:${before.id}`, {
      before: tellOf(before),
      after: tellOf(after),
    });
  });
}

/** Withdraws an announcement. @throws Failure not_found; conflict when it was changed meanwhile or has ended */
export async function withdrawAnnouncement(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await lockSeen(services, transaction, seen);
    const withdrawnAt = services.now();
    await transaction
      .update(announcements)
      .set({ withdrawnAt, version: before.version + 1, deliveredAt: null })
      .where(eq(announcements.id, before.id));
    await correctUnsentMails(transaction, { ...before, withdrawnAt }, { skipLocked: true });
    await deliverFrom(services, transaction, before.id, withdrawnAt);
    await audit(transaction, actor.personId, "withdraw announcement", `announcement:${before.id}`, {
      before: tellOf(before),
      after: {},
    });
  });
}

async function lockSeen(services: Services, transaction: Transaction, { id, version }: Seen): Promise<Row> {
  const [row] = await transaction.select().from(announcements).where(eq(announcements.id, id)).for("update");
  if (!row) throw notFound("This announcement");
  if (row.version !== version)
    throw new Failure("conflict", "Somebody has changed this announcement meanwhile. Please look at it again.");
  if (row.withdrawnAt) throw new Failure("conflict", "This announcement was withdrawn.");
  if (row.shownUntil <= services.now()) throw new Failure("conflict", "This announcement is over.");
  return row;
}

const wordsOf = ({ title, text }: NewAnnouncement) => ({ title, text });

/** One that has begun keeps its beginning; a beginning in the past becomes now. @throws Failure invalid */
function timeOf({ now }: Services, asked: NewAnnouncement, begun?: Date) {
  const shownUntil = new Date(asked.shown_until);
  const given = new Date(asked.shown_from);
  const shownFrom = begun ?? (given > now() ? given : now());
  const refuse = (sentence: string) => invalidField("shown_until", sentence);
  if (shownUntil <= shownFrom) throw refuse("This end is over already. Please choose a later one.");
  if (shownUntil.getTime() - shownFrom.getTime() > limits.announcementDaysMax * 86_400_000)
    throw refuse(`Please choose an end within ${limits.announcementDaysMax} days.`);
  return { shownFrom, shownUntil };
}

type Whom = Pick<Row, "audience" | "roles" | "organisationIds" | "mailed">;
const isSameAudience = (one: Whom, other: Whom) =>
  [one, other]
    .map(({ audience, roles, organisationIds, mailed }) =>
      JSON.stringify([audience, roles.toSorted(), organisationIds.toSorted(), mailed]),
    )
    .every((text, _index, all) => text === all[0]);

/** Leaves out organisations that are gone since: nobody can name those any more. */
async function withoutGone(transaction: Transaction, row: Row): Promise<Row> {
  const left = await transaction
    .select({ id: organisations.id })
    .from(organisations)
    .where(inArray(organisations.id, row.organisationIds));
  return { ...row, organisationIds: left.map(({ id }) => id) };
}

/** Queues delivery for the beginning of the announcement; it also updates what was delivered before. */
function deliverFrom({ jobs, now }: Services, transaction: Transaction, announcementId: string, from: Date) {
  const startAfterSeconds = Math.max(0, Math.ceil((from.getTime() - now().getTime()) / 1000));
  return jobs.add(transaction, "deliver-announcement", { announcementId }, { startAfterSeconds });
}

/** The detail for the audit log. */
const tellOf = (row: Pick<Row, "title" | "text" | "shownFrom" | "shownUntil"> & Whom) => ({
  title: row.title,
  text: row.text,
  audience: row.audience,
  roles: row.roles,
  organisations: row.organisationIds.length,
  shownFrom: row.shownFrom.toISOString(),
  shownUntil: row.shownUntil.toISOString(),
  mailed: row.mailed,
});

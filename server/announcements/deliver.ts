import { and, asc, eq, gt, sql } from "drizzle-orm";
import { areaOf } from "../../contract/roles.ts";
import type { Transaction } from "../database/database.ts";
import { announcements, notices, organisations, people } from "../database/schema/index.ts";
import { queueMails } from "../mail/outbox.ts";
import { noticeKinds } from "../notices/kinds.ts";
import type { Services } from "../services.ts";
import { mailable } from "./announcements.ts";
import { correctUnsentMails } from "./unsent-mails.ts";
import { getsIt } from "./whom.ts";

type Row = typeof announcements.$inferSelect;

/** How many people or notices one transaction handles, and how many such portions one job. */
const portion = 500;
const portionsOfJob = 20;

/**
 * Delivers an announcement to the bells of its audience, and to the outbox for those who want its mail, in portions:
 * after a crash it continues after the last complete one, and everybody gets it once. Afterwards, and after a change or
 * withdrawal, it updates what was delivered.
 */
export async function deliverAnnouncement(services: Services, id: string): Promise<void> {
  for (let done = 0; done < portionsOfJob && !services.jobs.mustEnd(); done++) {
    // oxlint-disable-next-line no-await-in-loop -- each portion begins where the one before has ended
    if (!(await takeStep(services, id))) return;
  }
  await services.database.transaction((transaction) =>
    services.jobs.add(transaction, "deliver-announcement", { announcementId: id }),
  );
}

/** Returns whether there is more to do. */
async function takeStep(services: Services, id: string): Promise<boolean> {
  return services.database.transaction(async (transaction) => {
    const [row] = await transaction.select().from(announcements).where(eq(announcements.id, id)).for("update");
    const now = services.now();
    // A postponed announcement has a job of its own.
    if (!row || row.deliveredAt || (row.shownFrom > now && !row.withdrawnAt)) return false;
    const isOver = row.withdrawnAt !== null || row.shownUntil <= now;
    const more = (!isOver && (await tellNext(services, transaction, row))) || (await tidy(transaction, row));
    if (!more) await transaction.update(announcements).set({ deliveredAt: now }).where(eq(announcements.id, id));
    return more;
  });
}

/** Tells the next portion of people. Returns whether there were any. */
async function tellNext(services: Services, transaction: Transaction, row: Row): Promise<boolean> {
  const next = await transaction
    .select({ id: people.id, email: people.email, role: people.role, isMailed: mailable })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(getsIt(row), row.deliveredUpTo ? gt(people.id, row.deliveredUpTo) : undefined))
    .orderBy(asc(people.id))
    .limit(portion);
  const last = next.at(-1);
  if (!last) return false;
  await transaction
    .insert(notices)
    .values(next.map((person) => ({ ...wordsOf(row), personId: person.id, ...eventOf(row) })))
    .onConflictDoNothing({ target: [notices.personId, notices.eventKey] });
  const mailed = row.mailed ? next.filter(({ isMailed }) => isMailed) : [];
  await queueMails(
    services,
    transaction,
    mailed.map(({ id, email, role }) => ({
      eventKey: `announcement:${row.id}:${id}`,
      to: email,
      personId: id,
      content: {
        template: "announcement",
        title: row.title,
        text: row.text,
        link: `${services.publicUrl}/${areaOf(role)}/notices`,
      },
      uselessAfter: row.shownUntil,
    })),
  );
  await transaction.update(announcements).set({ deliveredUpTo: last.id }).where(eq(announcements.id, row.id));
  return true;
}

const eventOf = ({ id }: Row) => ({
  kind: "announcement",
  eventKey: `announcement:${id}`,
  announcementId: id,
});

function wordsOf(row: Row) {
  const [telling] = noticeKinds.announcement;
  return { title: telling?.title(row) ?? "", text: telling?.text(row) ?? "", link: telling?.link(row) ?? "" };
}

/**
 * Updates a portion of the announcement's notices and unsent mails, or deletes them if it was withdrawn. Returns
 * whether there were any.
 */
async function tidy(transaction: Transaction, row: Row): Promise<boolean> {
  const { title, text } = wordsOf(row);
  const some = (condition = sql`true`) =>
    sql`${notices.id} in (select id from notices where announcement_id = ${row.id} and ${condition} limit ${portion})`;
  const { rowCount } = row.withdrawnAt
    ? await transaction.delete(notices).where(some())
    : await transaction
        .update(notices)
        .set({ title, text })
        .where(some(sql`(title, text) is distinct from (${title}, ${text})`));
  const isMailed = await correctUnsentMails(transaction, row, { limit: portion });
  return isMailed || (rowCount ?? 0) > 0;
}

import { and, asc, desc, eq, isNull, lte, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Banner, type Notice, noticeList, type NoticeNews, type NoticeQuery } from "../../contract/notices.ts";
import { personOf, type Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { announcements, notices, people } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { isFor } from "./audience.ts";

const noticesOfPerson = listFrom(noticeList, {
  name: "notices_of_person",
  table: notices,
  fields: {
    id: notices.id,
    title: notices.title,
    text: notices.text,
    link: notices.link,
    readAt: notices.readAt,
    createdAt: notices.createdAt,
  },
  where: sql`${notices.personId} = $1`,
  id: notices.id,
  newest: "created_at",
  searched: notices.searched,
  sorts: { created_at: notices.createdAt },
});
const unreadOfPerson = {
  ...noticesOfPerson,
  name: "notices_unread_of_person",
  where: sql`${notices.personId} = $1 and ${notices.readAt} is null`,
};

/** The caller's own notices, newest first. */
export async function listNotices({ database }: Services, scope: Scope<"own">, query: NoticeQuery) {
  const list = query.show === "unread" ? unreadOfPerson : noticesOfPerson;
  const { rows, ...page } = await listPage(database, list, personOf(scope), query);
  return { notices: rows.map(present), ...page };
}

/** What the bell and the banners show now. */
export async function readNews(services: Services, scope: Scope<"own">): Promise<NoticeNews> {
  const { database } = services;
  const personId = personOf(scope);
  const counted = database
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.personId, personId), isNull(notices.readAt)))
    .limit(limits.unreadShownMax + 1);
  const latest = database
    .select(noticesOfPerson.fields)
    .from(notices)
    .where(eq(notices.personId, personId))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limits.noticesInBell);
  const [unread, rows, banners] = await Promise.all([counted, latest, findBanners(services, scope)]);
  return { unread: unread.length, latest: rows.map(present), banners };
}

/** The announcements currently shown to the caller, earliest first, without those that the caller has closed. */
async function findBanners({ database, now }: Services, scope: Scope<"own">): Promise<Banner[]> {
  return database
    .select({ id: announcements.id, title: announcements.title, text: announcements.text })
    .from(announcements)
    .innerJoin(people, eq(people.id, personOf(scope)))
    .where(
      and(
        holds(now()),
        isFor,
        sql`not exists (select from notices where person_id = ${people.id}
          and event_key = 'announcement:' || ${announcements.id} and dismissed_at is not null)`,
      ),
    )
    .orderBy(asc(announcements.shownFrom), asc(announcements.id))
    .limit(5);
}

const holds = (at: Date) =>
  and(
    isNull(announcements.withdrawnAt),
    lte(announcements.shownFrom, at),
    sql`${announcements.shownUntil} > ${at.toISOString()}::timestamptz`,
  );

/** Marks one of the caller's notices as read or unread. @throws Failure not_found, also for somebody else's notice */
export async function markNotice(
  { database, now }: Services,
  scope: Scope<"own">,
  { id, read }: { id: string; read: boolean },
): Promise<void> {
  const marked = await database
    .update(notices)
    .set({ readAt: read ? sql`coalesce(${notices.readAt}, ${now().toISOString()}::timestamptz)` : null })
    .where(and(eq(notices.id, id), eq(notices.personId, personOf(scope))));
  if (marked.rowCount === 0) throw notFound("This notice");
}

/** Marks the caller's notices as read up to the given one, which was the newest shown. */
export async function markAll({ database, now }: Services, scope: Scope<"own">, until: string): Promise<void> {
  const newest = database
    .select({ at: notices.createdAt })
    .from(notices)
    .where(and(eq(notices.id, until), eq(notices.personId, personOf(scope))));
  await database
    .update(notices)
    .set({ readAt: now() })
    .where(and(eq(notices.personId, personOf(scope)), isNull(notices.readAt), lte(notices.createdAt, newest)));
}

/**
 * Closes an announcement's banner for the caller; its notice counts as read.
 * @throws Failure not_found, also for an announcement that is not for the caller
 */
export async function dismissBanner({ database, now }: Services, scope: Scope<"own">, id: string): Promise<void> {
  const personId = personOf(scope);
  const at = now();
  await database.transaction(async (transaction) => {
    const [shown] = await transaction
      .select({ title: announcements.title, text: announcements.text })
      .from(announcements)
      .innerJoin(people, eq(people.id, personId))
      .where(and(eq(announcements.id, id), holds(at), isFor))
      .for("share", { of: announcements });
    if (!shown) throw notFound("This announcement");
    const closed = { dismissedAt: at, readAt: at };
    await transaction
      .insert(notices)
      .values({
        ...shown,
        ...closed,
        personId,
        kind: "announcement",
        eventKey: `announcement:${id}`,
        link: "",
        announcementId: id,
      })
      .onConflictDoUpdate({
        target: [notices.personId, notices.eventKey],
        set: closed,
        setWhere: or(isNull(notices.dismissedAt), isNull(notices.readAt)),
      });
  });
}

const present = ({ readAt, createdAt, link, ...row }: RowOf<(typeof noticesOfPerson)["fields"]>): Notice => ({
  ...row,
  link: link || null,
  read: readAt !== null,
  created_at: createdAt.toISOString(),
});

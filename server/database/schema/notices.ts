import { isNotNull, isNull, sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { MailChoice } from "../../../contract/mail-choices.ts";
import type { AnnouncementAudience } from "../../../contract/announcements.ts";
import type { Role } from "../../../contract/roles.ts";
import { people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { byPerson } from "./references.ts";

/** An administrator's announcement to everybody or to some: in the bell, as a banner and optionally by mail. */
export const announcements = pgTable(
  "announcements",
  {
    id: id(),
    title: text().notNull(),
    text: text().notNull(),
    audience: text().$type<AnnouncementAudience>().notNull(),
    /** The recipients, depending on the audience: roles, or the ids of a partner or of customers. */
    roles: text().array().$type<Role[]>().notNull().default([]),
    organisationIds: uuid().array().notNull().default([]),
    shownFrom: instant().notNull(),
    shownUntil: instant().notNull(),
    mailed: boolean().notNull(),
    /** Counts changes: an edit based on an older version is refused. */
    version: integer().notNull().default(1),
    createdBy: byPerson(),
    createdAt: createdAt(),
    withdrawnAt: instant(),
    /** The last person it was delivered to; people with higher ids are still to come. */
    deliveredUpTo: uuid(),
    /** When every recipient's bell was up to date; null while a delivery is outstanding. */
    deliveredAt: instant(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(title || ' ' || text)`),
  },
  (table) => [
    index("announcements_by_shown_from").on(table.shownFrom, table.id),
    index("announcements_shown").on(table.shownUntil).where(isNull(table.withdrawnAt)),
    index("announcements_to_deliver").on(table.shownFrom).where(isNull(table.deliveredAt)),
    check("announcements_end_later", sql`shown_until > shown_from`),
  ],
);

/** One event told to one person in the bell, written in the transaction of its cause. */
export const notices = pgTable(
  "notices",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** A key of the table in server/notices/kinds.ts. */
    kind: text().notNull(),
    /** Unique per person, so that nobody is told of an event twice. */
    eventKey: text().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    /** The path of the screen that shows it; empty for none. */
    link: text().notNull(),
    createdAt: createdAt(),
    readAt: instant(),
    announcementId: uuid().references(() => announcements.id, { onDelete: "cascade" }),
    /** When its banner was closed. */
    dismissedAt: instant(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(title || ' ' || text)`),
  },
  (table) => [
    unique("notices_once_each").on(table.personId, table.eventKey),
    index("notices_of_person").on(table.personId, table.createdAt, table.id),
    index("notices_unread").on(table.personId, table.createdAt, table.id).where(isNull(table.readAt)),
    index("notices_of_announcement").on(table.announcementId).where(isNotNull(table.announcementId)),
    index("notices_by_created_at").on(table.createdAt),
  ],
);

/** The kinds of mail that a person has turned off; kinds that nobody can turn off have no row. */
export const mailsTurnedOff = pgTable(
  "mails_turned_off",
  {
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    kind: text().$type<MailChoice>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.kind] })],
);

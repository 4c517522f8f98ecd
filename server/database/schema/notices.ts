import { isNotNull, isNull, sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { MailChoice } from "../../../contract/mail-choices.ts";
import type { AnnouncementAudience } from "../../../contract/announcements.ts";
import type { Role } from "../../../contract/roles.ts";
import { people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";

/** What an administrator tells all or some: in the bell, as a banner and, where it says so, by mail. */
export const announcements = pgTable(
  "announcements",
  {
    id: id(),
    title: text().notNull(),
    text: text().notNull(),
    audience: text().$type<AnnouncementAudience>().notNull(),
    /** For whom, as the audience has it: roles, or the ids of a partner or of customers. */
    roles: text().array().$type<Role[]>().notNull().default([]),
    organisationIds: uuid().array().notNull().default([]),
    shownFrom: instant().notNull(),
    shownUntil: instant().notNull(),
    mailed: boolean().notNull(),
    /** Counts the changes, so that a second editor who saw an older state is told. */
    version: integer().notNull().default(1),
    createdBy: uuid().references(() => people.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    withdrawnAt: instant(),
    /** The last person who got it: those after them, in the order of ids, still have to. */
    deliveredUpTo: uuid(),
    /** When everybody's bell says what it says by now; null while somebody's does not. */
    deliveredAt: instant(),
    /** What a search looks through, in lower case. */
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

/** What happened, told to one person by the bell: written in the transaction of its cause. */
export const notices = pgTable(
  "notices",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** A key of the table in server/notices/kinds.ts. */
    kind: text().notNull(),
    /** Nobody is told of one event twice. */
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
    /** What a search looks through, in lower case. */
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

/** The kinds of mail that somebody does not want; of kinds that can't be turned off there is no row. */
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

import { isNull, sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "./columns.ts";

/** The outbox: a mail is written in the transaction of its cause and sent by the queue. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    /** Unique per event: a second mail with the same key is not written. */
    eventKey: text().notNull().unique(),
    /** What the mail is about, shown and searched in the action queue if it fails. */
    about: text().notNull().default(""),
    recipient: text().notNull(),
    /** The template's input (server/mail/templates.ts); set to null once the mail is sent. */
    content: jsonb().$type<{ template: string } | null>(),
    /** The person who can turn off mails of this kind; null for mails that nobody can turn off. */
    personId: uuid(),
    /** Names in the file store. */
    attachments: jsonb().$type<{ file: string; shownAs: string }[]>().notNull(),
    createdAt: createdAt(),
    uselessAfter: instant(),
    sentAt: instant(),
    tries: integer().notNull().default(0),
    lastError: text(),
  },
  (table) => [
    index().on(table.createdAt),
    index("mails_by_recipient").on(sql`lower(recipient)`),
    index("mails_unsent").on(table.createdAt).where(isNull(table.sentAt)),
  ],
);

/** In demo mode without an SMTP server: the mails that would have gone out. */
export const demoMailbox = pgTable("demo_mailbox", {
  id: id(),
  recipient: text().notNull(),
  subject: text().notNull(),
  html: text().notNull(),
  text: text().notNull(),
  attachments: jsonb().$type<{ file: string; shownAs: string }[]>().notNull(),
  createdAt: createdAt(),
});

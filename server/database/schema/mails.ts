import { isNull, sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, instant } from "./columns.ts";

/** The outbox: a mail is written in the transaction of its cause, and sent by the queue. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    /** One mail per event: a second one with the same key is not written. */
    eventKey: text().notNull().unique(),
    /** What people call it, as an action queue shows and searches it where it fails. */
    about: text().notNull().default(""),
    recipient: text().notNull(),
    /** What the template is filled with, as server/mail/templates.ts has it; emptied once it is sent. */
    content: jsonb().$type<{ template: string } | null>(),
    /** Whose choice it is whether mails of its kind come; null for mails that nobody can turn off. */
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

/** What would have gone out, where no SMTP server is configured in demo mode. */
export const demoMailbox = pgTable("demo_mailbox", {
  id: id(),
  recipient: text().notNull(),
  subject: text().notNull(),
  html: text().notNull(),
  text: text().notNull(),
  attachments: jsonb().$type<{ file: string; shownAs: string }[]>().notNull(),
  createdAt: createdAt(),
});

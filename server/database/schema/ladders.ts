import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { organisations } from "./accounts.ts";
import { instant } from "./columns.ts";
import { incidents } from "./incidents.ts";
import { byPerson } from "./references.ts";

/** Whom to call, in order, in an emergency. */
export const contactLadders = pgTable("contact_ladders", {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisations.id, { onDelete: "cascade" }),
  contacts: jsonb().$type<{ name: string; says: string; phone: string; email: string }[]>().notNull(),
  version: integer().notNull().default(1),
  changedAt: instant().notNull(),
  changedBy: byPerson(),
});

/** The contacts called in one incident, from first to last: mail goes out by the queue, the staff telephone. */
export const ladderCalls = pgTable(
  "ladder_calls",
  {
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    name: text().notNull(),
    phone: text().notNull(),
    email: text().notNull(),
    /** When it is this contact's turn, unless another one was reached first. */
    dueAt: instant().notNull(),
    mailedAt: instant(),
    reachedAt: instant(),
    /** By telephone, or by opening the incident in the portal. */
    reachedBy: text().$type<"telephone" | "portal">(),
    /** When somebody last telephoned, whether the contact was reached or not. */
    triedAt: instant(),
    personId: byPerson(),
  },
  (table) => [
    primaryKey({ columns: [table.incidentId, table.position] }),
    index("ladder_calls_waiting")
      .on(table.dueAt)
      .where(sql`mailed_at is null and reached_at is null`),
  ],
);

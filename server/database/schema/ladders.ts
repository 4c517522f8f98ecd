import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";
import { instant } from "./columns.ts";
import { incidents } from "./incidents.ts";

const byPerson = () => uuid().references(() => people.id, { onDelete: "set null" });

/** Whom to call in turn when something is on fire. */
export const contactLadders = pgTable("contact_ladders", {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisations.id, { onDelete: "cascade" }),
  contacts: jsonb().$type<{ name: string; says: string; phone: string; email: string }[]>().notNull(),
  version: integer().notNull().default(1),
  changedAt: instant().notNull(),
  changedBy: byPerson(),
});

/** The ladder of one incident, as it is worked down: mail by the queue, telephone by a person of ours. */
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
    /** When it is this one's turn, if nobody was reached before. */
    dueAt: instant().notNull(),
    mailedAt: instant(),
    reachedAt: instant(),
    /** How: by telephone, or by opening the incident. */
    reachedBy: text().$type<"telephone" | "portal">(),
    /** Tries by telephone that reached nobody. */
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

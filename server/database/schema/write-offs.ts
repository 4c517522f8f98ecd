import { sql } from "drizzle-orm";
import { check, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { people } from "./accounts.ts";
import { id, instant, paise } from "./columns.ts";
import { orders } from "./orders.ts";

/** Write-offs above the limit, which another main administrator has to agree to. */
export const writeOffRequests = pgTable(
  "write_off_requests",
  {
    /** Also the event of its ledger entry. */
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    amountPaise: paise().notNull(),
    reason: text().notNull(),
    state: text().$type<"asked" | "agreed" | "declined">().notNull(),
    askedBy: uuid()
      .notNull()
      .references(() => people.id),
    askedAt: instant().notNull(),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant(),
    /** Why the staff must act, while it waits; shown in the action queue. */
    problem: text(),
  },
  (table) => [
    uniqueIndex("write_off_requests_one_waits")
      .on(table.orderId)
      .where(sql`state = 'asked'`),
    check("write_off_requests_of_money", sql`amount_paise > 0`),
    check(
      "write_off_requests_by_two_people",
      sql`state <> 'agreed' or (decided_by is not null and decided_by <> asked_by)`,
    ),
  ],
);

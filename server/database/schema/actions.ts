import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ActionQueue } from "../../../contract/action-queues.ts";
import { id, instant } from "./columns.ts";

/**
 * The entries of all action queues: what waits for the staff. Triggers on the tables concerned, and the sweep, add and
 * settle entries; one that resolves itself disappears, without a trace if nobody had touched it (decision 46).
 */
export const actionItems = pgTable(
  "action_items",
  {
    id: id(),
    queue: text().$type<ActionQueue>().notNull(),
    /** The id of the order, mail, quote, invoice or organisation. */
    subjectId: uuid().notNull(),
    /** The subject's number or name, and whose it is, both as of when the entry appeared. */
    about: text().notNull(),
    who: text().notNull(),
    problem: text().notNull(),
    since: instant().notNull(),
    takenBy: uuid(),
    takenAt: instant(),
    /** The last person who had it retried. */
    triedBy: uuid(),
    triedAt: instant(),
    /** Null while it is open. `closedBy` is null when it resolved itself. */
    closedAt: instant(),
    closedBy: uuid(),
    resolution: text().notNull().default(""),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(about || ' ' || who || ' ' || problem || ' ' || resolution)`),
  },
  (table) => [
    uniqueIndex("action_items_open_once").on(table.queue, table.subjectId).where(isNull(table.closedAt)),
    index("action_items_of_subject").on(table.subjectId, table.queue),
    index("action_items_searched").using("gin", table.queue, table.searched.op("gin_trgm_ops")),
    index("action_items_open_by_since").on(table.queue, table.since, table.id).where(isNull(table.closedAt)),
    index("action_items_open_by_who")
      .on(table.queue, sql`lower(who)`, table.id)
      .where(isNull(table.closedAt)),
    index("action_items_closed_by_since").on(table.queue, table.since, table.id).where(isNotNull(table.closedAt)),
    index("action_items_closed_by_closed_at")
      .on(table.queue, table.closedAt, table.id)
      .where(isNotNull(table.closedAt)),
    index("action_items_closed_by_who")
      .on(table.queue, sql`lower(who)`, table.id)
      .where(isNotNull(table.closedAt)),
  ],
);

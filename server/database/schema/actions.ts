import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ActionQueue } from "../../../contract/action-queues.ts";
import { id, instant } from "./columns.ts";

/**
 * What waits for somebody of ours, of all action queues. Triggers beside what it is about, and the sweep, let it come and
 * go: what sorts itself out leaves by itself, without a trace where nobody had touched it (decision 46).
 */
export const actionItems = pgTable(
  "action_items",
  {
    id: id(),
    queue: text().$type<ActionQueue>().notNull(),
    /** The order, mail, quote, invoice or organisation. */
    subjectId: uuid().notNull(),
    /** What people call it, and whose it is, as it was when it came. */
    about: text().notNull(),
    who: text().notNull(),
    problem: text().notNull(),
    since: instant().notNull(),
    takenBy: uuid(),
    takenAt: instant(),
    /** Who asked last for it to be tried once more. */
    triedBy: uuid(),
    triedAt: instant(),
    /** Null while it is open. It sorted itself out where nobody closed it. */
    closedAt: instant(),
    closedBy: uuid(),
    resolution: text().notNull().default(""),
    /** What a search looks through, in lower case. */
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

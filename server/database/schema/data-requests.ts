import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { DataRequestKind, DataRequestState } from "../../../contract/data-requests.ts";
import { citext, createdAt, id, instant } from "./columns.ts";

/** Requests of people about their data: a copy, or erasure. Made by an administrator, done by a job. */
export const dataRequests = pgTable(
  "data_requests",
  {
    id: id(),
    kind: text().$type<DataRequestKind>().notNull(),
    /** The person's e-mail, by which their data is found; removed when they are erased. */
    email: citext(),
    /** Their account, if they had one. */
    personId: uuid(),
    askedBy: uuid().notNull(),
    askedAt: createdAt(),
    state: text().$type<DataRequestState>().notNull().default("waiting"),
    doneAt: instant(),
    refusal: text(),
    /** Name of the ZIP in the file store; null when it is no longer kept. */
    file: text(),
    fileUntil: instant(),
    /** Files of erased records that are still to be removed. */
    filesToRemove: jsonb().$type<string[]>().notNull().default([]),
    /** How many records of each kind were erased. */
    erased: jsonb().$type<Record<string, number>>().notNull().default({}),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(coalesce(email::text, '') || ' ' || kind || ' ' || state)`),
  },
  (table) => [
    index("data_requests_by_asked_at").on(table.askedAt, table.id),
    index("data_requests_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("data_requests_open")
      .on(table.askedAt)
      .where(sql`state in ('waiting', 'removing')`),
    index("data_requests_with_file")
      .on(table.fileUntil)
      .where(sql`file is not null`),
    index().on(table.email),
  ],
);

import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Files in the store that no record names: still being written, or given up. */
export const unnamedFiles = pgTable(
  "unnamed_files",
  { file: text().primaryKey(), since: instant().notNull() },
  (table) => [index().on(table.since)],
);

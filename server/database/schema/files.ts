import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Files of the store that no record names: not yet, as they are being written, or not any more. */
export const unnamedFiles = pgTable(
  "unnamed_files",
  { file: text().primaryKey(), since: instant().notNull() },
  (table) => [index().on(table.since)],
);

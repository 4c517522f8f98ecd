import type { SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "../database/database.ts";
import type { Select } from "../database/read-in-turn.ts";

/** Whose data, and the ids of what is theirs. */
export interface Owner extends Record<
  "people" | "organisations" | "quotes" | "leads" | "orders" | "attempts",
  string[]
> {
  email: string;
}

/** One table of what is kept about people, as they read it. */
export interface DataSection {
  name: string;
  title: string;
  rows(transaction: Transaction, owner: Owner): Select;
  /** Columns that are secrets, or that say nothing about the person. */
  without?: readonly string[];
}

/** The rows of a table that are theirs, with all columns. */
export const whole =
  (table: PgTable, areTheirs: (owner: Owner) => SQL | undefined): DataSection["rows"] =>
  (transaction, owner) =>
    transaction.select().from(table).where(areTheirs(owner));

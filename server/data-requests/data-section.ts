import type { SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "../database/database.ts";
import type { Select } from "../database/read-in-turn.ts";

/** The person, with the ids of what is theirs. */
export interface Owner extends Record<
  "people" | "organisations" | "quotes" | "leads" | "orders" | "attempts",
  string[]
> {
  email: string;
}

/** One table of the data kept about people, as they read it. */
export interface DataSection {
  name: string;
  title: string;
  rows(transaction: Transaction, owner: Owner): Select;
  /** Columns that are secret or say nothing about the person. */
  without?: readonly string[];
}

/** The person's rows of a table, with all columns. */
export const whole =
  (table: PgTable, areTheirs: (owner: Owner) => SQL | undefined): DataSection["rows"] =>
  (transaction, owner) =>
    transaction.select().from(table).where(areTheirs(owner));

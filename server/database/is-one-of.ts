import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Whether a column is one of these values, however many: all of them are one parameter, and a statement takes 65,535. */
export const isOneOf = (column: PgColumn, values: readonly string[]): SQL<boolean> =>
  sql`${column} = any(${sql.param(values)}::${sql.raw(column.getSQLType())}[])`;

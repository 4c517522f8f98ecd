import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Whether a column has one of these values. They are one array parameter: a statement takes at most 65,535 parameters.
 */
export const isOneOf = (column: PgColumn, values: readonly string[]): SQL<boolean> =>
  sql`${column} = any(${sql.param(values)}::${sql.raw(column.getSQLType())}[])`;

import type { PgColumn } from "drizzle-orm/pg-core";
import { type SQL, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";

/** Until then what happened before the end of a span may be told, to count in it: what is told later counts in the next one. */
export const toldBy = (end: Date): Date => later(end, { hours: limits.reportGraceHours });

/** Whether something counts in a span, by when it happened and when it was told: of spans that follow each other it is in one. */
export function isToldIn(happenedAt: PgColumn, toldAt: PgColumn, from: Date, to: Date): SQL {
  const counted = sql`greatest(${happenedAt}, ${toldAt} - make_interval(hours => ${limits.reportGraceHours}))`;
  return sql`(${counted} >= ${from.toISOString()}::timestamptz and ${counted} < ${to.toISOString()}::timestamptz)`;
}

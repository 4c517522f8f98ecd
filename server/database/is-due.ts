import { gt, lte, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Duration, later } from "../../contract/durations.ts";

/**
 * Whether what waits until `instant` is due by `now`. Nothing is put off for as long as `longest` or longer: what lies
 * further ahead was put off while our clock was ahead, and would wait until then.
 */
export const isDue = (instant: PgColumn, now: Date, longest: Duration): SQL | undefined =>
  or(lte(instant, now), gt(instant, later(now, longest)));

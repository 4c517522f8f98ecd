import { gt, lte, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Duration, later } from "../../contract/durations.ts";

/**
 * Whether something scheduled for `instant` is due by `now`. Nothing is ever scheduled as far ahead as `longest`: an
 * instant beyond that was set while our clock was fast, and counts as due instead of waiting until then.
 */
export const isDue = (instant: PgColumn, now: Date, longest: Duration): SQL | undefined =>
  or(lte(instant, now), gt(instant, later(now, longest)));

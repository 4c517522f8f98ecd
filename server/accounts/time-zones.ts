import { eq } from "drizzle-orm";
import { indiaAheadMs, indiaZone } from "../../contract/india-time.ts";
import { TimeZone } from "../../contract/onboarding.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations } from "../database/schema/index.ts";

/** The time zone that decides an organisation's days. */
export async function timeZoneOf(database: Database | Transaction, organisationId: string): Promise<string> {
  const [found] = await database
    .select({ timeZone: organisations.timeZone })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return found?.timeZone ?? indiaZone;
}

/** The calendar day of an instant in a time zone: 2026-11-22. */
export const dayIn = (timeZone: string, instant: Date): string =>
  new Date(localMs(timeZone, instant)).toISOString().slice(0, 10);

/** Minutes since its day began in a time zone; where clocks skip midnight, counted from the skip. */
export const minuteOfDayIn = (timeZone: string, instant: Date): number =>
  Math.floor((instant.getTime() - startOfDayIn(timeZone, dayIn(timeZone, instant)).getTime()) / 60_000);

const localMs = (timeZone: string, instant: Date) => instant.getTime() + aheadMs(timeZone, instant.getTime());

/**
 * The first instant of a day such as 2026-11-22 in a time zone. Where clocks skip midnight, the day begins with the
 * skip.
 */
export function startOfDayIn(timeZone: string, day: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const guess = wanted - aheadMs(timeZone, wanted);
  const corrected = wanted - aheadMs(timeZone, guess);
  return new Date(Math.max(corrected, corrected + aheadMs(timeZone, corrected) < wanted ? guess : corrected));
}

/**
 * Formats times by zone; an unknown zone is formatted as India's. One format per zone is kept: making one takes longer
 * than a hundred uses.
 */
export function formatByZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: knownZone(timeZone) });
    made.set(timeZone, format);
    return format;
  };
}

/** The zone, or India's if this one is no longer known. */
export const knownZone = (timeZone: string) => (TimeZone.safeParse(timeZone).success ? timeZone : indiaZone);

const calendarOf = formatByZone("en-US", {
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/** Milliseconds by which a time zone is ahead of UTC at an instant, given in milliseconds since 1970. */
export function aheadMs(timeZone: string, instant: number): number {
  // By far the most frequent zone, and it has no summer time.
  if (timeZone === indiaZone) return indiaAheadMs;
  const parts = new Map(
    calendarOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 1, ...rest] = (["year", "month", "day", "hour", "minute", "second"] as const).map((type) =>
    parts.get(type),
  );
  return Date.UTC(year, month - 1, ...rest.map((part) => part ?? 0)) - Math.floor(instant / 1000) * 1000;
}

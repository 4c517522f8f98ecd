import { eq } from "drizzle-orm";
import { indiaAheadMs, indiaZone } from "../../contract/india-time.ts";
import { TimeZone } from "../../contract/onboarding.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations } from "../database/schema/index.ts";

/** The time zone by which an organisation's days go. */
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

/** How many minutes of its day have passed in a time zone; of a day that begins with a leap over midnight none when it begins. */
export const minuteOfDayIn = (timeZone: string, instant: Date): number =>
  Math.floor((instant.getTime() - startOfDayIn(timeZone, dayIn(timeZone, instant)).getTime()) / 60_000);

const localMs = (timeZone: string, instant: Date) => instant.getTime() + aheadMs(timeZone, instant.getTime());

/**
 * The first instant of a day that is written as 2026-11-22, in a time zone. Where clocks leap over midnight, the day begins
 * with the leap.
 */
export function startOfDayIn(timeZone: string, day: string): Date {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const guess = wanted - aheadMs(timeZone, wanted);
  const corrected = wanted - aheadMs(timeZone, guess);
  return new Date(Math.max(corrected, corrected + aheadMs(timeZone, corrected) < wanted ? guess : corrected));
}

/**
 * How times of any zone are written; of one that nobody knows any more, as India's. A format is made once for each: that takes
 * longer than to write a hundred times by it.
 */
export function formatByZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: knownZone(timeZone) });
    made.set(timeZone, format);
    return format;
  };
}

/** The zone, or India's for one that nobody knows any more. */
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

/** How many milliseconds a time zone's clocks are ahead of UTC at an instant, in milliseconds since 1970. */
export function aheadMs(timeZone: string, instant: number): number {
  // The most asked by far, and it has no summer time.
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

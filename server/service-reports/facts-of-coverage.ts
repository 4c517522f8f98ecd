import { and, asc, eq, gte, lte } from "drizzle-orm";
import type { CoverageOfMonth } from "../../contract/report-data.ts";
import type { Database, Transaction } from "../database/database.ts";
import { coverageDays } from "../database/schema/index.ts";
import type { Month } from "./month-of.ts";

export type CountedDay = Pick<typeof coverageDays.$inferSelect, "day" | "lines" | "notContracted">;

/** The counts at the beginning of each day of a customer's month, and of the first day after it, which is its close. */
export const readCountedDays = (
  database: Database | Transaction,
  organisationId: string,
  { day, next }: Month,
): Promise<CountedDay[]> =>
  database
    .select({ day: coverageDays.day, lines: coverageDays.lines, notContracted: coverageDays.notContracted })
    .from(coverageDays)
    .where(
      and(eq(coverageDays.organisationId, organisationId), gte(coverageDays.day, day), lte(coverageDays.day, next)),
    )
    .orderBy(asc(coverageDays.day));

/**
 * The counts with which a month closes. The lines are those of its last counted day: a line that ended with the month
 * is included, one that begins after it is not. Their device counts come from the first day after the month, or from
 * the month's last day for a line that changed by then. Undefined if nothing was counted.
 */
export function closeOf(counted: readonly CountedDay[], { next }: Month): CountedDay | undefined {
  const after = counted.find(({ day }) => day === next);
  const last = counted.findLast(({ day }) => day < next);
  if (!after || !last) return after ?? last;
  const lines = last.lines.map((line) => after.lines.find((other) => isUnchanged(line, other)) ?? line);
  const isOfAfter = lines.every((line) => after.lines.includes(line));
  // By then the devices of an ended line are beyond the contract, and those of a new line no longer are.
  const isSameContract = isOfAfter && lines.length === after.lines.length;
  return { day: (isOfAfter ? after : last).day, lines, notContracted: (isSameContract ? after : last).notContracted };
}

/** A month's coverage, from the counts of its days and its close. Null if no day was counted. */
export function coverageOfMonth(counted: readonly CountedDay[], month: Month): CoverageOfMonth | null {
  const close = closeOf(counted, month);
  if (!close) return null;
  const { day: first, next } = month;
  const days = counted.filter(({ day }) => day < next);
  return {
    countedOn: close.day,
    lines: close.lines.map((line) => ({
      name: line.name,
      contracted: line.contracted,
      connected: line.connected,
      silent: line.silent,
      neverConnected: line.neverConnected,
      unknown: line.unknown,
      missing: line.missing,
      daysSilent: daysWith(days, line, "silent"),
      daysUnknown: daysWith(days, line, "unknown"),
    })),
    notContracted: close.notContracted,
    daysCounted: days.length,
    daysOfMonth: Math.round((Date.parse(next) - Date.parse(first)) / 86_400_000),
  };
}

type Line = CountedDay["lines"][number];

const isSame = (one: Line, other: Line): boolean =>
  one.service === other.service && one.deviceType === other.deviceType;

/** With a different contracted number, its counts would not add up to the month's. */
const isUnchanged = (one: Line, other: Line): boolean => isSame(one, other) && one.contracted === other.contracted;

const daysWith = (days: CountedDay[], line: Line, state: "silent" | "unknown"): number =>
  days.filter(({ lines }) => lines.some((other) => isSame(line, other) && other[state] > 0)).length;

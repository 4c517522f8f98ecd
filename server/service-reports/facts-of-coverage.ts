import { and, asc, eq, gte, lte } from "drizzle-orm";
import type { CoverageOfMonth } from "../../contract/report-data.ts";
import type { Database, Transaction } from "../database/database.ts";
import { coverageDays } from "../database/schema/index.ts";
import type { Month } from "./month-of.ts";

export type CountedDay = Pick<typeof coverageDays.$inferSelect, "day" | "lines" | "notContracted">;

/** What was counted when each day of a customer's month began, and the first one after it, which is its close. */
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
 * What a month closes with. The lines are those of its last day that was counted: what ended with the month is there, what
 * begins after it is not. How their devices were is the count of the first day after it, and of a line that was not the same
 * by then that of the month's last day. Undefined where nothing was counted.
 */
export function closeOf(counted: readonly CountedDay[], { next }: Month): CountedDay | undefined {
  const after = counted.find(({ day }) => day === next);
  const last = counted.findLast(({ day }) => day < next);
  if (!after || !last) return after ?? last;
  const lines = last.lines.map((line) => after.lines.find((other) => isUnchanged(line, other)) ?? line);
  const isOfAfter = lines.every((line) => after.lines.includes(line));
  // Of a line that has ended the devices are beyond the contract by then, of one that begins they are not any more.
  const isSameContract = isOfAfter && lines.length === after.lines.length;
  return { day: (isOfAfter ? after : last).day, lines, notContracted: (isSameContract ? after : last).notContracted };
}

/** A month's coverage by what was counted on its days and at its close. Null where no day was. */
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

/** With another number its counts would not add up to what the month had. */
const isUnchanged = (one: Line, other: Line): boolean => isSame(one, other) && one.contracted === other.contracted;

const daysWith = (days: CountedDay[], line: Line, state: "silent" | "unknown"): number =>
  days.filter(({ lines }) => lines.some((other) => isSame(line, other) && other[state] > 0)).length;

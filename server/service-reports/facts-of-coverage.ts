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
 * A month's coverage by what was counted on its days. The counts of its close are those of the first day after it; where that
 * was not counted they are those of its last day that was. Null where no day was.
 */
export function coverageOfMonth(counted: readonly CountedDay[], { day: first, next }: Month): CoverageOfMonth | null {
  const close = counted.at(-1);
  if (!close) return null;
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

const daysWith = (days: CountedDay[], { service, deviceType }: Line, state: "silent" | "unknown"): number =>
  days.filter(({ lines }) =>
    lines.some((line) => line.service === service && line.deviceType === deviceType && line[state] > 0),
  ).length;

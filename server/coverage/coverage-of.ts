import { and, asc, eq, gte, lte } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { coverageChartDays } from "../../contract/coverage-words.ts";
import type { Coverage, CoverageDay, CoverageLine, CoverageShown } from "../../contract/coverage.ts";
import { daysAfter } from "../../contract/proration.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { coverageDays, organisations } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { countWhereDue, findFigures, type FiguresRow } from "./recount.ts";
import { dayIn, timeZoneOf } from "../accounts/time-zones.ts";

/** A count that should have been renewed this long ago says nothing about now: the counting itself may have stopped. */
export const overdue = { minutes: 10 };

const nothing: Coverage = {
  asOf: null,
  lines: [],
  notContracted: 0,
  additions: [],
  unmatched: 0,
  unknownSince: null,
};

/** The coverage of the scope's organisation, counted again if the last count is no longer valid. */
export async function readCoverage(services: Services, scope: Scope<"organisation"> | null): Promise<CoverageShown> {
  const organisationId = organisationOf(scope);
  const row = await countWhereDue(services, organisationId);
  const [named] = await services.database
    .select({ name: organisations.name })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return { organization_name: named?.name ?? "", ...(row ? presentFigures(row, services.now()) : nothing) };
}

/**
 * An organisation's coverage from the last count, reading one row. If that count is too old, the state since then is
 * not known. For dashboards and reports, which have the organisation's id from a scope or a job.
 */
export async function coverageOf(
  database: Database | Transaction,
  organisationId: string,
  now: Date,
): Promise<Coverage> {
  const row = await findFigures(database, organisationId);
  return row ? presentFigures(row, now) : nothing;
}

/** Whether a count is no longer valid, because nobody renewed it. */
export const isOverdue = ({ nextCountAt }: Pick<FiguresRow, "nextCountAt">, now: Date) =>
  later(nextCountAt, overdue) < now;

function presentFigures(row: FiguresRow, now: Date): Coverage {
  const { countedAt, lines, notContracted, additions, unmatched, unknownSince } = row;
  const isStale = isOverdue(row, now);
  const since = unknownSince && unknownSince < countedAt ? unknownSince : countedAt;
  return {
    asOf: countedAt.toISOString(),
    lines: isStale ? lines.map((line) => notKnown(line, countedAt)) : lines,
    notContracted,
    additions,
    unmatched,
    unknownSince: (isStale ? since : unknownSince)?.toISOString() ?? null,
  };
}

const notKnown = (line: CoverageLine, since: Date): CoverageLine => ({
  ...line,
  connected: 0,
  silent: 0,
  neverConnected: 0,
  unknown: line.contracted - line.missing,
  unknownSince: line.unknownSince ?? since.toISOString(),
  reasons: [
    { reason: "no_answer" as const, devices: line.contracted - line.missing },
    ...line.reasons.filter(({ reason }) => reason === "missing" || reason === "not_bound"),
  ].filter(({ devices }) => devices > 0),
});

/** The days of the chart, for the scope's organisation. */
export async function readCoverageDays(
  services: Services,
  scope: Scope<"organisation"> | null,
): Promise<CoverageDay[]> {
  const organisationId = organisationOf(scope);
  const today = dayIn(await timeZoneOf(services.database, organisationId), services.now());
  return coverageDaysOf(services.database, organisationId, daysAfter(today, 1 - coverageChartDays), today);
}

/**
 * An organisation's coverage at the start of each day in its own time zone, with the first and last day included; days
 * as 2026-11-22. A day that was not counted has nulls: nothing is made up for it.
 */
async function coverageDaysOf(
  database: Database | Transaction,
  organisationId: string,
  from: string,
  to: string,
): Promise<CoverageDay[]> {
  const rows = await database
    .select()
    .from(coverageDays)
    .where(and(eq(coverageDays.organisationId, organisationId), gte(coverageDays.day, from), lte(coverageDays.day, to)))
    .orderBy(asc(coverageDays.day));
  const known = new Map(rows.map((row) => [row.day, row]));
  const days: CoverageDay[] = [];
  for (let day = from; day <= to; day = daysAfter(day, 1)) days.push(presentDay(day, known.get(day)));
  return days;
}

const sums = ["contracted", "connected", "silent", "neverConnected", "unknown", "missing"] as const;

function presentDay(day: string, row: typeof coverageDays.$inferSelect | undefined): CoverageDay {
  const sum = (name: (typeof sums)[number]) => row?.lines.reduce((all, line) => all + line[name], 0) ?? null;
  return {
    day,
    contracted: sum("contracted"),
    connected: sum("connected"),
    silent: sum("silent"),
    neverConnected: sum("neverConnected"),
    unknown: sum("unknown"),
    missing: sum("missing"),
    notContracted: row?.notContracted ?? null,
    lines:
      row?.lines.map(
        ({ service, deviceType, name, contracted, connected, silent, neverConnected, unknown, missing }) => {
          return { service, deviceType, name, contracted, connected, silent, neverConnected, unknown, missing };
        },
      ) ?? [],
  };
}

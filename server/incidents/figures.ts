import { and, asc, eq, gte, isNull, lt, or } from "drizzle-orm";
import type { GlassBox } from "../../contract/incident-findings.ts";
import {
  type ClockName,
  clockKeys,
  incidentSeverities,
  type IncidentSeverity,
  type IncidentState,
} from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents } from "../database/schema/index.ts";
import { computeClocks } from "./clocks.ts";
import { type FactRow, readFactsOfAll } from "./facts.ts";
import { countGlassBox } from "./findings.ts";
import type { IncidentRow } from "./find-incident.ts";
import { replay } from "./replay.ts";
import { type Levels, readLevels } from "./service-levels.ts";

type Reader = Database | Transaction;

/** What an incident is in a report. */
export interface IncidentFigure {
  id: string;
  number: string;
  title: string;
  severity: IncidentSeverity;
  state: IncidentState;
  openedAt: Date;
  acknowledgedAt: Date | null;
  containedAt: Date | null;
  /** When it was resolved or closed. */
  endedAt: Date | null;
  clocks: {
    clock: ClockName;
    state: "none" | "coming" | "running" | "paused" | "kept" | "broken" | "ended";
    /** Counted by the limit's calendar, without pauses. */
    minutes: number;
    limitMinutes: number | null;
    dueAt: Date | null;
  }[];
}

export interface IncidentFigures {
  /** Those that were open at some time of the span, of what was merged only what broke a promise in it; the worst first. */
  incidents: IncidentFigure[];
  /** Opened and ended within the span, and open at its end. */
  bySeverity: { severity: IncidentSeverity; opened: number; closed: number; openAtEnd: number }[];
  /** Of clocks that ended or ran out within the span, also of incidents that were merged. */
  promises: { clock: ClockName; kept: number; broken: number }[];
  /** The middle one, in minutes of wall-clock time; null where there was none. */
  medianMinutes: Record<ClockName, number | null>;
  /** Some of it goes by the shipped sample of service levels. */
  sampleLevels: boolean;
  glassBox: GlassBox;
}

/**
 * The figures of a customer's incidents from an instant to before another, as they were at its end: facts that happened
 * later are left out, so that a closed month gives the same figures whenever it is asked for.
 */
export async function readIncidentFigures(
  database: Reader,
  organisationId: string,
  from: Date,
  to: Date,
): Promise<IncidentFigures> {
  const rows = await database
    .select()
    .from(incidents)
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        lt(incidents.openedAt, to),
        or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, from), gte(incidents.changedAt, from)),
      ),
    )
    .orderBy(asc(incidents.rank), asc(incidents.openedAt));
  const told = await tellFigures(database, rows, to);
  const within = (at: Date | null) => at !== null && at >= from && at < to;
  const held = told.filter(({ figure: { endedAt } }) => endedAt === null || endedAt >= from);
  const brokeWithin = ({ clocks }: Told) =>
    clockKeys.some((clock) => clocks[clock].breaches.some(({ dueAt }) => within(dueAt)));
  const shown = held.filter((each) => each.figure.state !== "merged" || brokeWithin(each));
  const figures = held.map(({ figure }) => figure).filter(({ state }) => state !== "merged");
  const minutes = (end: (figure: IncidentFigure) => Date | null, start: (figure: IncidentFigure) => Date | null) =>
    figures.flatMap((figure) => {
      const [began, ended] = [start(figure), end(figure)];
      return began && within(ended) ? [(Number(ended) - Number(began)) / 60_000] : [];
    });
  return {
    incidents: shown.map(({ figure }) => figure).toSorted(worstFirst),
    bySeverity: incidentSeverities.map((severity) => {
      const of = figures.filter((figure) => figure.severity === severity);
      return {
        severity,
        opened: of.filter(({ openedAt }) => within(openedAt)).length,
        closed: of.filter(({ endedAt }) => within(endedAt)).length,
        openAtEnd: of.filter(({ endedAt }) => endedAt === null).length,
      };
    }),
    promises: clockKeys.map((clock) => promisesOf(held, clock, within)),
    medianMinutes: {
      acknowledge: median(
        minutes(
          ({ acknowledgedAt }) => acknowledgedAt,
          ({ openedAt }) => openedAt,
        ),
      ),
      contain: median(
        minutes(
          ({ containedAt }) => containedAt,
          ({ acknowledgedAt }) => acknowledgedAt,
        ),
      ),
      resolve: median(
        minutes(
          ({ endedAt }) => endedAt,
          ({ acknowledgedAt }) => acknowledgedAt,
        ),
      ),
    },
    sampleLevels: held.some(({ isSample }) => isSample),
    glassBox: await countGlassBox(database, organisationId, from, to),
  };
}

/** As they were at the end of the span: the rank of a row is today's. */
const worstFirst = (one: IncidentFigure, other: IncidentFigure) =>
  incidentSeverities.indexOf(one.severity) - incidentSeverities.indexOf(other.severity) ||
  Number(one.openedAt) - Number(other.openedAt);

/** The facts of so many incidents are in memory at a time. */
const readAtOnce = 500;

async function tellFigures(database: Reader, rows: readonly IncidentRow[], to: Date): Promise<Told[]> {
  const levelsAt = await readLevels(database);
  const told: Told[] = [];
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const some = rows.slice(from, from + readAtOnce);
    // oxlint-disable-next-line no-await-in-loop -- a transaction answers one question at a time
    const factsOf = await readFactsOfAll(
      database,
      some.map(({ id }) => id),
    );
    told.push(...some.map((row) => figureOf(row, factsOf(row.id), levelsAt(row.openedAt), to)));
  }
  return told;
}

type Told = ReturnType<typeof figureOf>;

function figureOf(row: IncidentRow, facts: readonly FactRow[], levels: Levels, to: Date) {
  const replayed = replay(facts.filter(({ occurredAt }) => occurredAt < to));
  const clocks = computeClocks(replayed, levels.agreement, to);
  const figure: IncidentFigure = {
    id: row.id,
    number: incidentNumber(row.serial),
    title: row.title,
    severity: replayed.severity,
    state: replayed.state,
    openedAt: row.openedAt,
    acknowledgedAt: clocks.acknowledge.endedAt,
    containedAt: clocks.contain.endedAt,
    endedAt: clocks.resolve.endedAt,
    clocks: clockKeys.map((clock) => ({
      clock,
      state: clocks[clock].state,
      minutes: clocks[clock].countedMinutes,
      limitMinutes: clocks[clock].limit?.minutes ?? null,
      dueAt: clocks[clock].dueAt,
    })),
  };
  return { figure, clocks, isSample: levels.isSample };
}

function promisesOf(told: readonly Told[], clock: ClockName, within: (at: Date | null) => boolean) {
  const of = told.map(({ clocks }) => clocks[clock]);
  return {
    clock,
    kept: of.filter(({ state, endedAt }) => state === "kept" && within(endedAt)).length,
    broken: of.filter(({ breaches }) => breaches.some(({ dueAt }) => within(dueAt))).length,
  };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [one, other] = [sorted[middle], sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)]];
  return one === undefined || other === undefined ? null : Math.round((one + other) / 2);
}

import { and, asc, eq, gte, isNull, lt, or } from "drizzle-orm";
import type { GlassBox } from "../../contract/incident-findings.ts";
import {
  type ClockState,
  type ClockName,
  clockKeys,
  incidentSeverities,
  type IncidentSeverity,
  type IncidentState,
} from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents } from "../database/schema/index.ts";
import { type Breach, computeClocks, countedAs } from "./clocks.ts";
import { type FactRow, tellByFacts } from "./facts.ts";
import { countGlassBox } from "./findings.ts";
import type { IncidentRow } from "./find-incident.ts";
import { replay } from "./replay.ts";
import { type Levels, readLevels } from "./service-levels.ts";
import { factsToldBy, readBoundAt, toldBy, wasToldAfter } from "./told-in-span.ts";

type Reader = Database | Transaction;

/** An incident as a report shows it. */
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
    state: ClockState;
    /** Counted by the limit's calendar, without pauses. */
    minutes: number;
    limitMinutes: number | null;
    dueAt: Date | null;
  }[];
}

export interface IncidentFigures {
  /** The incidents open at some time in the span, worst first; of merged ones only those that broke a promise in it. */
  incidents: IncidentFigure[];
  /** Counts of incidents opened and ended within the span, and of those open at its end. */
  bySeverity: { severity: IncidentSeverity; opened: number; closed: number; openAtEnd: number }[];
  /** Counts of clocks that ended or ran out within the span, including those of merged incidents. */
  promises: { clock: ClockName; kept: number; broken: number }[];
  /** The median in minutes of wall-clock time; null where nothing was measured. */
  medianMinutes: Record<ClockName, number | null>;
  /** Whether some figures rest on the shipped sample of service levels. */
  sampleLevels: boolean;
  glassBox: GlassBox;
}

/**
 * The figures of a customer's incidents in [from, to), as they stood at its end. Facts that happened or were told later
 * are left out, so that a closed month always gives the same figures. Facts told too late for the previous span count
 * in this one.
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
        or(
          isNull(incidents.resolvedAt),
          gte(incidents.resolvedAt, from),
          gte(incidents.changedAt, from),
          wasToldAfter(from),
        ),
      ),
    )
    .orderBy(asc(incidents.rank), asc(incidents.openedAt));
  const told = await tellFigures(database, rows, from, to);
  const endedNow = (each: Figured) => isEnded(each, "resolve");
  const isHeld = (each: Figured) => each.figure.endedAt === null || endedNow(each);
  const isCounted = (each: Figured) => isHeld(each) && each.figure.state !== "merged";
  const counted = told.filter(isCounted);
  const minutes = (clock: ClockName, start: (figure: IncidentFigure) => Date | null) =>
    counted.flatMap((each) => {
      const [began, ended] = [start(each.figure), each.now.clocks[clock].endedAt];
      return began && isEnded(each, clock) ? [(Number(ended) - Number(began)) / 60_000] : [];
    });
  const shown = told.filter((each) => isCounted(each) || clockKeys.some((clock) => isBroken(each, clock, from)));
  return {
    incidents: shown.map(({ figure }) => figure).toSorted(worstFirst),
    bySeverity: incidentSeverities.map((severity) => {
      const of = counted.filter(({ figure }) => figure.severity === severity);
      return {
        severity,
        opened: of.filter(({ before }) => !before.isKnown).length,
        closed: of.filter(endedNow).length,
        openAtEnd: of.filter(({ figure }) => figure.endedAt === null).length,
      };
    }),
    promises: clockKeys.map((clock) => promisesOf(told, clock, from)),
    medianMinutes: {
      acknowledge: median(minutes("acknowledge", ({ openedAt }) => openedAt)),
      contain: median(minutes("contain", ({ acknowledgedAt }) => acknowledgedAt)),
      resolve: median(minutes("resolve", ({ acknowledgedAt }) => acknowledgedAt)),
    },
    sampleLevels: told.some((each) => isHeld(each) && each.isSample),
    glassBox: await countGlassBox(database, organisationId, from, to),
  };
}

/** By severity at the end of the span: the row's `rank` is today's. */
const worstFirst = (one: IncidentFigure, other: IncidentFigure) =>
  incidentSeverities.indexOf(one.severity) - incidentSeverities.indexOf(other.severity) ||
  Number(one.openedAt) - Number(other.openedAt);

async function tellFigures(database: Reader, rows: readonly IncidentRow[], from: Date, to: Date): Promise<Figured[]> {
  const levelsAt = await readLevels(database);
  const boundAtOf = await readBoundAt(database, rows);
  const told = await tellByFacts(database, rows, (row, facts) => {
    return figureOf(row, { facts, levels: levelsAt(row.openedAt), boundAt: boundAtOf(row) }, { from, to });
  });
  // Nothing had been told about the others by then.
  return told.filter(({ now }) => now.isKnown);
}

type Figured = ReturnType<typeof figureOf>;

interface Told {
  facts: readonly FactRow[];
  levels: Levels;
  /** Since when the incident's engine is bound here; null where it has none. */
  boundAt: Date | null;
}

/**
 * An incident at the instant `at`, from what had been told by `told`; a fact corrected by then has its corrected time.
 */
function standingAt(at: Date, told: Date, { facts, levels: { agreement }, boundAt }: Told) {
  const replayed = replay(factsToldBy(told, facts, boundAt), at);
  const clocks = computeClocks(replayed, agreement, at);
  const reopened = replayed.facts.filter(({ news }) => news === "reopened").length;
  const endings = reopened + (clocks.resolve.endedAt ? 1 : 0);
  const { severity, state } = replayed;
  return { severity, state, clocks, endings, isKnown: replayed.facts.length > 0 };
}

function figureOf(row: IncidentRow, all: Told, { from, to }: { from: Date; to: Date }) {
  const now = standingAt(to, toldBy(to), all);
  const { severity, state, clocks } = now;
  const figure: IncidentFigure = {
    id: row.id,
    number: incidentNumber(row.serial),
    title: row.title,
    severity,
    state,
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
  // How it stood when the span began: as the previous span could know it, and with what was told since.
  const before = standingAt(from, toldBy(from), all);
  const hindsight = standingAt(from, toldBy(to), all);
  return { figure, now, before, hindsight, isSample: all.levels.isSample };
}

/**
 * Whether a clock ended in this span, not counting ends told in an earlier one. An incident that was reopened and ended
 * again counts again; one whose end was merely moved into the span by a correction does not.
 */
function isEnded({ now, before }: Figured, clock: ClockName): boolean {
  if (now.clocks[clock].endedAt === null) return false;
  return before.clocks[clock].endedAt === null || (clock === "resolve" && now.endings > before.endings);
}

/**
 * Whether a promise ran out in this span, or before it and was told too late for the previous span. A breach that was
 * told before is not counted again because its time was corrected.
 */
function isBroken({ now, before, hindsight }: Figured, clock: ClockName, from: Date): boolean {
  const { breaches } = now.clocks[clock];
  const known = hindsight.clocks[clock].breaches;
  return untoldOf(breaches, before.clocks[clock].breaches).some(
    (breach) => breach.dueAt >= from || known.some((each) => isSameEnd(each, breach)),
  );
}

/**
 * The breaches that had not been told before. A told breach cancels one with the same due time or else one of the same
 * severity, each at most once.
 */
function untoldOf(breaches: readonly Breach[], told: readonly Breach[]): Breach[] {
  const moved = told.filter((each) => !breaches.some((breach) => isSameEnd(each, breach)));
  return breaches.filter((breach) => {
    if (told.some((each) => isSameEnd(each, breach))) return false;
    const place = moved.findIndex(({ severity }) => countedAs(severity) === countedAs(breach.severity));
    if (place >= 0) moved.splice(place, 1);
    return place < 0;
  });
}

const isSameEnd = (one: Breach, other: Breach) => Number(one.dueAt) === Number(other.dueAt);

function promisesOf(told: readonly Figured[], clock: ClockName, from: Date) {
  const isKept = (each: Figured) =>
    each.now.clocks[clock].state === "kept" && (isEnded(each, clock) || each.before.clocks[clock].state !== "kept");
  return {
    clock,
    kept: told.filter(isKept).length,
    broken: told.filter((each) => isBroken(each, clock, from)).length,
  };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [one, other] = [sorted[middle], sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)]];
  return one === undefined || other === undefined ? null : Math.round((one + other) / 2);
}

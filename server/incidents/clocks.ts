import type { Agreement, Limit } from "../../contract/incident-agreement.ts";
import {
  type ClockName,
  clockKeys,
  type ClockState,
  type IncidentNews,
  type IncidentSeverity,
  type KnownSeverity,
  knownSeverities,
} from "../../contract/incident-states.ts";
import { countedBetween, instantAfter, type Span } from "./business-time.ts";
import { type Fact, replay, type Replayed } from "./replay.ts";

export interface Breach {
  dueAt: Date;
  severity: IncidentSeverity;
}

/** One promise (service-level clock) as it stands at an instant. */
export interface Clock {
  clock: ClockName;
  state: ClockState;
  /** The limit promised now; null where nothing is promised. */
  limit: Limit | null;
  startedAt: Date | null;
  /** Null while the clock is paused, where nothing is promised, and before it has started. */
  dueAt: Date | null;
  endedAt: Date | null;
  /**
   * Minutes counted by the limit's calendar since counting began, without pauses; for an ended clock by the limit at
   * its end.
   */
  countedMinutes: number;
  /** Each time the clock ran out, oldest first. */
  breaches: Breach[];
}

/** All clocks of an incident at an instant: a pure function of its facts, the agreement and `now`. */
export function computeClocks(
  all: readonly Fact[] | Replayed,
  agreement: Agreement,
  now: Date,
): Record<ClockName, Clock> {
  const replayed = "facts" in all ? all : replay(all);
  const periods = { acknowledge: acknowledging(replayed), contain: containing(replayed), resolve: resolving(replayed) };
  return Object.fromEntries(
    clockKeys.map((clock) => [clock, computeClock(clock, periods[clock], replayed, agreement, now)]),
  ) as Record<ClockName, Clock>;
}

/** When a clock starts and ends, and the spans in between in which its work was done (resolved, then reopened). */
interface Period {
  start: number | null;
  end: number | null;
  /** Whether it ended because the incident was merged into another. */
  merged: boolean;
  done: Span[];
}

const actsOfPeople: ReadonlySet<IncidentNews> = new Set([
  "seen",
  "owner",
  "severity",
  "investigating",
  "asked",
  "waiting",
  "resumed",
  "action",
  "contained",
  "resolved",
  "closed",
  "merged",
  "attached",
  "commented",
]);
/** Engine news that a person in the engine caused; the rest may come from an engine's rule. */
const actsInEngines: ReadonlySet<IncidentNews> = new Set(["seen", "investigating", "contained", "resolved", "closed"]);

const isAct = ({ by, news }: Fact) =>
  by === "us" ? actsOfPeople.has(news) : by === "engine" && actsInEngines.has(news);
const firstOf = (facts: readonly Fact[], fits: (fact: Fact) => boolean) => facts.find(fits) ?? null;
const timeOf = (fact: Fact | null) => fact && fact.occurredAt.getTime();

function acknowledging({ facts }: Replayed): Period {
  const start = timeOf(firstOf(facts, ({ news }) => news === "detected" || news === "reported"));
  const act = firstOf(facts, isAct);
  const end = start === null || !act ? null : Math.max(start, act.occurredAt.getTime());
  return { start, end, merged: false, done: [] };
}

function containing(replayed: Replayed): Period {
  const { end: start } = acknowledging(replayed);
  const done = firstOf(replayed.facts, ({ news }) => ["contained", "resolved", "closed", "merged"].includes(news));
  const end = start === null || !done ? null : Math.max(start, done.occurredAt.getTime());
  return { start, end, merged: done?.news === "merged", done: [] };
}

/** Reopening the incident continues this clock; the time from resolution to reopening is not counted. */
function resolving(replayed: Replayed): Period {
  const { end: start } = acknowledging(replayed);
  if (start === null) return { start, end: null, merged: false, done: [] };
  const done: Span[] = [];
  let since: Fact | null = null;
  for (const fact of replayed.facts) {
    if (["resolved", "closed", "merged"].includes(fact.news)) since ??= fact;
    if (fact.news !== "reopened" || !since) continue;
    done.push([since.occurredAt.getTime(), fact.occurredAt.getTime()]);
    since = null;
  }
  const end = since && Math.max(start, since.occurredAt.getTime());
  return { start, end, merged: since?.news === "merged", done };
}

/** A span in which one severity applied, and the instant from which its limit counts. */
interface Stretch {
  severity: KnownSeverity;
  told: IncidentSeverity;
  countsFrom: number;
  from: number;
  until: number;
}

/** An unknown severity counts as the worst. */
export const countedAs = (severity: IncidentSeverity): KnownSeverity => (severity === "unknown" ? "P1" : severity);

/** After a raise, the new limits count from the raise; after a lowering, from the start. */
function stretchesOf({ facts }: Replayed, start: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { payload, occurredAt } of facts) {
    if (!payload.severity) continue;
    const at = Math.max(start, occurredAt.getTime());
    const severity = countedAs(payload.severity);
    const last = stretches.at(-1);
    if (!last || at === start) {
      stretches.splice(0, stretches.length, {
        severity,
        told: payload.severity,
        countsFrom: start,
        from: start,
        until: Infinity,
      });
      continue;
    }
    const change = knownSeverities.indexOf(last.severity) - knownSeverities.indexOf(severity);
    if (change === 0) {
      last.told = payload.severity;
      continue;
    }
    last.until = at;
    stretches.push({
      severity,
      told: payload.severity,
      countsFrom: change > 0 ? at : start,
      from: at,
      until: Infinity,
    });
  }
  return stretches.length > 0
    ? stretches
    : [{ severity: "P1", told: "unknown", countsFrom: start, from: start, until: Infinity }];
}

function computeClock(clock: ClockName, period: Period, replayed: Replayed, agreement: Agreement, now: Date): Clock {
  const { start, end } = period;
  const nothing = { clock, limit: null, startedAt: null, dueAt: null, endedAt: null, countedMinutes: 0, breaches: [] };
  const current = agreement.limits[countedAs(replayed.severity)][clock];
  if (start === null) return { ...nothing, limit: current, state: current ? "coming" : "none" };
  const leftOut = [...period.done, ...pausesOf(clock, replayed, agreement)];
  const reached = Math.min(end ?? Infinity, now.getTime());
  const stretches = stretchesOf(replayed, start).filter(({ from }) => from <= (end ?? Infinity));
  const dueOf = (stretch: Stretch) => {
    const limit = agreement.limits[stretch.severity][clock];
    return limit && instantAfter(stretch.countsFrom, limit.minutes * 60_000, limit.calendar, agreement.hours, leftOut);
  };
  const breaches = stretches.flatMap((stretch): Breach[] => {
    const due = dueOf(stretch);
    return due !== null && due < Math.min(stretch.until, reached)
      ? [{ dueAt: new Date(due), severity: stretch.told }]
      : [];
  });
  const last = stretches.at(-1);
  const limit = last ? agreement.limits[last.severity][clock] : null;
  const due = last ? dueOf(last) : null;
  const isPaused = end === null && leftOut.some(([from, to]) => from <= now.getTime() && now.getTime() < to);
  return {
    clock,
    state: stateOf({ limit, end, merged: period.merged, isPaused, broken: breaches.length > 0 }),
    limit,
    startedAt: new Date(start),
    dueAt: due === null || isPaused ? null : new Date(due),
    endedAt: end === null ? null : new Date(end),
    countedMinutes: limit && last ? minutesIn(last, reached, limit, agreement, leftOut) : 0,
    breaches,
  };
}

const minutesIn = (stretch: Stretch, until: number, limit: Limit, { hours }: Agreement, leftOut: readonly Span[]) =>
  Math.floor(countedBetween(stretch.countsFrom, until, limit.calendar, hours, leftOut) / 60_000);

interface Standing {
  limit: Limit | null;
  end: number | null;
  merged: boolean;
  isPaused: boolean;
  broken: boolean;
}

function stateOf({ limit, end, merged, isPaused, broken }: Standing): ClockState {
  if (broken) return "broken";
  if (!limit) return "none";
  if (end !== null) return merged ? "ended" : "kept";
  return isPaused ? "paused" : "running";
}

/** A pause counts only if it has a reason and the agreement lets this clock pause for that party. */
function pausesOf(clock: ClockName, { waits }: Replayed, { pauses }: Agreement): Span[] {
  return waits
    .filter(({ reason, waits: whom }) => reason !== "" && pauses[whom].includes(clock))
    .map(({ from, to }) => [from.getTime(), to?.getTime() ?? Infinity]);
}

/** The running clock that is due first; null if none is running. */
export function nextDue(clocks: Record<ClockName, Clock>): { clock: ClockName; dueAt: Date } | null {
  const running = clockKeys.flatMap((clock) => {
    const { state, dueAt } = clocks[clock];
    return state === "running" && dueAt ? [{ clock, dueAt }] : [];
  });
  return running.toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt))[0] ?? null;
}

import { and, asc, eq, gte, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import {
  type ClockName,
  incidentSeverities,
  type IncidentSeverity,
  type IncidentState,
  isOpen,
} from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents } from "../database/schema/index.ts";
import { tellByFacts } from "./facts.ts";
import { replay, wordsOfWait } from "./replay.ts";
import { factsToldBy, readBoundAt, toldBy, wasToldAfter } from "./told-in-span.ts";

type Reader = Database | Transaction;

/** Ranks from here on are of ended incidents; `settleIncident` writes them. An index repeats the number. */
export const rankEnded = 100;
/** Condition on `incidents`: open. */
export const incidentIsOpen = sql.raw(`rank < ${rankEnded}`);

/**
 * Counts of open incidents by severity, and of their breaches and unanswered questions. `whose` is a condition on
 * `incidents`.
 */
export async function countOpenIncidents(database: Reader, whose: SQL) {
  const { rows } = await database.execute<{
    severity: IncidentSeverity;
    open: number;
    broken: number;
    asks: number;
  }>(sql`
    select severity, count(*)::integer as open, (count(*) filter (where broken > 0))::integer as broken,
        coalesce(sum(asks), 0)::integer as asks
      from incidents where ${incidentIsOpen} and ${whose} group by severity`);
  const sum = (field: "open" | "broken" | "asks") => rows.reduce((total, row) => total + row[field], 0);
  return {
    open: sum("open"),
    broken: sum("broken"),
    asks: sum("asks"),
    bySeverity: incidentSeverities.map((severity) => ({
      severity,
      open: rows.find((row) => row.severity === severity)?.open ?? 0,
    })),
  };
}

export interface OpenIncident {
  id: string;
  number: string;
  title: string;
  severity: IncidentSeverity;
  state: IncidentState;
  openedAt: Date;
  nextClock: ClockName | null;
  nextDueAt: Date | null;
  broken: number;
  asks: number;
}

/** A customer's open incidents, worst first. */
export async function openIncidentsOf(database: Reader, organisationId: string, limit = 50): Promise<OpenIncident[]> {
  const rows = await database
    .select()
    .from(incidents)
    .where(and(eq(incidents.organisationId, organisationId), lt(incidents.rank, rankEnded)))
    .orderBy(asc(incidents.rank), asc(incidents.id))
    .limit(limit);
  return rows.map(({ serial, ...row }) => ({
    id: row.id,
    number: incidentNumber(serial),
    title: row.title,
    severity: row.severity,
    state: row.state,
    openedAt: row.openedAt,
    nextClock: row.nextClock,
    nextDueAt: row.nextDueAt,
    broken: row.broken,
    asks: row.asks,
  }));
}

const runningShownMax = 50;

export interface RunningClock {
  incidentId: string;
  number: string;
  title: string;
  severity: IncidentSeverity;
  clock: ClockName;
  dueAt: Date;
}

/** The next clock to run out in each of a customer's open incidents, soonest first. */
export async function runningClocksOf(database: Reader, organisationId: string): Promise<RunningClock[]> {
  const rows = await database
    .select()
    .from(incidents)
    .where(
      and(eq(incidents.organisationId, organisationId), lt(incidents.rank, rankEnded), isNotNull(incidents.nextDueAt)),
    )
    .orderBy(asc(incidents.nextDueAt), asc(incidents.id))
    .limit(runningShownMax);
  return rows.flatMap(({ id, serial, title, severity, nextClock, nextDueAt }) =>
    nextClock && nextDueAt
      ? [{ incidentId: id, number: incidentNumber(serial), title, severity, clock: nextClock, dueAt: nextDueAt }]
      : [],
  );
}

export interface AskedAction {
  incidentId: string;
  number: string;
  /** Id of the fact that asks. */
  ask: string;
  text: string;
  askedAt: Date;
}

/**
 * Unanswered questions and waits for the customer in open incidents, newest first: now, or as reported for a span that
 * ended at `by`.
 */
export async function actionsAskedOf(database: Reader, organisationId: string, by?: Date): Promise<AskedAction[]> {
  const asks = and(lt(incidents.rank, rankEnded), sql`${incidents.asks} > 0`);
  const rows = await database
    .select({ id: incidents.id, serial: incidents.serial, bindingId: incidents.bindingId })
    .from(incidents)
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        by ? and(lt(incidents.openedAt, by), or(asks, gte(incidents.changedAt, by), wasToldAfter(by))) : asks,
      ),
    )
    .orderBy(asc(incidents.rank), asc(incidents.id));
  const boundAtOf = by && (await readBoundAt(database, rows));
  const asked = await tellByFacts(database, rows, ({ id, serial, ...row }, facts) => {
    const told = by && boundAtOf ? factsToldBy(toldBy(by), facts, boundAtOf(row)) : facts;
    const { state, openAsks, openWaits } = replay(told, by);
    if (!isOpen(state)) return [];
    return [...openAsks, ...openWaits].map((fact): AskedAction => ({
      incidentId: id,
      number: incidentNumber(serial),
      ask: fact.id,
      text: fact.news === "waiting" ? wordsOfWait(fact) : (fact.payload.text ?? ""),
      askedAt: fact.occurredAt,
    }));
  });
  return asked.flat().toSorted((one, other) => Number(other.askedAt) - Number(one.askedAt));
}

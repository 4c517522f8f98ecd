import { and, asc, eq, sql } from "drizzle-orm";
import { type ClockName, clockKeys, incidentSeverities, isOpen } from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { incidentBreaches, incidents } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { type Breach, type Clock, computeClocks, countedAs, nextDue } from "./clocks.ts";
import { type FactRow, readFacts } from "./facts.ts";
import type { IncidentRow } from "./find-incident.ts";
import { rankEnded } from "./open-incidents.ts";
import { replay, type Replayed } from "./replay.ts";
import { levelsAt } from "./service-levels.ts";

/** An incident as its facts have it now. */
export interface Settled {
  facts: FactRow[];
  replayed: Replayed;
  clocks: Record<(typeof clockKeys)[number], Clock>;
}

/**
 * Recomputes an incident from its facts and updates the columns that lists read. The caller has locked the incident.
 */
export async function settleIncident(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
): Promise<Settled> {
  const now = services.now();
  const facts = await readFacts(transaction, incident.id);
  const replayed = replay(facts);
  const openedAt = openedAtOf(replayed) ?? incident.openedAt;
  const { agreement } = await levelsAt(transaction, openedAt);
  const clocks = computeClocks(replayed, agreement, now);
  const broken = await keepBreaches(services, transaction, incident, clocks);
  const next = nextDue(clocks);
  const timeOf = (...news: string[]) => replayed.facts.findLast((fact) => news.includes(fact.news))?.occurredAt ?? null;
  const ended = { closed: "closed", merged: "merged" }[replayed.state as string];
  const cache = {
    severity: replayed.severity,
    state: replayed.state,
    waitsFor: isOpen(replayed.state) ? replayed.waitsFor : null,
    // The facts still name an owner whose row was erased.
    ownerId: sql`(select id from people where id = ${replayed.ownerId}::uuid)`,
    openedAt,
    acknowledgedAt: clocks.acknowledge.endedAt,
    containedAt: clocks.contain.endedAt,
    resolvedAt: clocks.resolve.endedAt,
    closedAt: ended ? timeOf(ended) : null,
    changedAt: replayed.facts.at(-1)?.occurredAt ?? openedAt,
    nextDueAt: next?.dueAt ?? null,
    nextClock: next?.clock ?? null,
    broken,
    asks: isOpen(replayed.state) ? replayed.openAsks.length + replayed.openWaits.length : 0,
    rank: rankOf(replayed, broken),
  };
  await transaction.update(incidents).set(cache).where(eq(incidents.id, incident.id));
  return { facts, replayed, clocks };
}

const openedAtOf = ({ facts }: Replayed) =>
  facts.find(({ news }) => news === "detected" || news === "reported")?.occurredAt;

/**
 * Sort rank, lowest first: open ones by severity, with a broken promise before others; then resolved; then closed or
 * merged.
 */
function rankOf({ state, severity }: Replayed, broken: number): number {
  const ended = isOpen(state) ? 0 : state === "resolved" ? rankEnded : 2 * rankEnded;
  return ended + 2 * incidentSeverities.indexOf(severity) + (broken > 0 ? 0 : 1);
}

type BreachRow = typeof incidentBreaches.$inferSelect;

/**
 * Records each breach once and notifies of it. When corrected facts move a breach, its row moves too. A breach that the
 * facts no longer show stays, marked as undone; if it reappears, it counts again. Returns the number of breaches ever
 * recorded.
 */
async function keepBreaches(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  clocks: Settled["clocks"],
): Promise<number> {
  const now = services.now();
  const breaches = breachesOf(clocks);
  const known = await transaction
    .select()
    .from(incidentBreaches)
    .where(eq(incidentBreaches.incidentId, incident.id))
    .orderBy(asc(incidentBreaches.dueAt));
  const change = (row: BreachRow, to: Partial<BreachRow>) =>
    transaction
      .update(incidentBreaches)
      .set(to)
      .where(
        and(
          eq(incidentBreaches.incidentId, row.incidentId),
          eq(incidentBreaches.clock, row.clock),
          eq(incidentBreaches.dueAt, row.dueAt),
        ),
      );
  const gone = new Set(known.filter((row) => !row.undoneAt && !breaches.some((breach) => isSame(breach, row))));
  let added = 0;
  for (const breach of breaches) {
    const { clock, dueAt, severity } = breach;
    const written = known.find((row) => isSame(breach, row));
    if (written && !written.undoneAt) continue;
    const moved = written ? undefined : [...gone].find((row) => isOfOnePromise(breach, row));
    if (moved) {
      gone.delete(moved);
      await change(moved, { dueAt });
      continue;
    }
    if (written) await change(written, { undoneAt: null });
    else {
      const values = { incidentId: incident.id, clock, dueAt, severity, recordedAt: now };
      await transaction.insert(incidentBreaches).values(values);
      added += 1;
    }
    const facts = {
      incidentId: incident.id,
      incidentNumber: incidentNumber(incident.serial),
      organizationName: incident.organisationName,
      title: incident.title,
      clock,
    };
    await notify(transaction, "promise broken", `${incident.id}:${clock}:${dueAt.toISOString()}`, facts, {
      organisationId: incident.organisationId,
    });
  }
  for (const row of gone) await change(row, { undoneAt: now });
  return known.length + added;
}

type ClockBreach = Breach & { clock: ClockName };

/** Two severities may share a limit: breaches of one clock at one instant count once. */
const breachesOf = (clocks: Settled["clocks"]): ClockBreach[] =>
  clockKeys.flatMap((clock) =>
    clocks[clock].breaches
      .filter(({ dueAt }, index, all) => all.findIndex((each) => Number(each.dueAt) === Number(dueAt)) === index)
      .map((breach) => ({ clock, ...breach })),
  );

const isSame = (breach: ClockBreach, row: BreachRow) =>
  row.clock === breach.clock && Number(row.dueAt) === Number(breach.dueAt);
const isOfOnePromise = (breach: ClockBreach, row: BreachRow) =>
  row.clock === breach.clock && countedAs(row.severity) === countedAs(breach.severity);

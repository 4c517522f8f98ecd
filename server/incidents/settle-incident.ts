import { and, eq, isNull, sql } from "drizzle-orm";
import { clockKeys, incidentSeverities, isOpen } from "../../contract/incident-states.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { incidentBreaches, incidents } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { type Clock, computeClocks, nextDue } from "./clocks.ts";
import { type FactRow, readFacts } from "./facts.ts";
import type { IncidentRow } from "./find-incident.ts";
import { rankEnded } from "./open-incidents.ts";
import { replay, type Replayed } from "./replay.ts";
import { levelsAt } from "./service-levels.ts";

/** What the facts of an incident come to now. */
export interface Settled {
  facts: FactRow[];
  replayed: Replayed;
  clocks: Record<(typeof clockKeys)[number], Clock>;
}

/** Computes an incident from its facts, and writes what lists go by. The incident is locked by the caller. */
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
    ownerId: replayed.ownerId,
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

/** The worst first: by severity, those with a broken promise before others; then what is resolved, then what is closed. */
function rankOf({ state, severity }: Replayed, broken: number): number {
  const ended = isOpen(state) ? 0 : state === "resolved" ? rankEnded : 2 * rankEnded;
  return ended + 2 * incidentSeverities.indexOf(severity) + (broken > 0 ? 0 : 1);
}

/**
 * Writes each breach once. One that the facts do not show any more stays, noted as undone; shown again, it counts again.
 * Answers how many there have ever been.
 */
async function keepBreaches(
  services: Services,
  transaction: Transaction,
  incident: IncidentRow,
  clocks: Settled["clocks"],
): Promise<number> {
  const now = services.now();
  const breaches = clockKeys.flatMap((clock) => clocks[clock].breaches.map((breach) => ({ clock, ...breach })));
  for (const { clock, dueAt, severity } of breaches) {
    const [written] = await transaction
      .insert(incidentBreaches)
      .values({ incidentId: incident.id, clock, dueAt, severity, recordedAt: now })
      .onConflictDoUpdate({
        target: [incidentBreaches.incidentId, incidentBreaches.clock, incidentBreaches.dueAt],
        set: { undoneAt: null },
        setWhere: sql`${incidentBreaches.undoneAt} is not null`,
      })
      .returning({ recordedAt: incidentBreaches.recordedAt });
    if (!written) continue;
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
  const known = await transaction.select().from(incidentBreaches).where(eq(incidentBreaches.incidentId, incident.id));
  const stands = new Set(breaches.map(({ clock, dueAt }) => `${clock} ${dueAt.getTime()}`));
  for (const { clock, dueAt, undoneAt } of known)
    if (!undoneAt && !stands.has(`${clock} ${dueAt.getTime()}`))
      await transaction
        .update(incidentBreaches)
        .set({ undoneAt: now })
        .where(
          and(
            eq(incidentBreaches.incidentId, incident.id),
            eq(incidentBreaches.clock, clock),
            eq(incidentBreaches.dueAt, dueAt),
            isNull(incidentBreaches.undoneAt),
          ),
        );
  return known.length;
}

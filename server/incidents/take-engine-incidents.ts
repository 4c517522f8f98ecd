import { and, asc, eq, gt, isNotNull, isNull, ne, not, or, type SQLWrapper, sql } from "drizzle-orm";
import type { EngineIncidentState, Severity } from "../../contract/engine-kinds.ts";
import type { IncidentSeverity } from "../../contract/incident-states.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings, engineIncidents, incidents } from "../database/schema/index.ts";
import { asideMark } from "../engines/moved-aside.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import type { Services } from "../services.ts";
import { addFacts, type FactRow, type NewFact, readFacts } from "./facts.ts";
import { holdIncident } from "./find-incident.ts";
import { openIncident } from "./open-incident.ts";
import { standingFacts } from "./replay.ts";
import { settleIncident } from "./settle-incident.ts";
import { tellFact } from "./tell-people.ts";

type EngineIncident = typeof engineIncidents.$inferSelect;

/** The severity here for each of an engine's severities; an informational case is still a case. */
const severityOf: Record<Severity, IncidentSeverity> = {
  critical: "P1",
  high: "P2",
  medium: "P3",
  low: "P4",
  info: "P4",
  unknown: "unknown",
};

/** A case's title in lower case, without the number that DFIR-IRIS prepends. */
const nameOf = (title: SQLWrapper) => sql`regexp_replace(lower(${title}), '^#[0-9]+ - ', '')`;

/** Whether the engine still uses this id for the case. */
const isTold = (externalId: SQLWrapper) => sql`not starts_with(${externalId}, ${asideMark})`;

/** Whether `told` is the same case as `first`, reported again by another engine or under another id. */
const isSameCase = (first: string, told: string) => {
  const of = (table: string, column: string) => sql`${sql.identifier(table)}.${sql.identifier(column)}`;
  const openedAt = of(told, "opened_at");
  return sql`${of(first, "id")} <> ${of(told, "id")}
    and (${of(first, "binding_id")} <> ${of(told, "binding_id")} or not (${isTold(of(first, "external_id"))}))
    and ${of(first, "opened_at")} between ${openedAt} - interval '1 minute' and ${openedAt} + interval '1 minute'
    and ${nameOf(of(first, "title"))} = ${nameOf(of(told, "title"))}`;
};

/** One engine may hand a case on to another of the same customer, so that both report it: the first counts. */
const isToldByAnother = sql`exists (select from incidents as known
    join engine_incidents as first on first.id = known.engine_incident_id
  where known.organisation_id = ${engineIncidents.organisationId} and ${isSameCase("first", "engine_incidents")})`;

/** Cases that had ended before the engine was connected are not taken. */
const isOfOurTime = or(
  ne(engineIncidents.state, "closed"),
  sql`coalesce(${engineIncidents.closedAt}, ${engineIncidents.openedAt}) >= ${engineBindings.connectedAt}`,
);

interface ToTake {
  id: string;
  incidentId: string | null;
  connectedAt: Date;
}

/**
 * Makes incidents from an engine's cases, and adds later changes in the case as facts. Cases that had ended before the
 * engine was connected are not taken, and findings never become incidents by themselves.
 * @throws the first failure, after all other cases were taken
 */
export async function takeEngineIncidents(services: Services, bindingId: string): Promise<void> {
  await adoptOrphans(services, bindingId);
  const failures: unknown[] = [];
  const take = ({ id, incidentId, connectedAt }: ToTake) =>
    (incidentId ? takeChange(services, id, incidentId) : takeNew(services, id, connectedAt)).catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  await doEach(services, "a case of an engine was not taken", (after) => readToTake(services, bindingId, after), take);
  // So that the queue retries the cases that failed.
  if (failures.length > 0) throw failures[0];
}

/**
 * Rebinds incidents whose case is no longer reported under its id, because the engine was removed or gave the id to
 * another case, to the same case as this engine reports it. What changed meanwhile is then taken like any change. If
 * one case fits two incidents, one of them waits for the next run.
 */
async function adoptOrphans({ database }: Services, bindingId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const [binding] = await transaction
      .select({ organisationId: engineBindings.organisationId })
      .from(engineBindings)
      .where(and(eq(engineBindings.id, bindingId), isNull(engineBindings.removedAt)));
    if (!binding) return;
    await takeTurns(transaction, binding.organisationId);
    await transaction.execute(sql`
      update incidents set binding_id = told.binding_id, engine_incident_id = told.id, external_id = told.external_id,
          engine_taken_at = null
        from (select distinct on (pair.id) pair.* from (
            select distinct on (known.id) known.id as incident_id, told.id, told.binding_id, told.external_id
              from incidents as known
              join engine_incidents as first on first.id = known.engine_incident_id
              join engine_bindings as teller on teller.id = first.binding_id
              join engine_incidents as told on told.binding_id = ${bindingId}::uuid
                and told.organisation_id = known.organisation_id and ${isSameCase("first", "told")}
              where known.organisation_id = ${binding.organisationId}::uuid
                and (teller.removed_at is not null or not (${isTold(sql`first.external_id`)}))
                and ${isTold(sql`told.external_id`)}
                and not exists (select from incidents as taken where taken.engine_incident_id = told.id)
              order by known.id, right(first.external_id, length(told.external_id)) = told.external_id desc, told.id
          ) as pair order by pair.id, pair.incident_id) as told
        where incidents.id = told.incident_id`);
  });
}

/** Engines that report the same case at once take turns. */
const takeTurns = (transaction: Transaction, organisationId: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`engine cases ${organisationId}`}, 0))`);

const readToTake = ({ database }: Services, bindingId: string, after?: ToTake): Promise<ToTake[]> =>
  database
    .select({ id: engineIncidents.id, incidentId: incidents.id, connectedAt: engineBindings.connectedAt })
    .from(engineIncidents)
    .innerJoin(engineBindings, eq(engineBindings.id, engineIncidents.bindingId))
    .leftJoin(incidents, eq(incidents.engineIncidentId, engineIncidents.id))
    .where(
      and(
        eq(engineIncidents.bindingId, bindingId),
        or(
          and(isNull(incidents.id), isOfOurTime, isTold(engineIncidents.externalId), not(isToldByAnother)),
          and(
            isNotNull(incidents.id),
            or(isNull(incidents.engineTakenAt), gt(engineIncidents.changedAt, incidents.engineTakenAt)),
          ),
        ),
        after && gt(engineIncidents.id, after.id),
      ),
    )
    .orderBy(asc(engineIncidents.id))
    .limit(pageOfJob);

/** The case as the engine last reported it; null if it is gone. */
async function findCase(transaction: Transaction, id: string): Promise<EngineIncident | null> {
  const [told] = await transaction.select().from(engineIncidents).where(eq(engineIncidents.id, id));
  return told ?? null;
}

async function takeNew(services: Services, id: string, connectedAt: Date): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const told = await findCase(transaction, id);
    if (!told) return;
    await takeTurns(transaction, told.organisationId);
    const isKnown = and(eq(engineIncidents.id, id), isToldByAnother);
    if ((await transaction.$count(engineIncidents, isKnown)) > 0) return;
    await openFromCase(services, transaction, told, connectedAt);
  });
}

async function openFromCase(services: Services, transaction: Transaction, told: EngineIncident, connectedAt: Date) {
  // For a case older than the engine's connection, clocks start when the engine reported it as open here: until then it
  // may have been closed, another customer's, or unreported for lack of a change.
  const isFromBefore = told.openedAt < connectedAt;
  const openedAt = isFromBefore ? told.changedAt : told.openedAt;
  const detected: NewFact = {
    news: "detected",
    occurredAt: openedAt,
    by: "engine",
    payload: {
      severity: severityOf[told.severity],
      ...(isFromBefore && {
        text: `In the engine since ${told.openedAt.toISOString()}, before it was connected.`,
      }),
    },
    eventKey: "engine:detected",
  };
  await openIncident(services, transaction, {
    organisationId: told.organisationId,
    title: told.title,
    source: "engine",
    severity: severityOf[told.severity],
    openedAt,
    bindingId: told.bindingId,
    engineIncidentId: told.id,
    externalId: told.externalId,
    engineTakenAt: told.changedAt,
    facts: [detected, ...changesOf(told, [], openedAt)],
  });
}

async function takeChange(services: Services, id: string, incidentId: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const incident = await holdIncident(transaction, incidentId);
    const told = await findCase(transaction, id);
    if (!told) return;
    const known = await readFacts(transaction, incidentId);
    const added = await addFacts(transaction, incidentId, services.now(), changesOf(told, known, incident.openedAt));
    await transaction
      .update(incidents)
      .set({ engineTakenAt: told.changedAt, title: told.title })
      .where(eq(incidents.id, incidentId));
    const { replayed } = await settleIncident(services, transaction, incident);
    const standing = new Set(replayed.facts.map(({ id }) => id));
    for (const fact of added)
      if (standing.has(fact.id)) await tellFact(services, transaction, incident, replayed, fact);
  });
}

/** What the engine reports now that its earlier facts do not have. */
function changesOf(told: EngineIncident, known: readonly FactRow[], openedAt: Date): NewFact[] {
  const byEngine = standingFacts(known.filter(({ by }) => by === "engine"));
  const lastOf = (...news: FactRow["news"][]) => byEngine.findLast((fact) => news.includes(fact.news));
  const changes: NewFact[] = [];
  const add = (news: FactRow["news"], at: Date, more: Partial<NewFact> = {}) => {
    const occurredAt = at < openedAt ? openedAt : at;
    // The key includes the corrected fact: correcting back to an earlier value is a new fact.
    const corrected = more.corrects ? `:${more.corrects}` : "";
    const eventKey = `engine:${news}:${occurredAt.toISOString()}${corrected}`;
    changes.push({ news, occurredAt, by: "engine", eventKey, ...more });
  };
  const severity = severityOf[told.severity];
  const before = byEngine.findLast(({ payload }) => payload.severity)?.payload.severity;
  if (before !== undefined && before !== severity)
    add("severity", told.changedAt, {
      payload: { severity },
      eventKey: `engine:severity:${severity}:${told.changedAt.toISOString()}`,
    });
  const [seen, worked] = [lastOf("seen"), lastOf("investigating")];
  const respondedAt = told.firstResponseAt;
  if (respondedAt && seen?.occurredAt.getTime() !== Math.max(Number(respondedAt), Number(openedAt))) {
    add("seen", respondedAt, { corrects: seen?.id ?? null });
    // The investigation had taken its time from the first response, so it is corrected with it.
    if (seen && worked && Number(worked.occurredAt) === Number(seen.occurredAt))
      add("investigating", respondedAt, { corrects: worked.id });
  }
  // Keeps the engine's own order: its latest report is never dated before its previous one, whatever its clock says.
  const last = lastOf("investigating", "closed", "reopened");
  addState(told, last?.news ?? null, (news, at, more) =>
    add(news, last && at < last.occurredAt ? last.occurredAt : at, more),
  );
  return changes;
}

function addState(
  told: EngineIncident,
  last: FactRow["news"] | null,
  add: (news: FactRow["news"], at: Date, more?: Partial<NewFact>) => void,
): void {
  const steps: Record<EngineIncidentState, () => void> = {
    new: () => (last === "closed" ? add("reopened", told.changedAt) : undefined),
    in_progress() {
      if (last === "closed") add("reopened", told.changedAt);
      else if (last === null) add("investigating", told.firstResponseAt ?? told.changedAt);
    },
    closed() {
      if (last !== "closed")
        add("closed", told.closedAt ?? told.changedAt, {
          payload: told.verdict && told.verdict !== "unknown" ? { verdict: told.verdict } : {},
        });
    },
    // An unknown state adds nothing.
    unknown: () => undefined,
  };
  steps[told.state]();
}

import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { incidentNumber } from "../../contract/numbers.ts";
import type { IncidentObligations, RegulatorClock } from "../../contract/obligations.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents, obligationFilings, organisations, people, regulatorFacts } from "../database/schema/index.ts";
import { findIncident, type IncidentRow, type IncidentScope } from "../incidents/find-incident.ts";
import { readJoined } from "../incidents/joined-incidents.ts";
import { noteView } from "../incidents/note-view.ts";
import type { Services } from "../services.ts";
import { readFacts } from "./attested-facts.ts";
import { type CountedClock, countClocks, dayOfIncident } from "./count-clocks.ts";
import { knownClasses, readClassesOfAll } from "./entity-classes.ts";
import { byRecording, firstFilings, presentFiling, readFilings } from "./filings.ts";
import { type HeldObligation, readObligations } from "./held-obligations.ts";

/**
 * Incidents whose clocks are counted: open ones, and closed ones for which, or for an incident merged into them, a fact
 * was attested or a report filed.
 */
export const isCounted: SQL = sql`${incidents.state} <> 'merged' and (${incidents.state} <> 'closed' or exists (
  with recursive joined as (
    select ${incidents.id} as id
    union select merged.id from joined join incidents merged on merged.merged_into = joined.id and merged.state = 'merged'
  )
  select from joined where exists (select from ${regulatorFacts} where ${regulatorFacts.incidentId} = joined.id)
    or exists (select from ${obligationFilings} where ${obligationFilings.incidentId} = joined.id)))`;

type Counted = Pick<IncidentRow, "id" | "organisationId">;

/** Everything from which an incident's clocks and drafts are made. */
export const readState = async (database: Database | Transaction, incident: Counted, now: Date) =>
  (await readStates(database, [incident], now, await readObligations(database)))(incident);

/** The same for many incidents, by a fixed number of statements. Merged ones count as one, whichever is asked for. */
export async function readStates<Each extends Counted>(
  database: Database | Transaction,
  counted: readonly Each[],
  now: Date,
  obligations: readonly HeldObligation[],
) {
  const joinedWith = await readJoined(
    database,
    counted.map(({ id }) => id),
  );
  const ids = [...new Set(counted.flatMap(({ id }) => joinedWith(id).map((joined) => joined.id)))];
  const allFilings = Map.groupBy(await readFilings(database, ids, obligations), ({ incidentId }) => incidentId);
  const factsOf = await readFacts(database, ids);
  const owners = [...new Set(counted.map(({ organisationId }) => organisationId))];
  const classesOf = await readClassesOfAll(database, owners);
  return ({ id, organisationId }: Each) => {
    const joined = joinedWith(id);
    const openedAt = new Date(Math.min(...joined.map((each) => Number(each.openedAt))));
    const filings = joined.flatMap((each) => allFilings.get(each.id) ?? []).toSorted(byRecording);
    const { facts, known, firstSeen } = factsOf(joined, filings);
    const entity = classesOf(organisationId);
    const filed = firstFilings(filings);
    const clocks = countClocks({ obligations, classes: knownClasses(entity), facts: known, openedAt, filed, now });
    const day = dayOfIncident({ facts: known, openedAt });
    return { joined, openedAt, filings, facts, known, firstSeen, entity, clocks, day };
  };
}

/**
 * The regulators' clocks of an incident. Records the view: a customer that saw them has been told.
 * @throws Failure not_found
 */
export async function readIncidentObligations(
  services: Services,
  scope: IncidentScope,
  id: string,
): Promise<IncidentObligations> {
  const { database } = services;
  const incident = await findIncident(database, scope, id);
  await noteView(services, scope, incident);
  const now = services.now();
  const state = await readState(database, incident, now);
  const [owner] = await database
    .select({ name: organisations.name, timeZone: organisations.timeZone })
    .from(organisations)
    .where(eq(organisations.id, incident.organisationId));
  return {
    incident: { id: incident.id, number: incidentNumber(incident.serial), title: incident.title },
    organizationName: owner?.name ?? "",
    timeZone: owner?.timeZone ?? "",
    incidentDay: state.day,
    asOf: now.toISOString(),
    entity: state.entity,
    clocks: state.clocks.map(presentClock),
    facts: state.facts,
    firstSeen: state.firstSeen && { name: state.firstSeen.name, at: state.firstSeen.at.toISOString() },
    filings: state.filings.map(presentFiling),
    // A partner files nothing, and does not see the organisation's people.
    people: scope.reach === "customers" ? [] : await peopleOf(database, incident.organisationId),
  };
}

/** The people of an organisation who have an account. */
export async function peopleOf(database: Database | Transaction, organisationId: string) {
  const found = await database
    .select({ id: people.id, firstName: people.firstName, lastName: people.lastName })
    .from(people)
    .where(and(eq(people.organisationId, organisationId), isNotNull(people.joinedAt), isNull(people.erasedAt)))
    .orderBy(asc(people.id));
  return found.map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` }));
}

export function presentClock({ obligation, started, dueAt, ...clock }: CountedClock<HeldObligation>): RegulatorClock {
  const { key, version, title, instrument, paragraph, recipient, confidence, source, note } = obligation;
  return {
    key,
    version,
    title,
    instrument,
    paragraph,
    recipient,
    confidence,
    source,
    note,
    ...clock,
    verified: obligation.verified,
    dueAt: dueAt?.toISOString() ?? null,
    started: started && { fact: started.fact, at: started.at.toISOString() },
  };
}

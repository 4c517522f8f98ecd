import { and, asc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { incidentNumber } from "../../contract/numbers.ts";
import type { IncidentObligations, RegulatorClock } from "../../contract/obligations.ts";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents, incidentViews, organisations, people, regulatorFacts } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { readFacts } from "./attested-facts.ts";
import { type CountedClock, countClocks, dayOfIncident } from "./count-clocks.ts";
import { knownClasses, readClasses } from "./entity-classes.ts";
import { firstFilings, presentFiling, readFilings } from "./filings.ts";
import { type HeldObligation, readObligations } from "./held-obligations.ts";

export type Incident = typeof incidents.$inferSelect;
export type IncidentScope = Scope<"organisation" | "customers" | "any">;

/** An incident within the scope. @throws Failure not_found */
export async function findIncident(
  database: Database | Transaction,
  scope: IncidentScope,
  id: string,
): Promise<Incident> {
  const [incident] = await database
    .select(getTableColumns(incidents))
    .from(incidents)
    .innerJoin(organisations, eq(organisations.id, incidents.organisationId))
    .where(and(eq(incidents.id, id), organisationsIn(scope)));
  if (!incident) throw notFound("This incident");
  if (scope.reach !== "organisation") noteReached(scope, incident.organisationId);
  return incident;
}

/** Incidents whose clocks are looked at: open ones, and those of which somebody attested a fact. */
export const isCounted: SQL = sql`${incidents.state} <> 'merged' and (${incidents.state} <> 'closed'
  or exists (select from ${regulatorFacts} where ${regulatorFacts.incidentId} = ${incidents.id}))`;

/** Everything that clocks and drafts of an incident are made of. */
export async function readState(
  database: Database | Transaction,
  incident: Pick<Incident, "id" | "organisationId" | "openedAt">,
  now: Date,
  obligations?: HeldObligation[],
) {
  const held = obligations ?? (await readObligations(database));
  const filings = await readFilings(database, incident.id, held);
  const { facts, known, firstSeen } = await readFacts(database, incident.id, filings);
  const entity = await readClasses(database, incident.organisationId);
  const counted = { facts: known, openedAt: incident.openedAt };
  const clocks = countClocks({
    ...counted,
    obligations: held,
    classes: knownClasses(entity),
    filed: firstFilings(filings),
    now,
  });
  return { held, filings, facts, known, firstSeen, entity, clocks, day: dayOfIncident(counted) };
}

/**
 * The regulators' clocks of an incident. That somebody of the customer sees them is kept: they were told by then.
 * @throws Failure not_found
 */
export async function readIncidentObligations(
  services: Services,
  scope: IncidentScope,
  id: string,
): Promise<IncidentObligations> {
  const { database } = services;
  const now = services.now();
  const incident = await findIncident(database, scope, id);
  if (scope.reach === "organisation") await noteView(database, scope, incident, now);
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
    people: await peopleOf(database, incident.organisationId),
  };
}

const noteView = (database: Database, { actor }: IncidentScope, { id }: Incident, now: Date) =>
  database
    .insert(incidentViews)
    .values({ incidentId: id, personId: actor.personId, side: "customer", firstAt: now })
    .onConflictDoNothing();

/** Who of an organisation has an account. */
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

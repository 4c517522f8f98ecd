import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { showLimit } from "../../contract/incident-agreement.ts";
import { clockKeys, incidentNewsNames, incidentSteps, isOpen } from "../../contract/incident-states.ts";
import type { ClockShown, IncidentRoom, TimelineFact } from "../../contract/incidents.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Database } from "../database/database.ts";
import { incidentBreaches, incidentFiles, incidents, incidentViews, people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { type Clock, computeClocks } from "./clocks.ts";
import { type FactRow, readFacts } from "./facts.ts";
import { findIncident, type IncidentRow, type IncidentScope } from "./find-incident.ts";
import { readCalls } from "./ladder.ts";
import { noteView } from "./note-view.ts";
import { readAttached, readEngine } from "./read-from-engines.ts";
import { presentIncident } from "./queries.ts";
import { replay, type Replayed, rootsOf, standingFacts, wordsOfWait } from "./replay.ts";
import { type Levels, levelsAt } from "./service-levels.ts";

/** An incident with everything its reader may know; records the reader's first view. @throws Failure not_found */
export async function readRoom(services: Services, scope: IncidentScope, id: string): Promise<IncidentRoom> {
  const { database } = services;
  const incident = await findIncident(database, scope, id);
  await noteView(services, scope, incident);
  const facts = await readFacts(database, id);
  const replayed = replay(facts);
  const levels = await levelsAt(database, incident.openedAt);
  const clocks = computeClocks(replayed, levels.agreement, services.now());
  const { names, emails } = await knownOf(database, facts, incident);
  const isOurs = scope.reach === "any";
  const shown = isOurs ? facts : withoutOurs(facts);
  return {
    ...presentIncident({ ...incident, organizationName: incident.organisationName, owner: names(incident.ownerId) }),
    // Computed now: the columns of the row may be a minute old.
    severity: replayed.severity,
    state: replayed.state,
    clocks: clockKeys.map((clock) => presentClock(clocks[clock], levels)),
    levels: { number: levels.number, is_sample: levels.isSample },
    timeline: presentTimeline(shown, names, isOurs ? emails : () => null),
    questions: presentQuestions(replayed, rootsOf(facts)),
    waits: isOpen(replayed.state)
      ? replayed.openWaits.map((fact) => ({
          id: fact.id,
          text: wordsOfWait(fact),
          since: fact.occurredAt.toISOString(),
        }))
      : [],
    breaches: await readBreaches(database, id),
    files: await readFiles(database, id, names),
    findings: await readAttached(database, scope, id),
    engine: await readEngine(database, scope, incident),
    report: incident.report,
    on_call: incident.onCallAskedAt && { told_at: incident.onCallToldAt?.toISOString() ?? null },
    ladder: scope.reach === "customers" ? [] : await readCalls(database, id),
    first_seen: await readFirstSeen(database, id),
    merged_into: await readMergedInto(database, incident),
    can: isOurs ? incidentNewsNames.filter((news) => incidentSteps[replayed.state][news] !== undefined) : [],
  };
}

/**
 * Leaves internal facts out for customers and partners. An internal correction of a public fact is shown as its
 * withdrawal.
 */
function withoutOurs(facts: readonly FactRow[]): FactRow[] {
  const isOurs = (id: string | null) => facts.some((fact) => fact.id === id && fact.payload.internal);
  return facts.flatMap((fact) => {
    if (!fact.payload.internal) return [fact];
    return fact.corrects === null || isOurs(fact.corrects) ? [] : [{ ...fact, payload: {}, withdrawn: true }];
  });
}

type NameOf = (personId: string | null) => string | null;

/** Looks up the names and e-mail addresses of everybody who took part. */
async function knownOf(
  database: Database,
  facts: readonly FactRow[],
  { ownerId, id }: IncidentRow,
): Promise<Record<"names" | "emails", NameOf>> {
  const attached = await database
    .selectDistinct({ personId: incidentFiles.personId })
    .from(incidentFiles)
    .where(and(eq(incidentFiles.incidentId, id), isNotNull(incidentFiles.personId)));
  const owners = facts.map(({ payload }) => payload.ownerId ?? null);
  const ids = [
    ...facts.map(({ personId }) => personId),
    ...owners,
    ...attached.map(({ personId }) => personId),
    ownerId,
  ];
  const known = [...new Set(ids.filter((each) => each !== null))];
  const found =
    known.length === 0
      ? []
      : await database
          .select({ id: people.id, firstName: people.firstName, lastName: people.lastName, email: people.email })
          .from(people)
          .where(inArray(people.id, known));
  const persons = new Map(found.map((person) => [person.id, person]));
  return {
    names(personId) {
      const person = persons.get(personId ?? "");
      return person ? `${person.firstName} ${person.lastName}` : null;
    },
    emails: (personId) => persons.get(personId ?? "")?.email ?? null,
  };
}

const presentClock = (clock: Clock, { agreement }: Levels): ClockShown => ({
  clock: clock.clock,
  state: clock.state,
  promised: clock.limit && showLimit(clock.limit, agreement.hours),
  limit_minutes: clock.limit?.minutes ?? null,
  started_at: clock.startedAt?.toISOString() ?? null,
  due_at: clock.dueAt?.toISOString() ?? null,
  ended_at: clock.endedAt?.toISOString() ?? null,
  counted_minutes: clock.countedMinutes,
});

/** Newest first; a corrected fact stays in the list and is marked as such. */
function presentTimeline(facts: readonly FactRow[], names: NameOf, emails: NameOf): TimelineFact[] {
  const standing = new Set(standingFacts(facts).map(({ id }) => id));
  return facts
    .toSorted((one, other) => Number(other.occurredAt) - Number(one.occurredAt) || other.serial - one.serial)
    .map(({ payload, ...fact }) => ({
      id: fact.id,
      news: fact.news,
      occurred_at: fact.occurredAt.toISOString(),
      recorded_at: fact.recordedAt.toISOString(),
      by: fact.by,
      person: names(fact.personId),
      text: payload.text ?? "",
      severity: payload.severity ?? null,
      owner: names(payload.ownerId ?? null),
      owner_email: emails(payload.ownerId ?? null),
      reason: payload.reason ?? (payload.into ? `It goes on in ${payload.into}.` : ""),
      waits_for: payload.waits ?? null,
      verdict: payload.verdict ?? null,
      internal: payload.internal ?? false,
      stands: standing.has(fact.id),
      corrects: fact.corrects,
      withdrawn: fact.withdrawn,
    }));
}

/** An answer refers to the question as it stood then, so both are compared by the root of their corrections. */
function presentQuestions({ facts }: Replayed, rootOf: (id: string) => string): IncidentRoom["questions"] {
  return facts
    .filter(({ news }) => news === "asked")
    .map((asked) => {
      const answer = facts.find(({ payload: { ask } }) => ask && rootOf(ask) === rootOf(asked.id));
      return {
        id: asked.id,
        root: rootOf(asked.id),
        text: asked.payload.text ?? "",
        asked_at: asked.occurredAt.toISOString(),
        pauses: Boolean(asked.payload.waits && asked.payload.reason),
        answer: answer?.payload.text ?? null,
        answered_at: answer?.occurredAt.toISOString() ?? null,
      };
    });
}

async function readBreaches(database: Database, incidentId: string): Promise<IncidentRoom["breaches"]> {
  const rows = await database
    .select()
    .from(incidentBreaches)
    .where(eq(incidentBreaches.incidentId, incidentId))
    .orderBy(asc(incidentBreaches.dueAt));
  return rows.map(({ clock, severity, dueAt, recordedAt, undoneAt }) => ({
    clock,
    severity,
    due_at: dueAt.toISOString(),
    recorded_at: recordedAt.toISOString(),
    undone_at: undoneAt?.toISOString() ?? null,
  }));
}

async function readFiles(database: Database, incidentId: string, names: NameOf): Promise<IncidentRoom["files"]> {
  const rows = await database
    .select()
    .from(incidentFiles)
    .where(eq(incidentFiles.incidentId, incidentId))
    .orderBy(asc(incidentFiles.createdAt));
  return rows.map(({ id, name, bytes, sha256, by, personId, createdAt }) => ({
    id,
    name,
    bytes,
    sha256,
    by,
    person: names(personId),
    attached_at: createdAt.toISOString(),
  }));
}

/** Who on the customer's side saw it first, and when. It is evidence, so every reader gets it. */
async function readFirstSeen(database: Database, incidentId: string): Promise<{ by: string; at: string } | null> {
  const [first] = await database
    .select({ firstName: people.firstName, lastName: people.lastName, at: incidentViews.firstAt })
    .from(incidentViews)
    .innerJoin(people, eq(people.id, incidentViews.personId))
    .where(and(eq(incidentViews.incidentId, incidentId), eq(incidentViews.side, "customer")))
    .orderBy(asc(incidentViews.firstAt))
    .limit(1);
  return first ? { by: `${first.firstName} ${first.lastName}`, at: first.at.toISOString() } : null;
}

async function readMergedInto(database: Database, { mergedInto }: IncidentRow): Promise<IncidentRoom["merged_into"]> {
  if (!mergedInto) return null;
  const [into] = await database
    .select({ id: incidents.id, serial: incidents.serial })
    .from(incidents)
    .where(eq(incidents.id, mergedInto));
  return into ? { id: into.id, number: incidentNumber(into.serial) } : null;
}

import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AttestedFact } from "../../contract/obligations.ts";
import type { FactValue, RegulatorFactKind, TimeFact } from "../../contract/regulator-facts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { incidentFacts, incidentViews, organisations, people, regulatorFacts } from "../database/schema/index.ts";
import type { JoinedIncident } from "../incidents/joined-incidents.ts";
import type { KnownFacts } from "./count-clocks.ts";
import type { FilingRow } from "./filings.ts";

const nameOf = sql<string>`${people.firstName} || ' ' || ${people.lastName}`;

export interface FactsOfIncident {
  /** Entered by people, or recorded by engines and this portal; oldest entry first. */
  facts: AttestedFact[];
  known: KnownFacts;
  /** The customer's person who saw it first. */
  firstSeen: FirstSeen | null;
}
interface FirstSeen {
  name: string;
  at: Date;
}

/** Facts attested about incidents, by a fixed number of statements; a merged incident has those of all its parts. */
export async function readFacts(
  database: Database | Transaction,
  incidentIds: readonly string[],
): Promise<(joined: readonly JoinedIncident[], filings: readonly FilingRow[]) => FactsOfIncident> {
  const enteredIn = await readEntered(database, incidentIds);
  const newsOf = await readNews(database, incidentIds);
  const seen = await database
    .selectDistinctOn([incidentViews.incidentId], {
      incidentId: incidentViews.incidentId,
      name: nameOf,
      at: incidentViews.firstAt,
    })
    .from(incidentViews)
    .innerJoin(people, eq(people.id, incidentViews.personId))
    .where(and(isOneOf(incidentViews.incidentId, incidentIds), eq(incidentViews.side, "customer")))
    .orderBy(incidentViews.incidentId, asc(incidentViews.firstAt));
  const firstSeenIn = new Map(seen.map(({ incidentId, ...first }) => [incidentId, first]));
  return (joined, filings) => {
    const [firstSeen = null] = joined
      .flatMap(({ id }) => firstSeenIn.get(id) ?? [])
      .toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const recorded = recordedOf(
      joined.flatMap(({ id }) => newsOf(id)),
      firstSeen,
      filings,
    );
    const facts = [...joined.flatMap(enteredIn), ...recorded].toSorted((one, other) =>
      one.enteredAt.localeCompare(other.enteredAt),
    );
    const holding = withHolds(facts);
    return { facts: holding, known: knownOf(holding), firstSeen };
  };
}

/** `enteredOf` is the incident for which a person entered the fact; null if an engine or this portal recorded it. */
type Attested = AttestedFact & { enteredOf: JoinedIncident | null };

async function readEntered(database: Database | Transaction, incidentIds: readonly string[]) {
  const rows = await database
    .select({ row: regulatorFacts, name: nameOf, kind: organisations.kind })
    .from(regulatorFacts)
    .innerJoin(people, eq(people.id, regulatorFacts.enteredBy))
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(isOneOf(regulatorFacts.incidentId, incidentIds))
    .orderBy(asc(regulatorFacts.serial));
  const byIncident = Map.groupBy(rows, ({ row }) => row.incidentId);
  return (incident: JoinedIncident): Attested[] =>
    (byIncident.get(incident.id) ?? []).map(({ row, name, kind }) => ({
      kind: row.kind,
      value: row.value,
      by: kind === "provider" ? `${name}, of ours` : name,
      enteredAt: row.createdAt.toISOString(),
      holds: false,
      enteredOf: incident,
    }));
}

/** The entries about how incidents began that still hold. */
async function readNews(database: Database | Transaction, incidentIds: readonly string[]) {
  const later = alias(incidentFacts, "later");
  const rows = await database
    .select({ fact: incidentFacts })
    .from(incidentFacts)
    .leftJoin(later, eq(later.corrects, incidentFacts.id))
    .where(
      and(
        isOneOf(incidentFacts.incidentId, incidentIds),
        inArray(incidentFacts.news, ["detected", "reported"]),
        eq(incidentFacts.withdrawn, false),
        isNull(later.id),
      ),
    );
  const byIncident = Map.groupBy(rows, ({ fact }) => fact.incidentId);
  return (incidentId: string) => byIncident.get(incidentId) ?? [];
}

/** The facts that nobody has to enter, because engines and this portal recorded them. */
function recordedOf(
  news: readonly { fact: typeof incidentFacts.$inferSelect }[],
  firstSeen: FirstSeen | null,
  filings: readonly FilingRow[],
): Attested[] {
  const recorded = (kind: TimeFact, at: Date, by: string, enteredAt: Date): Attested => ({
    kind,
    value: { at: at.toISOString() },
    by,
    enteredAt: enteredAt.toISOString(),
    holds: false,
    enteredOf: null,
  });
  return [
    ...news.flatMap(({ fact }) => {
      if (fact.news === "detected" && fact.by !== "customer")
        return [
          recorded("detected", fact.occurredAt, fact.by === "engine" ? "The engine" : "Our analysts", fact.recordedAt),
        ];
      if (fact.news === "reported" && fact.by === "customer")
        return [recorded("noticed", fact.occurredAt, "Reported to us from your organization", fact.recordedAt)];
      return [];
    }),
    ...(firstSeen
      ? [recorded("brought to notice", firstSeen.at, `Opened here first by ${firstSeen.name}`, firstSeen.at)]
      : []),
    ...filings
      .filter(({ filingIs }) => filingIs !== null)
      .map(({ filingIs, filedAt, filedBy, createdAt }) =>
        recorded(filingIs ?? "reported to sebi", filedAt, `Filed by ${filedBy}`, createdAt),
      ),
  ];
}

/**
 * Marks the facts that hold. Of people's entries, the newest of each kind holds; across incidents that were merged
 * later, the earliest time. A time recorded by an engine or this portal holds if it is earlier: a person can say that
 * something came before it, not after.
 */
function withHolds(facts: readonly Attested[]): AttestedFact[] {
  const holding = new Map<RegulatorFactKind, Attested>();
  const entered = facts.filter((fact) => fact.enteredOf !== null);
  for (const [index, fact] of entered.entries()) {
    if (entered.slice(index + 1).some((later) => corrects(later, fact))) continue;
    const other = holding.get(fact.kind);
    if (!other || !startsLessThan(fact.value, other.value)) holding.set(fact.kind, fact);
  }
  for (const fact of facts.filter(({ enteredOf }) => enteredOf === null)) {
    const other = holding.get(fact.kind);
    if (!other || timeOf(fact.value) < timeOf(other.value)) holding.set(fact.kind, fact);
  }
  return facts.map(({ enteredOf: _enteredOf, ...fact }, index) => ({
    ...fact,
    holds: holding.get(fact.kind) === facts[index],
  }));
}

/** An entry for one incident corrects an entry for another only if it was made after the two were merged. */
function corrects(later: Attested, fact: Attested): boolean {
  const [one, other] = [later.enteredOf, fact.enteredOf];
  if (!one || !other || later.kind !== fact.kind) return false;
  return (
    one.id === other.id || [one, other].every(({ joinedAt }) => !joinedAt || later.enteredAt > joinedAt.toISOString())
  );
}

/**
 * Neither of two merged incidents takes back what starts a clock of the other: a later time, an empty list of kinds or
 * a no does not count.
 */
function startsLessThan(value: FactValue, other: FactValue): boolean {
  if ("types" in value) return value.types.length === 0 && "types" in other && other.types.length > 0;
  if ("yes" in value) return !value.yes && "yes" in other && other.yes;
  return timeOf(value) > timeOf(other);
}

const timeOf = (value: FactValue): number => ("at" in value ? Date.parse(value.at) : Number.POSITIVE_INFINITY);

function knownOf(facts: readonly AttestedFact[]): KnownFacts {
  const known: KnownFacts = { times: {}, answers: {}, choices: {} };
  for (const { kind, value } of facts.filter(({ holds }) => holds)) {
    if ("at" in value) known.times[kind as TimeFact] = new Date(value.at);
    else if ("types" in value) known.types = value.types;
    else if ("yes" in value) known.answers[kind as keyof KnownFacts["answers"]] = value.yes;
    else if ("choice" in value) known.choices[kind as keyof KnownFacts["choices"]] = value.choice;
  }
  return known;
}

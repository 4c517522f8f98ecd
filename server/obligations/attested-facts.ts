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
  /** By people, engines and this portal, the oldest entry first. */
  facts: AttestedFact[];
  known: KnownFacts;
  /** Who of the customer saw it first. */
  firstSeen: FirstSeen | null;
}
interface FirstSeen {
  name: string;
  at: Date;
}

/** What is attested of incidents, by a fixed number of statements: of those that were merged, what is attested of any. */
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

/** Entered by a person, of one of the incidents; else written down by an engine or this portal. */
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

/** What stands of how an incident began. */
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

/** What nobody has to enter: engines and this portal have written it down. */
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
 * Of what people entered the newest of a kind counts; of what was entered of several incidents before they were merged, the earliest
 * time. Of times, what an engine or this portal wrote down counts where it is earlier: a person can say that something came before,
 * not that it came after.
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

/** Whoever entered something of one incident knew what was entered of another only after the two had become one. */
function corrects(later: Attested, fact: Attested): boolean {
  const [one, other] = [later.enteredOf, fact.enteredOf];
  if (!one || !other || later.kind !== fact.kind) return false;
  return (
    one.id === other.id || [one, other].every(({ joinedAt }) => !joinedAt || later.enteredAt > joinedAt.toISOString())
  );
}

/** Of two incidents that became one, neither takes back what starts a clock of the other: a later time, no kind, a no. */
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

import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AttestedFact } from "../../contract/obligations.ts";
import type { FactValue, RegulatorFactKind, TimeFact } from "../../contract/regulator-facts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidentFacts, incidentViews, organisations, people, regulatorFacts } from "../database/schema/index.ts";
import type { KnownFacts } from "./count-clocks.ts";
import type { FilingRow } from "./filings.ts";

const nameOf = sql<string>`${people.firstName} || ' ' || ${people.lastName}`;

/** What is attested of an incident, by people, engines and this portal, the oldest entry first; and who of the customer saw it first. */
export async function readFacts(
  database: Database | Transaction,
  incidentId: string,
  filings: readonly FilingRow[],
): Promise<{ facts: AttestedFact[]; known: KnownFacts; firstSeen: { name: string; at: Date } | null }> {
  const entered = await readEntered(database, incidentId);
  const [firstSeen] = await database
    .select({ name: nameOf, at: incidentViews.firstAt })
    .from(incidentViews)
    .innerJoin(people, eq(people.id, incidentViews.personId))
    .where(and(eq(incidentViews.incidentId, incidentId), eq(incidentViews.side, "customer")))
    .orderBy(asc(incidentViews.firstAt))
    .limit(1);
  const facts = [...entered, ...(await readRecorded(database, incidentId, firstSeen ?? null, filings))].toSorted(
    (one, other) => one.enteredAt.localeCompare(other.enteredAt),
  );
  const holding = withHolds(facts);
  return { facts: holding, known: knownOf(holding), firstSeen: firstSeen ?? null };
}

type Attested = AttestedFact & { byPerson: boolean };

async function readEntered(database: Database | Transaction, incidentId: string): Promise<Attested[]> {
  const rows = await database
    .select({ row: regulatorFacts, name: nameOf, kind: organisations.kind })
    .from(regulatorFacts)
    .innerJoin(people, eq(people.id, regulatorFacts.enteredBy))
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(eq(regulatorFacts.incidentId, incidentId))
    .orderBy(asc(regulatorFacts.serial));
  return rows.map(({ row, name, kind }) => ({
    kind: row.kind,
    value: row.value,
    by: kind === "provider" ? `${name}, of ours` : name,
    enteredAt: row.createdAt.toISOString(),
    holds: false,
    byPerson: true,
  }));
}

/** What nobody has to enter: engines and this portal have written it down. */
async function readRecorded(
  database: Database | Transaction,
  incidentId: string,
  firstSeen: { name: string; at: Date } | null,
  filings: readonly FilingRow[],
): Promise<Attested[]> {
  const later = alias(incidentFacts, "later");
  const news = await database
    .select({ fact: incidentFacts })
    .from(incidentFacts)
    .leftJoin(later, eq(later.corrects, incidentFacts.id))
    .where(and(eq(incidentFacts.incidentId, incidentId), eq(incidentFacts.withdrawn, false), isNull(later.id)));
  const recorded = (kind: TimeFact, at: Date, by: string, enteredAt: Date): Attested => ({
    kind,
    value: { at: at.toISOString() },
    by,
    enteredAt: enteredAt.toISOString(),
    holds: false,
    byPerson: false,
  });
  return [
    ...news.flatMap(({ fact }) => {
      if (fact.news === "detected" && fact.by !== "customer")
        return [
          recorded("detected", fact.occurredAt, fact.by === "engine" ? "The engine" : "Our analysts", fact.recordedAt),
        ];
      if (fact.news === "reported" && fact.by === "customer")
        return [recorded("noticed", fact.occurredAt, "Reported to us from your organisation", fact.recordedAt)];
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
 * Of what people entered the newest of a kind counts. Of times, what an engine or this portal wrote down counts where it is
 * earlier: a person can say that something came before, not that it came after.
 */
function withHolds(facts: readonly Attested[]): AttestedFact[] {
  const holding = new Map<RegulatorFactKind, Attested>();
  for (const fact of facts.filter(({ byPerson }) => byPerson)) holding.set(fact.kind, fact);
  for (const fact of facts.filter(({ byPerson }) => !byPerson)) {
    const other = holding.get(fact.kind);
    if (!other || timeOf(fact.value) < timeOf(other.value)) holding.set(fact.kind, fact);
  }
  return facts.map(({ byPerson: _byPerson, ...fact }, index) => ({
    ...fact,
    holds: holding.get(fact.kind) === facts[index],
  }));
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

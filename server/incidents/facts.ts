import { asc } from "drizzle-orm";
import type { IncidentPayload } from "../../contract/incident-payload.ts";
import type { IncidentNews } from "../../contract/incident-states.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { incidentFacts } from "../database/schema/index.ts";

export type FactRow = typeof incidentFacts.$inferSelect;

/** All facts of an incident, in the order of arrival. */
export const readFacts = async (database: Database | Transaction, incidentId: string): Promise<FactRow[]> =>
  (await readFactsOfAll(database, [incidentId]))(incidentId);

/** The facts of many incidents, in one statement. */
async function readFactsOfAll(
  database: Database | Transaction,
  incidentIds: readonly string[],
): Promise<(incidentId: string) => FactRow[]> {
  const rows = await database
    .select()
    .from(incidentFacts)
    .where(isOneOf(incidentFacts.incidentId, incidentIds))
    .orderBy(asc(incidentFacts.serial));
  const byIncident = Map.groupBy(rows, ({ incidentId }) => incidentId);
  return (incidentId) => byIncident.get(incidentId) ?? [];
}

/** How many incidents' facts are in memory at a time. */
const readAtOnce = 500;

/** Maps incidents, in their order, with the facts of each. */
export async function tellByFacts<Row extends { id: string }, Told>(
  database: Database | Transaction,
  rows: readonly Row[],
  tell: (row: Row, facts: FactRow[]) => Told,
): Promise<Told[]> {
  const told: Told[] = [];
  for (let start = 0; start < rows.length; start += readAtOnce) {
    const some = rows.slice(start, start + readAtOnce);
    // oxlint-disable-next-line no-await-in-loop -- a transaction answers one question at a time
    const factsOf = await readFactsOfAll(
      database,
      some.map(({ id }) => id),
    );
    told.push(...some.map((row) => tell(row, factsOf(row.id))));
  }
  return told;
}

export interface NewFact {
  id?: string;
  news: IncidentNews;
  occurredAt: Date;
  by: FactRow["by"];
  personId?: string | null;
  payload?: IncidentPayload;
  corrects?: string | null;
  withdrawn?: boolean;
  /** Identifies the event, so that hearing of it twice adds one fact. */
  eventKey: string;
}

/** Adds those facts that are not known yet, in this order, and returns them. */
export async function addFacts(
  transaction: Transaction,
  incidentId: string,
  recordedAt: Date,
  facts: readonly NewFact[],
): Promise<FactRow[]> {
  if (facts.length === 0) return [];
  const rows = facts.map(({ payload, corrects, withdrawn, personId, ...fact }) => ({
    ...fact,
    incidentId,
    recordedAt,
    personId: personId ?? null,
    payload: payload ?? {},
    corrects: corrects ?? null,
    withdrawn: withdrawn ?? false,
  }));
  return transaction.insert(incidentFacts).values(rows).onConflictDoNothing().returning();
}

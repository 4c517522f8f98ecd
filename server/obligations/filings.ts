import { asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Filing } from "../../contract/obligations.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { obligationFilings, people } from "../database/schema/index.ts";
import type { HeldObligation } from "./held-obligations.ts";

/** A filing with people's names, the obligation's title, and what it counts as for other clocks. */
export type FilingRow = Omit<typeof obligationFilings.$inferSelect, "filedBy" | "recordedBy"> &
  Pick<HeldObligation, "title" | "filingIs"> & { filedBy: string; recordedBy: string };

const filers = alias(people, "filers");
const nameOf = ({ firstName, lastName }: typeof filers | typeof people) =>
  sql<string>`${firstName} || ' ' || ${lastName}`;

/** The filings about incidents, in the order of recording. */
export async function readFilings(
  database: Database | Transaction,
  incidentIds: readonly string[],
  obligations: readonly HeldObligation[],
): Promise<FilingRow[]> {
  const rows = await database
    .select({ row: obligationFilings, filedBy: nameOf(filers), recordedBy: nameOf(people) })
    .from(obligationFilings)
    .innerJoin(filers, eq(filers.id, obligationFilings.filedBy))
    .innerJoin(people, eq(people.id, obligationFilings.recordedBy))
    .where(isOneOf(obligationFilings.incidentId, incidentIds))
    .orderBy(asc(obligationFilings.createdAt), asc(obligationFilings.id));
  return rows.map(({ row, filedBy, recordedBy }) => {
    const obligation = obligations.find(({ key }) => key === row.obligationKey);
    return {
      ...row,
      filedBy,
      recordedBy,
      title: obligation?.title ?? row.obligationKey,
      filingIs: obligation?.filingIs ?? null,
    };
  });
}

/** Sorts filings in the order of recording. */
export const byRecording = (one: FilingRow, other: FilingRow): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || one.id.localeCompare(other.id);

/** The first filing of each obligation, by its key; if two have the same time, the one recorded first. */
export function firstFilings(filings: readonly FilingRow[]): Map<string, FilingRow> {
  const first = new Map<string, FilingRow>();
  for (const filing of filings) {
    const before = first.get(filing.obligationKey);
    if (!before || filing.filedAt < before.filedAt) first.set(filing.obligationKey, filing);
  }
  return first;
}

export const presentFiling = (row: FilingRow): Filing => ({
  id: row.id,
  key: row.obligationKey,
  title: row.title,
  filedBy: row.filedBy,
  filedAt: row.filedAt.toISOString(),
  reference: row.reference,
  hash: row.draftHash,
  recorded: { name: row.recordedBy, at: row.createdAt.toISOString() },
});

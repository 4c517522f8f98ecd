import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { contractLines } from "../database/schema/index.ts";
import type { Contract } from "./find-contract.ts";

export type ContractLine = typeof contractLines.$inferSelect;

/** A contract's rows on a day. */
export const linesOn = (
  database: Database | Transaction,
  { id }: Pick<Contract, "id">,
  day: string,
): Promise<ContractLine[]> =>
  database
    .select()
    .from(contractLines)
    .where(and(eq(contractLines.contractId, id), lte(contractLines.startsOn, day), gte(contractLines.endsOn, day)))
    .orderBy(asc(contractLines.series));

/** What a contract holds on its last day, which is what a renewal renews. */
export const devicesAtEnd = (database: Database | Transaction, contract: Pick<Contract, "id" | "endsOn">) =>
  linesOn(database, contract, contract.endsOn);

/** All rows of a series, earliest first. */
export const rowsOfSeries = (transaction: Database | Transaction, contractId: string, series: number) =>
  transaction
    .select()
    .from(contractLines)
    .where(and(eq(contractLines.contractId, contractId), eq(contractLines.series, series)))
    .orderBy(asc(contractLines.startsOn), sql`${contractLines.id}`);

import { and, eq, getTableColumns } from "drizzle-orm";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { contracts, organisations } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { ContractState } from "../../contract/contracts.ts";
import type { Services } from "../services.ts";

export type Contract = typeof contracts.$inferSelect;
export type ContractScope = Scope<"organisation" | "customers" | "any">;

/** Finds a contract within the scope. @throws Failure not_found */
export async function findContract(
  database: Database | Transaction,
  scope: ContractScope,
  id: string,
): Promise<Contract> {
  const [contract] = await database
    .select(getTableColumns(contracts))
    .from(contracts)
    .innerJoin(organisations, eq(organisations.id, contracts.organisationId))
    .where(and(eq(contracts.id, id), organisationsIn(scope)));
  if (!contract) throw notFound("This contract");
  if (scope.reach !== "organisation") noteReached(scope, contract.organisationId);
  return contract;
}

/** The same, locked until the transaction ends, so that changes to it take turns. @throws Failure not_found */
export async function lockContract(transaction: Transaction, scope: ContractScope, id: string): Promise<Contract> {
  const { id: found } = await findContract(transaction, scope, id);
  const [contract] = await transaction.select().from(contracts).where(eq(contracts.id, found)).for("update");
  if (!contract) throw notFound("This contract");
  return contract;
}

/** Today in India, the calendar of contracts. */
export const todayInIndia = ({ now }: Pick<Services, "now">): string => writtenDay(now());

export function stateOn({ startsOn, endsOn }: Pick<Contract, "startsOn" | "endsOn">, day: string): ContractState {
  if (day < startsOn) return "coming";
  return day <= endsOn ? "running" : "ended";
}

/** @throws Failure conflict if the contract's last day is over */
export function refuseEnded({ endsOn }: Contract, today: string): void {
  if (endsOn < today) throw new Failure("conflict", "This contract has ended: nothing in it can be changed any more.");
}

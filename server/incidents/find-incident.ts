import { and, eq, getTableColumns } from "drizzle-orm";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents, organisations } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";

export type IncidentRow = typeof incidents.$inferSelect;
export type IncidentScope = Scope<"organisation" | "customers" | "any">;

/** The side on whose behalf a caller of this reach adds facts. */
export const sideOf = { organisation: "customer", customers: "partner", any: "us" } as const;

/** Finds an incident within the scope. @throws Failure not_found */
export async function findIncident(
  database: Database | Transaction,
  scope: IncidentScope,
  id: string,
): Promise<IncidentRow> {
  const [incident] = await database
    .select(getTableColumns(incidents))
    .from(incidents)
    .innerJoin(organisations, eq(organisations.id, incidents.organisationId))
    .where(and(eq(incidents.id, id), organisationsIn(scope)));
  if (!incident) throw notFound("This incident");
  if (scope.reach !== "organisation") noteReached(scope, incident.organisationId);
  return incident;
}

/**
 * Finds an incident and locks it until the transaction ends, so that those who add facts take turns.
 * @throws Failure not_found
 */
export async function lockIncident(transaction: Transaction, scope: IncidentScope, id: string): Promise<IncidentRow> {
  const { id: found } = await findIncident(transaction, scope, id);
  return holdIncident(transaction, found);
}

/** Locks an incident without a scope, for jobs and other internal steps. @throws Failure not_found */
export async function holdIncident(transaction: Transaction, id: string): Promise<IncidentRow> {
  const [incident] = await transaction.select().from(incidents).where(eq(incidents.id, id)).for("update");
  if (!incident) throw notFound("This incident");
  return incident;
}

import { and, eq, getTableColumns } from "drizzle-orm";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidents, organisations } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";

export type IncidentRow = typeof incidents.$inferSelect;
export type IncidentScope = Scope<"organisation" | "customers" | "any">;

/** As whom somebody of this scope tells something. */
export const sideOf = { organisation: "customer", customers: "partner", any: "us" } as const;

/** An incident within the scope. @throws Failure not_found */
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

/** The same, locked until the transaction ends: whoever tells something of it takes turns. @throws Failure not_found */
export async function lockIncident(transaction: Transaction, scope: IncidentScope, id: string): Promise<IncidentRow> {
  const { id: found } = await findIncident(transaction, scope, id);
  return holdIncident(transaction, found);
}

/** For what the product does by itself. @throws Failure not_found */
export async function holdIncident(transaction: Transaction, id: string): Promise<IncidentRow> {
  const [incident] = await transaction.select().from(incidents).where(eq(incidents.id, id)).for("update");
  if (!incident) throw notFound("This incident");
  return incident;
}

import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type IncidentSeverity, isOpen } from "../../contract/incident-states.ts";
import { holdOrganisations } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { incidents } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { addFacts, type NewFact } from "./facts.ts";
import type { IncidentRow } from "./find-incident.ts";
import { settleIncident } from "./settle-incident.ts";
import { tellOpened } from "./tell-people.ts";

export interface NewIncident {
  id?: string;
  organisationId: string;
  title: string;
  source: IncidentRow["source"];
  severity: IncidentSeverity;
  openedAt: Date;
  openedBy?: string | null;
  bindingId?: string;
  engineIncidentId?: string;
  externalId?: string;
  engineTakenAt?: Date;
  report?: { what: string; since: string; call: string };
  /** How it began, and everything that has happened since. */
  facts: readonly NewFact[];
}

/**
 * Opens an incident and notifies people. If it exists already (same id or engine case), returns that one unchanged.
 * @throws Failure not_found if the id is another customer's; conflict
 */
export async function openIncident(
  services: Services,
  transaction: Transaction,
  { facts, id = randomUUID(), ...opened }: NewIncident,
): Promise<{ incident: IncidentRow; isNew: boolean }> {
  const now = services.now();
  await holdOrganisations(transaction, opened.organisationId);
  const [made] = await transaction
    .insert(incidents)
    .values({ id, ...opened, changedAt: now, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (!made) {
    const same = opened.engineIncidentId
      ? eq(incidents.engineIncidentId, opened.engineIncidentId)
      : eq(incidents.id, id);
    const [known] = await transaction
      .select()
      .from(incidents)
      .where(and(same, eq(incidents.organisationId, opened.organisationId)));
    if (!known) throw notFound("This incident");
    return { incident: known, isNew: false };
  }
  await addFacts(transaction, made.id, now, facts);
  const { replayed } = await settleIncident(services, transaction, made);
  if (isOpen(replayed.state)) await tellOpened(services, transaction, made, replayed.severity);
  return { incident: made, isNew: true };
}

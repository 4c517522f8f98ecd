import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { contactLadders, findingDecisions, incidents, suppressionRules } from "../database/schema/index.ts";

/** Moves a customer's incidents, suppression rules and decisions; of two ladders the remaining customer's stays. */
export async function moveIncidents(transaction: Transaction, fromId: string, intoId: string): Promise<void> {
  for (const table of [incidents, suppressionRules, findingDecisions])
    await transaction.update(table).set({ organisationId: intoId }).where(eq(table.organisationId, fromId));
  await transaction.execute(sql`insert into contact_ladders (organisation_id, contacts, version, changed_at, changed_by)
    select ${intoId}::uuid, contacts, version, changed_at, changed_by from contact_ladders
      where organisation_id = ${fromId}::uuid on conflict do nothing`);
  await transaction.delete(contactLadders).where(eq(contactLadders.organisationId, fromId));
}

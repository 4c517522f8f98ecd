import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { heldSources } from "../database/schema/index.ts";

/** Of a month for which both have a report, the remaining customer's stays. */
export async function moveReports(transaction: Transaction, from: string, into: string): Promise<void> {
  await transaction.update(heldSources).set({ organisationId: into }).where(eq(heldSources.organisationId, from));
  await transaction.execute(sql`update service_reports moved set organisation_id = ${into}::uuid
    where organisation_id = ${from}::uuid
      and not exists (select from service_reports kept where kept.organisation_id = ${into}::uuid and kept.month = moved.month)`);
}

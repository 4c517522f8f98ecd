import { and, eq, gte, lte } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { contractLines, contracts } from "../database/schema/index.ts";

/** The checklist keys of all device types that a customer's contracts hold on a day or later. */
export async function contractedTypes(
  database: Database | Transaction,
  organisationId: string,
  day: string,
): Promise<string[]> {
  const lines = await database
    .selectDistinct({ key: contractLines.key })
    .from(contractLines)
    .innerJoin(contracts, eq(contracts.id, contractLines.contractId))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        gte(contractLines.endsOn, day),
        // A line removed before its first day is never held.
        lte(contractLines.startsOn, contractLines.endsOn),
      ),
    );
  return lines.map(({ key }) => `${key.service}|${key.deviceType}`);
}

import { and, eq, gte, lte } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { contractLines, contracts } from "../database/schema/index.ts";

/** The keys of the lines of a checklist for each device type that a customer's contracts hold on a day or after it. */
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
        // What was taken away before its first day is held on none.
        lte(contractLines.startsOn, contractLines.endsOn),
      ),
    );
  return lines.map(({ key }) => `${key.service}|${key.deviceType}`);
}

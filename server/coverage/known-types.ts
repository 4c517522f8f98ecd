import { and, eq } from "drizzle-orm";
import type { DeviceKey } from "../../contract/rates.ts";
import type { Transaction } from "../database/database.ts";
import { contractLines, contracts } from "../database/schema/index.ts";
import { invalidField } from "../failures/failure.ts";
import { typesOf } from "../rates/card-on-the-wire.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";

/**
 * Refuses a device type that is neither on the rate card nor in a contract of the customer; `organisationId` is null
 * for a rule that applies to all customers.
 * @throws Failure invalid on `field`
 */
export async function refuseUnknownType(
  { now }: Pick<Services, "now">,
  transaction: Transaction,
  organisationId: string | null,
  { service, deviceType }: DeviceKey,
  field: string,
): Promise<void> {
  const ofCard = typesOf(await currentRateCard({ database: transaction, now }));
  if (ofCard.some((type) => type.service === service && type.deviceType === deviceType)) return;
  if (organisationId !== null && (await isContracted(transaction, organisationId, { service, deviceType }))) return;
  throw invalidField(
    field,
    `There is no device type “${deviceType}” under “${service}”. Please choose one of the rate card.`,
  );
}

async function isContracted(transaction: Transaction, organisationId: string, { service, deviceType }: DeviceKey) {
  const [line] = await transaction
    .select({ id: contractLines.id })
    .from(contractLines)
    .innerJoin(contracts, eq(contracts.id, contractLines.contractId))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        eq(contractLines.service, service),
        eq(contractLines.deviceType, deviceType),
      ),
    )
    .limit(1);
  return line !== undefined;
}

import { and, eq, inArray } from "drizzle-orm";
import type { DeviceDecision } from "../../contract/coverage.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { coveredDevices, deviceDecisions, engineDevices } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { refuseUnknownType } from "./known-types.ts";
import { recount } from "./recount.ts";

/**
 * Stores an administrator's decision about a customer's devices, and counts again. Returns a message.
 * @throws Failure not_found if a device is not this customer's; invalid for an unknown device type
 */
export async function decideDevices(
  services: Services,
  scope: Scope<"any">,
  { email, ids, decision }: DeviceDecision,
): Promise<string> {
  await services.database.transaction(async (transaction) => {
    const customer = await reachCustomer(transaction, scope, email);
    if (!customer) throw notFound("This customer");
    const organisationId = organisationOf(customer);
    const wanted = [...new Set(ids)];
    const devices = await transaction
      // The identity may have changed since the count.
      .select({ identity: engineDevices.identity, name: coveredDevices.name })
      .from(coveredDevices)
      .innerJoin(engineDevices, eq(engineDevices.id, coveredDevices.deviceId))
      .where(and(eq(coveredDevices.organisationId, organisationId), inArray(coveredDevices.id, wanted)))
      .orderBy(coveredDevices.name);
    if (devices.length < wanted.length) throw notFound("This device");
    if (decision.is === "type")
      await refuseUnknownType(services, transaction, organisationId, decision, "decision.deviceType");
    const said = columnsOf(decision);
    const decided = { ...said, decidedBy: scope.actor.personId, decidedAt: services.now() };
    await transaction
      .insert(deviceDecisions)
      .values(
        [...new Set(devices.map(({ identity }) => identity))].map((identity) => {
          return { organisationId, identity, ...decided };
        }),
      )
      .onConflictDoUpdate({ target: [deviceDecisions.organisationId, deviceDecisions.identity], set: decided });
    await audit(transaction, scope.actor.personId, "decide devices", `organisation:${organisationId}`, {
      devices: devices.map(({ name }) => name),
      after: decision,
    });
    await recount(services, transaction, organisationId);
  });
  const count = new Set(ids).size;
  return `${count === 1 ? "One device is" : `${count} devices are`} settled, and the coverage is counted again.`;
}

/** Setting a limit leaves the type as it is, and vice versa. */
function columnsOf(decision: DeviceDecision["decision"]): Partial<typeof deviceDecisions.$inferInsert> {
  switch (decision.is) {
    case "type":
      return { service: decision.service, deviceType: decision.deviceType, notOurs: false };
    case "not_ours":
      return { service: null, deviceType: null, notOurs: true };
    case "rules":
      return { service: null, deviceType: null, notOurs: false };
    case "limit":
      return { silenceMinutes: decision.minutes };
    default:
      return decision satisfies never;
  }
}

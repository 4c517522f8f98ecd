import { eq } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import type { CustomerTool } from "../../contract/tools.ts";
import { audit } from "../audit/audit.ts";
import type { Actor } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { customerTools } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { findCustomerId, nobodysId } from "../access/reach.ts";
import type { Services } from "../services.ts";

/** A customer's SIEM and SOAR, as an array: empty before activation, and for an e-mail out of the actor's reach. */
export async function findCustomerTool({ database }: Services, actor: Actor, email: string): Promise<CustomerTool[]> {
  const customerId = (await findCustomerId(database, actor, email)) ?? nobodysId;
  const rows = await database.select().from(customerTools).where(eq(customerTools.organisationId, customerId));
  return rows.map((row) => ({
    soarURL: row.soarUrl,
    soarStatus: row.soarEnabled,
    siemURL: row.siemUrl,
    siemStatus: row.siemEnabled,
    version: row.version,
  }));
}

/**
 * Makes the tool record of a customer, with both tools off.
 * @throws Failure not_found for an unknown customer, conflict when there is one already
 */
export async function activateDashboard(services: Services, actor: Actor, email: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const organisationId = await findCustomerId(transaction, actor, email);
    if (!organisationId) throw notFound("This customer");
    const made = await transaction.insert(customerTools).values({ organisationId }).onConflictDoNothing().returning();
    if (made.length === 0)
      throw new Failure("conflict", "The dashboard of this customer is active already. Please reload the page.");
    await audit(transaction, actor.personId, "activate dashboard", `organisation:${organisationId}`);
  });
}

export interface ToolChange {
  email: string;
  url: string;
  enabled: boolean;
  /** The version that was edited; undefined takes any. */
  version: number | undefined;
}

/**
 * Sets one tool's address and switches it on or off.
 * @throws Failure not_found before activation, conflict when the record was changed since the version given
 */
export async function updateTool(
  services: Services,
  actor: Actor,
  tool: "siem" | "soar",
  { email, url, enabled, version }: ToolChange,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const known = await lockTools(transaction, await findCustomerId(transaction, actor, email));
    if (!known) throw notFound("The dashboard of this customer");
    if (version !== undefined && version !== known.version) throw new Failure("conflict", messages.toolChanged);
    await transaction
      .update(customerTools)
      .set({
        ...(tool === "siem" ? { siemUrl: url, siemEnabled: enabled } : { soarUrl: url, soarEnabled: enabled }),
        version: known.version + 1,
        updatedAt: services.now(),
      })
      .where(eq(customerTools.organisationId, known.organisationId));
    await audit(transaction, actor.personId, `update ${tool}`, `organisation:${known.organisationId}`, {
      url,
      enabled,
    });
  });
}

async function lockTools(transaction: Transaction, organisationId: string | null) {
  const [tools] = await transaction
    .select()
    .from(customerTools)
    .where(eq(customerTools.organisationId, organisationId ?? nobodysId))
    .for("update");
  return tools;
}

import { eq } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import type { CustomerTool } from "../../contract/tools.ts";
import { audit } from "../audit/audit.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import type { Database, Transaction } from "../database/database.ts";
import { customerTools, organisations } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";

/** An organisation's SIEM and SOAR; undefined before activation, and for a null scope. */
export async function findTools(database: Database, scope: Scope<"organisation"> | null) {
  const [tools] = await database
    .select()
    .from(customerTools)
    .where(eq(customerTools.organisationId, organisationOf(scope)));
  return tools;
}

/** A customer's SIEM and SOAR as an array: empty before activation, and for an e-mail out of reach. */
export async function findCustomerTool(
  { database }: Services,
  scope: Scope<"customers" | "any">,
  email: string,
): Promise<CustomerTool[]> {
  const tools = await findTools(database, await reachCustomer(database, scope, email));
  if (!tools) return [];
  const { soarUrl, soarEnabled, siemUrl, siemEnabled, version } = tools;
  return [{ soarURL: soarUrl, soarStatus: soarEnabled, siemURL: siemUrl, siemStatus: siemEnabled, version }];
}

/**
 * Activates a customer's dashboard, with both tools off.
 * @throws Failure not_found for an unknown customer, conflict when it is active already
 */
export async function activateDashboard(services: Services, scope: Scope<"any">, email: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const customer = await reachCustomer(transaction, scope, email);
    if (!customer) throw notFound("This customer");
    const organisationId = organisationOf(customer);
    const made = await transaction.insert(customerTools).values({ organisationId }).onConflictDoNothing().returning();
    if (made.length === 0)
      throw new Failure("conflict", "The dashboard of this customer is active already. Please reload the page.");
    await audit(transaction, scope.actor.personId, "activate dashboard", `organisation:${organisationId}`);
  });
}

export interface ToolChange {
  email: string;
  url: string;
  enabled: boolean;
  /** The version that was edited; undefined skips the check. */
  version: number | undefined;
}

/**
 * Sets one tool's address and switches it on or off.
 * @throws Failure not_found before activation, conflict when the record has changed since `version`
 */
export async function updateTool(
  services: Services,
  scope: Scope<"any">,
  tool: "siem" | "soar",
  { email, url, enabled, version }: ToolChange,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const known = await lockTools(transaction, await reachCustomer(transaction, scope, email));
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
    await audit(transaction, scope.actor.personId, `update ${tool}`, `organisation:${known.organisationId}`, {
      before:
        tool === "siem"
          ? { url: known.siemUrl, enabled: known.siemEnabled }
          : { url: known.soarUrl, enabled: known.soarEnabled },
      after: { url, enabled },
    });
    const wasOpen = tool === "siem" ? known.siemEnabled : known.soarEnabled;
    if (enabled && !wasOpen) await tellOpened(transaction, known, tool);
  });
}

async function tellOpened(
  transaction: Transaction,
  { organisationId, version }: typeof customerTools.$inferSelect,
  tool: "siem" | "soar",
): Promise<void> {
  const [customer] = await transaction
    .select({ name: organisations.name })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  const facts = { organizationName: customer?.name ?? "", tool: tool === "siem" ? "SIEM" : "SOAR" } as const;
  await notify(transaction, "dashboard opened", `${organisationId}:${version}`, facts, { organisationId });
}

async function lockTools(transaction: Transaction, scope: Scope<"organisation"> | null) {
  const [tools] = await transaction
    .select()
    .from(customerTools)
    .where(eq(customerTools.organisationId, organisationOf(scope)))
    .for("update");
  return tools;
}

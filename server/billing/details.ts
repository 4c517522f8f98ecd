import { eq } from "drizzle-orm";
import type { Billing, BillingDetails } from "../../contract/billing.ts";
import { messages } from "../../contract/messages.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

export type Organisation = typeof organisations.$inferSelect;

/** An organisation's billing details as stored; a null scope finds none. @throws Failure not_found */
export async function findBilling(
  database: Database | Transaction,
  scope: Scope<"organisation"> | null,
): Promise<Billing> {
  return presentBilling(await findOrganisation(database, scope));
}

/**
 * Saves the billing details for future invoices; issued invoices and paid orders keep theirs.
 * @throws Failure not_found; conflict when somebody has saved others since `version`
 */
export async function saveBilling(
  services: Services,
  scope: Scope<"organisation"> | null,
  { version, ...details }: BillingDetails & { version?: number | undefined },
): Promise<Billing> {
  return services.database.transaction(async (transaction) => {
    const before = await findOrganisation(transaction, scope, "no key update");
    const next = columnsOf(details);
    const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
      (column) => JSON.stringify(before[column]) !== JSON.stringify(next[column]),
    );
    if (changed.length === 0) return presentBilling(before);
    if (version !== undefined && version !== before.version) throw new Failure("conflict", messages.billingChanged);
    const [after] = await transaction
      .update(organisations)
      .set({ ...next, version: before.version + 1 })
      .where(eq(organisations.id, before.id))
      .returning();
    if (!after) throw notFound("This organization");
    const side = (from: Organisation) => Object.fromEntries(changed.map((column) => [column, from[column]]));
    await audit(transaction, scope?.actor.personId ?? null, "change billing details", `organisation:${before.id}`, {
      before: side(before),
      after: side(after),
    });
    return presentBilling(after);
  });
}

async function findOrganisation(
  database: Database | Transaction,
  scope: Scope<"organisation"> | null,
  lock?: "no key update",
): Promise<Organisation> {
  const query = database
    .select()
    .from(organisations)
    .where(eq(organisations.id, organisationOf(scope)));
  const [found] = lock ? await query.for(lock) : await query;
  if (!found) throw notFound("This customer");
  return found;
}

const columnsOf = (details: Omit<BillingDetails, "version">) => ({
  legalName: details.legalName,
  billingAddress: details.address,
  pinCode: details.pinCode,
  billingState: details.stateCode,
  gstin: details.gstin,
  billingKind: details.kind,
  billingCountry: details.country,
  pan: details.pan,
  purchaseOrder: details.purchaseOrder,
  undertaking: details.undertaking,
});

/** The columns that a merge of two customers moves all together or not at all. */
export const billingColumns = Object.keys(columnsOf({} as BillingDetails)) as readonly (keyof ReturnType<
  typeof columnsOf
>)[];

function presentBilling(row: Organisation): Billing {
  return {
    given: row.billingKind !== null,
    legalName: row.legalName ?? row.name,
    address: row.billingAddress ?? "",
    pinCode: row.pinCode,
    stateCode: row.billingState,
    gstin: row.gstin,
    kind: row.billingKind,
    country: row.billingCountry,
    pan: row.pan,
    purchaseOrder: row.purchaseOrder,
    undertaking: row.undertaking,
    version: row.version,
  };
}

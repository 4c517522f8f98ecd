import { and, eq, isNull } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import type { Input } from "../../contract/operations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { onboardings, organisations, sites } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import type { Services } from "../services.ts";
import { settleOnboarding } from "./settle-onboarding.ts";

/**
 * Sets the time zone in which an organisation's days begin, and records who set it.
 * @throws Failure conflict if the organisation was merged into another
 */
export async function setTimeZone(
  services: Services,
  scope: Scope<"organisation">,
  { timeZone }: Input<"user/onboarding/time-zone">,
): Promise<void> {
  const id = organisationOf(scope);
  const { personId } = scope.actor;
  await services.database.transaction(async (transaction) => {
    const [before] = await transaction.select().from(organisations).where(eq(organisations.id, id)).for("update");
    if (!before) throw new Failure("conflict", messages.organizationMerged);
    await transaction.update(organisations).set({ timeZone }).where(eq(organisations.id, id));
    await transaction
      .update(onboardings)
      .set({ timeZoneSetBy: personId, timeZoneSetAt: services.now() })
      .where(eq(onboardings.organisationId, id));
    await audit(transaction, personId, "set time zone", `organisation:${id}`, {
      before: { timeZone: before.timeZone },
      after: { timeZone },
    });
    await settleOnboarding(services, transaction, id);
  });
}

/** Adds a site; a repeated id adds only one. @throws Failure conflict if there are too many */
export async function addSite(
  services: Services,
  scope: Scope<"organisation">,
  { id, name, address }: Input<"user/onboarding/add-site">,
): Promise<void> {
  const organisationId = organisationOf(scope);
  const { personId } = scope.actor;
  await services.database.transaction(async (transaction) => {
    await transaction.select().from(organisations).where(eq(organisations.id, organisationId)).for("update");
    const [added] = await transaction
      .insert(sites)
      .values({ id, organisationId, name, address, addedBy: personId, createdAt: services.now() })
      .onConflictDoNothing()
      .returning({ id: sites.id });
    if (!added) {
      const [known] = await transaction.select().from(sites).where(eq(sites.id, id));
      return refuseUnlessSame(known, { organisationId, name, address });
    }
    const there = await transaction.$count(
      sites,
      and(eq(sites.organisationId, organisationId), isNull(sites.removedAt)),
    );
    if (there > limits.sitesMax)
      throw new Failure("conflict", `There can be at most ${limits.sitesMax} sites. Please remove one first.`);
    await audit(transaction, personId, "add site", `organisation:${organisationId}`, { site: name });
    await settleOnboarding(services, transaction, organisationId);
  });
}

/** Removes a site from the list. @throws Failure not_found */
export async function removeSite(services: Services, scope: Scope<"organisation">, id: string): Promise<void> {
  const organisationId = organisationOf(scope);
  await services.database.transaction(async (transaction) => {
    const [removed] = await transaction
      .update(sites)
      .set({ removedAt: services.now() })
      .where(and(eq(sites.id, id), eq(sites.organisationId, organisationId), isNull(sites.removedAt)))
      .returning();
    if (!removed) throw notFound("This site");
    await audit(transaction, scope.actor.personId, "remove site", `organisation:${organisationId}`, {
      site: removed.name,
    });
  });
}

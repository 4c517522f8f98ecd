import { and, eq, ne, sql } from "drizzle-orm";
import type { LeadFilters } from "../../contract/lead-list.ts";
import { limits } from "../../contract/limits.ts";
import { audit } from "../audit/audit.ts";
import { personOf, type Scope } from "../access/scope.ts";
import { leadViews, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** The person's own lead views, by name. */
export async function listViews({ database }: Services, scope: Scope<"own">) {
  const views = await database
    .select({ id: leadViews.id, name: leadViews.name, filters: leadViews.filters })
    .from(leadViews)
    .where(eq(leadViews.personId, personOf(scope)))
    .orderBy(sql`lower(${leadViews.name})`, leadViews.id);
  return { views };
}

/**
 * Saves filters under a name, replacing an earlier view with that name.
 * @throws Failure conflict if there are too many
 */
export async function saveView(
  services: Services,
  scope: Scope<"own">,
  { name, filters }: { name: string; filters: LeadFilters },
): Promise<void> {
  const personId = personOf(scope);
  await services.database.transaction(async (transaction) => {
    // Serialises saves from two windows of the same person, so that the count holds.
    await transaction.select({ id: people.id }).from(people).where(eq(people.id, personId)).for("no key update");
    const others = await transaction.$count(leadViews, and(eq(leadViews.personId, personId), ne(leadViews.name, name)));
    if (others >= limits.leadViewsMax)
      throw new Failure("conflict", `You have ${others} views. Please delete one before you save another.`);
    await transaction
      .insert(leadViews)
      .values({ personId, name, filters })
      .onConflictDoUpdate({ target: [leadViews.personId, leadViews.name], set: { filters } });
    await audit(transaction, personId, "save lead view", `person:${personId}`, { view: name });
  });
}

/** @throws Failure not_found, also for another person's view */
export async function deleteView(services: Services, scope: Scope<"own">, id: string): Promise<void> {
  const personId = personOf(scope);
  await services.database.transaction(async (transaction) => {
    const [view] = await transaction
      .delete(leadViews)
      .where(and(eq(leadViews.id, id), eq(leadViews.personId, personId)))
      .returning({ name: leadViews.name });
    if (!view) throw notFound("This view");
    await audit(transaction, personId, "delete lead view", `person:${personId}`, { view: view.name });
  });
}

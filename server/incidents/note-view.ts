import { and, eq } from "drizzle-orm";
import { incidentViews } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { type IncidentRow, type IncidentScope, sideOf } from "./find-incident.ts";
import { noteReachedByPortal } from "./reached-by-portal.ts";

/** Keeps when a person first opened any page of an incident: evidence, so it is never changed. */
export async function noteView(
  { database, now }: Services,
  scope: IncidentScope,
  { id, openedBy }: IncidentRow,
): Promise<void> {
  const { personId, email } = scope.actor;
  // Most views are not the first: skip the transaction.
  const isViewed = and(eq(incidentViews.incidentId, id), eq(incidentViews.personId, personId));
  if ((await database.$count(incidentViews, isViewed)) > 0) return;
  const firstAt = now();
  await database.transaction(async (transaction) => {
    const { rowCount } = await transaction
      .insert(incidentViews)
      .values({ incidentId: id, personId, side: sideOf[scope.reach], firstAt })
      .onConflictDoNothing();
    // Whoever reported the incident knows of it, so their view must not stop the calls to the others.
    if (rowCount && scope.reach === "organisation" && personId !== openedBy)
      await noteReachedByPortal(transaction, id, email, firstAt);
  });
}

import { and, eq } from "drizzle-orm";
import { incidentViews } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { type IncidentRow, type IncidentScope, sideOf } from "./find-incident.ts";
import { noteReachedByPortal } from "./reached-by-portal.ts";

/** The first look of a person is evidence, on whichever of an incident's pages: it is kept for each, and never changed. */
export async function noteView(
  { database, now }: Services,
  scope: IncidentScope,
  { id, openedBy }: IncidentRow,
): Promise<void> {
  const { personId, email } = scope.actor;
  // Most looks are not the first.
  const isViewed = and(eq(incidentViews.incidentId, id), eq(incidentViews.personId, personId));
  if ((await database.$count(incidentViews, isViewed)) > 0) return;
  const firstAt = now();
  await database.transaction(async (transaction) => {
    const { rowCount } = await transaction
      .insert(incidentViews)
      .values({ incidentId: id, personId, side: sideOf[scope.reach], firstAt })
      .onConflictDoNothing();
    // Who reported it knows of it already, and the others are still to be called.
    if (rowCount && scope.reach === "organisation" && personId !== openedBy)
      await noteReachedByPortal(transaction, id, email, firstAt);
  });
}

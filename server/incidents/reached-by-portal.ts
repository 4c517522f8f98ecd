import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { incidentViews, ladderCalls, people } from "../database/schema/index.ts";
import type { IncidentRow } from "./find-incident.ts";

/** Marks the ladder contact who opened the incident as reached. */
export async function noteReachedByPortal(transaction: Transaction, incidentId: string, email: string, at: Date) {
  await transaction
    .update(ladderCalls)
    .set({ reachedAt: at, reachedBy: "portal" })
    .where(
      and(
        eq(ladderCalls.incidentId, incidentId),
        sql`lower(${ladderCalls.email}) = ${email.toLowerCase()}`,
        isNull(ladderCalls.reachedAt),
      ),
    );
}

/**
 * When a contact on the customer's side first opened the incident; null if never, or if they reported it themselves.
 */
export async function openedByContact(
  transaction: Transaction,
  { id, openedBy }: IncidentRow,
  email: string,
): Promise<Date | null> {
  const [view] = await transaction
    .select({ firstAt: incidentViews.firstAt })
    .from(incidentViews)
    .innerJoin(people, eq(people.id, incidentViews.personId))
    .where(
      and(
        eq(incidentViews.incidentId, id),
        eq(incidentViews.side, "customer"),
        eq(people.email, email),
        openedBy === null ? undefined : ne(people.id, openedBy),
      ),
    );
  return view?.firstAt ?? null;
}

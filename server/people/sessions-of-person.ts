import { and, eq } from "drizzle-orm";
import type { Session } from "../../contract/accounts.ts";
import { findPerson } from "../accounts/queries.ts";
import { listSessionsOf, living } from "../accounts/sessions.ts";
import { noteReached } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { sessions } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** Where a person is signed in, newest first. @throws Failure not_found */
export async function listSessionsOfPerson(services: Services, scope: Scope<"any">, id: string): Promise<Session[]> {
  const person = await findPerson(services.database, id);
  if (!person) throw notFound("This person");
  noteReached(scope, person.organisationId);
  return listSessionsOf(services, person.id, scope.actor.sessionId);
}

/**
 * Signs a person out of one session, or of all for null, and returns how many; all may be none.
 * @throws Failure not_found
 */
export async function endSessionsOfPerson(
  services: Services,
  { actor }: Scope<"any">,
  { id, session_id }: { id: string; session_id: string | null },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const person = await findPerson(transaction, id);
    if (!person) throw notFound("This person");
    const ended = await transaction
      .update(sessions)
      .set({ revokedAt: services.now() })
      .where(and(living(services, id), session_id === null ? undefined : eq(sessions.id, session_id)))
      .returning({ id: sessions.id });
    if (session_id !== null && ended.length === 0) throw notFound("This session");
    if (ended.length > 0)
      await audit(transaction, actor.personId, "sign out person", `person:${id}`, { sessions: ended.length });
    return ended.length;
  });
}

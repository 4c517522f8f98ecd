import { mailInvitation, refuseTaken, removeStranger } from "../accounts/invitations.ts";
import { noteWithdrawn } from "../accounts/links.ts";
import { findPerson, lockOrganisation, lockPerson, type Person } from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import { reachesInvitation } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { countInvitation, takenFor } from "./add-people.ts";

/**
 * Mails an invitation again, valid for another 72 hours; the earlier link is void.
 * @throws Failure not_found outside the actor's scope, conflict when it was accepted, invalid when the e-mail has an
 * account elsewhere meanwhile, too_many_requests
 */
export async function resendInvitation(services: Services, scope: Scope<"invited">, id: string): Promise<void> {
  const known = refuseJoined(scope, await findPerson(services.database, id));
  await countInvitation(services, scope.actor, known.email);
  await services.database.transaction(async (transaction) => {
    await refuseTaken(transaction, known.email, takenFor(scope.actor));
    const person = await lockInvited(transaction, scope, id);
    refuseSuspended(person);
    await mailInvitation(services, transaction, person);
    await audit(transaction, scope.actor.personId, "resend invitation", `person:${id}`);
  });
}

/** @throws Failure conflict if the invited person could not enter */
export function refuseSuspended({ mayEnter }: Person): void {
  if (!mayEnter) throw new Failure("conflict", "This organization is suspended: nobody can join it now.");
}

/**
 * Withdraws an invitation: its link is void and its row is deleted, along with an organisation created only for it.
 * @throws Failure not_found outside the actor's scope, conflict when it was accepted
 */
export async function withdrawInvitation(services: Services, scope: Scope<"invited">, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const person = await lockInvited(transaction, scope, id);
    await noteWithdrawn(transaction, person.id, services.now());
    await removeStranger(transaction, person);
    const { role, organisationId } = person;
    await audit(transaction, scope.actor.personId, "withdraw invitation", `person:${id}`, { role, organisationId });
  });
}

/**
 * Locks the organisation first, which may be deleted with the person: making an estimate for it locks it before its
 * people.
 */
async function lockInvited(transaction: Transaction, scope: Scope<"invited">, id: string): Promise<Person> {
  const known = refuseJoined(scope, await findPerson(transaction, id));
  await lockOrganisation(transaction, known.organisationId);
  return refuseJoined(scope, await lockPerson(transaction, id));
}

/** @throws Failure not_found outside the actor's scope, conflict for a person who has joined */
function refuseJoined(scope: Scope<"invited">, person: Person | undefined): Person {
  if (!person || !reachesInvitation(scope, person)) throw notFound("This invitation");
  if (person.joinedAt) throw new Failure("conflict", "This invitation was accepted already. Please reload the page.");
  return person;
}

import { eq } from "drizzle-orm";
import { areaOf } from "../../contract/roles.ts";
import { mailInvitation, refuseTaken, removeStranger } from "../accounts/invitations.ts";
import { findPerson, lockPerson, type Person } from "../accounts/queries.ts";
import { audit } from "../audit/audit.ts";
import type { Actor } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { organisations } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { countInvitation, takenFor } from "./add-people.ts";

/**
 * Mails an invitation again, for another 72 hours; the earlier link is void.
 * @throws Failure not_found for what the actor may not invite, conflict when it was accepted, invalid when the e-mail has
 * an account elsewhere meanwhile, too_many_requests
 */
export async function resendInvitation(services: Services, actor: Actor, id: string): Promise<void> {
  const known = await refuseJoined(services.database, actor, await findPerson(services.database, id));
  await countInvitation(services, actor, known.email);
  await services.database.transaction(async (transaction) => {
    await refuseTaken(transaction, known.email, takenFor(actor));
    const person = await lockInvited(transaction, actor, id);
    if (!person.mayEnter) throw new Failure("conflict", "This organisation is suspended: nobody can join it now.");
    await mailInvitation(services, transaction, person);
    await audit(transaction, actor.personId, "resend invitation", `person:${id}`);
  });
}

/**
 * Withdraws an invitation: its link is void and its row is gone, with the organisation when it was made for it.
 * @throws Failure not_found for what the actor may not invite, conflict when it was accepted
 */
export async function withdrawInvitation(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const person = await lockInvited(transaction, actor, id);
    await removeStranger(transaction, person);
    const { role, organisationId } = person;
    await audit(transaction, actor.personId, "withdraw invitation", `person:${id}`, { role, organisationId });
  });
}

async function lockInvited(transaction: Transaction, actor: Actor, id: string): Promise<Person> {
  return refuseJoined(transaction, actor, await lockPerson(transaction, id));
}

/** @throws Failure not_found for whom the actor may not invite, conflict for who has joined */
async function refuseJoined(
  database: Services["database"] | Transaction,
  actor: Actor,
  person: Person | undefined,
): Promise<Person> {
  if (!person || !(await mayInvite(database, actor, person))) throw notFound("This invitation");
  if (person.joinedAt) throw new Failure("conflict", "This invitation was accepted already. Please reload the page.");
  return person;
}

/** Who may add somebody may also send the invitation again or withdraw it, whoever of the organisation sent it. */
async function mayInvite(database: Services["database"] | Transaction, actor: Actor, person: Person): Promise<boolean> {
  const mine = person.organisationId === actor.organisationId;
  if (mine) return person.role === `${actor.role}Child`;
  if (actor.role === "admin") return person.role === "partner";
  if (areaOf(actor.role) !== "partner" || person.role !== "user") return false;
  const [home] = await database
    .select({ partnerId: organisations.partnerId })
    .from(organisations)
    .where(eq(organisations.id, person.organisationId));
  return home?.partnerId === actor.organisationId;
}

import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import { endAccess, findPersonByEmail, isActiveAdministrator, lockOrganisation } from "../accounts/queries.ts";
import { mayEnter } from "../access/suspended.ts";
import { audit } from "../audit/audit.ts";
import { reachCustomerOrPartner } from "../access/reach.ts";
import { type Actor, organisationOf, type Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/**
 * Suspends a person at once, and with them the child accounts that depend on them alone. Payments under way are settled
 * all the same. Suspending a suspended person changes nothing.
 * @throws Failure not_found; conflict for the actor, and for a person whose organisation has just been merged into
 * another
 */
export async function suspendPerson(services: Services, { actor }: Scope<"any">, email: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await lockAdministrators(transaction, actor);
    const person = await findPersonByEmail(transaction, email);
    if (!person) throw notFound("This person");
    // Guarantees that an administrator remains, as the actor is one.
    if (person.id === actor.personId) throw new Failure("conflict", "Nobody can suspend their own account.");
    // Suspensions in one organisation take turns. An organisation that is gone was merged, with its people, into
    // another.
    if (!(await lockOrganisation(transaction, person.organisationId)))
      throw new Failure("conflict", messages.organizationMerged);
    const now = services.now();
    const suspended = await transaction
      .update(people)
      .set({ suspendedAt: now })
      .where(and(eq(people.id, person.id), isNull(people.suspendedAt)));
    if (suspended.rowCount !== 1) return;
    await endAccess(transaction, await shutOut(transaction, person.organisationId), now);
    await audit(transaction, actor.personId, "suspend person", `person:${person.id}`);
  });
}

/**
 * Restores a person's access; they sign in again. Restoring a person who is not suspended changes nothing. Takes turns
 * with suspensions, so that an administrator who is being suspended can't undo it.
 * @throws Failure not_found
 */
export async function restorePerson(services: Services, { actor }: Scope<"any">, email: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await lockAdministrators(transaction, actor);
    const person = await findPersonByEmail(transaction, email);
    if (!person) throw notFound("This person");
    const restored = await transaction
      .update(people)
      .set({ suspendedAt: null })
      .where(and(eq(people.id, person.id), isNotNull(people.suspendedAt), isNull(people.erasedAt)));
    if (restored.rowCount === 1) await audit(transaction, actor.personId, "restore person", `person:${person.id}`);
  });
}

/**
 * Suspends everybody of a customer or partner at once. A partner's customers keep their access.
 * @throws Failure not_found, also for the provider, whose administrators are suspended one by one
 */
export async function suspendOrganisation(services: Services, scope: Scope<"any">, email: string): Promise<void> {
  const id = await findOrganisation(services, scope, email);
  await services.database.transaction(async (transaction) => {
    await lockThere(transaction, id);
    const now = services.now();
    const suspended = await transaction
      .update(organisations)
      .set({ suspendedAt: now })
      .where(and(eq(organisations.id, id), isNull(organisations.suspendedAt)));
    if (suspended.rowCount !== 1) return;
    await endAccess(transaction, await shutOut(transaction, id), now);
    await audit(transaction, scope.actor.personId, "suspend organisation", `organisation:${id}`);
  });
}

/** Restores an organisation's access, except for people who are suspended themselves. @throws Failure not_found */
export async function restoreOrganisation(services: Services, scope: Scope<"any">, email: string): Promise<void> {
  const id = await findOrganisation(services, scope, email);
  await services.database.transaction(async (transaction) => {
    await lockThere(transaction, id);
    const restored = await transaction
      .update(organisations)
      .set({ suspendedAt: null })
      .where(and(eq(organisations.id, id), isNotNull(organisations.suspendedAt)));
    if (restored.rowCount === 1)
      await audit(transaction, scope.actor.personId, "restore organisation", `organisation:${id}`);
  });
}

async function findOrganisation({ database }: Services, scope: Scope<"any">, email: string): Promise<string> {
  const organisation = await reachCustomerOrPartner(database, scope, email);
  if (!organisation) throw notFound("This organization");
  return organisationOf(organisation);
}

/** @throws Failure not_found if it was merged into another meanwhile */
async function lockThere(transaction: Transaction, id: string): Promise<void> {
  if (!(await lockOrganisation(transaction, id))) throw notFound("This organization");
}

/** The organisation's people who may not enter now, locked, so that a sign-in under way is waited for. */
async function shutOut(transaction: Transaction, organisationId: string): Promise<string[]> {
  const members = await transaction
    .select({ id: people.id, mayEnter })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.organisationId, organisationId), isNotNull(people.joinedAt)))
    .orderBy(asc(people.id))
    .for("no key update", { of: people });
  return members.filter((member) => !member.mayEnter).map(({ id }) => id);
}

/**
 * Locks the administrators who may enter: of several who suspend each other at once, the first wins.
 * @throws Failure unauthenticated if the actor is no longer one of them
 */
export async function lockAdministrators(transaction: Transaction, actor: Actor): Promise<void> {
  const active = await lockActiveAdministrators(transaction);
  if (!active.includes(actor.personId))
    throw new Failure("unauthenticated", "Your session has ended. Please sign in again.");
}

/** Advisory lock: changes to who is an administrator take turns. */
const administratorsLock = 72177270;

/**
 * The ids of the administrators who may enter, locked until the transaction ends. Row locks alone are not enough for
 * turns: each waiting transaction would hold other rows, and they would deadlock.
 */
export async function lockActiveAdministrators(transaction: Transaction): Promise<string[]> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${administratorsLock})`);
  const active = await transaction
    .select({ id: people.id })
    .from(people)
    .where(isActiveAdministrator)
    .orderBy(asc(people.id))
    .for("no key update");
  return active.map(({ id }) => id);
}

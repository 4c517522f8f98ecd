import { messages } from "../../contract/messages.ts";
import type { Actor } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { Failure } from "../failures/failure.ts";
import { findPerson, lockOrganisation } from "./queries.ts";

/**
 * The same as `lockOrganisation`, for somebody who binds their own one. Whoever erases or suspends them, or gives them another
 * address, has it too: who waited for that is out, and nothing is kept of what they asked for.
 * Answers both; no organisation where it has become another's meanwhile. @throws Failure unauthenticated
 */
export async function lockOwnOrganisation(transaction: Transaction, actor: Actor) {
  const organisation = await lockOrganisation(transaction, actor.organisationId);
  const person = await findPerson(transaction, actor.personId);
  if (!person || person.erasedAt || person.email !== actor.email)
    throw new Failure("unauthenticated", "Your session has ended. Please sign in again.");
  if (!person.mayEnter) throw new Failure("unauthenticated", messages.suspended);
  return { organisation, person };
}

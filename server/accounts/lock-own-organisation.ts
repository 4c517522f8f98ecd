import { messages } from "../../contract/messages.ts";
import type { Actor } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { Failure } from "../failures/failure.ts";
import { findPerson, lockOrganisation } from "./queries.ts";

/**
 * Like `lockOrganisation`, for a person who commits their own organisation to something. Erasing or suspending them and
 * changing their address take the same lock: after waiting for one of these, the caller is refused and nothing is kept.
 * Returns both; no organisation if it was merged into another meanwhile.
 * @throws Failure unauthenticated
 */
export async function lockOwnOrganisation(transaction: Transaction, actor: Actor) {
  const organisation = await lockOrganisation(transaction, actor.organisationId);
  const person = await findPerson(transaction, actor.personId);
  if (!person || person.erasedAt || person.email !== actor.email)
    throw new Failure("unauthenticated", "Your session has ended. Please sign in again.");
  if (!person.mayEnter) throw new Failure("unauthenticated", messages.suspended);
  return { organisation, person };
}

import { and, asc, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import { areaOf, childOf, isChild, type Role } from "../../contract/roles.ts";
import { endAccess, findPerson, lockOrganisation, lockPerson, type Person } from "../accounts/queries.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { lockAdministrators } from "./suspension.ts";

/**
 * Changes a person's role within their organisation. A customer or partner has exactly one main person: promoting a
 * child account makes the former main person a child account. The provider has one or more administrators. Sessions
 * end, because a token contains the role.
 * @throws Failure not_found; conflict with a sentence for what is not permitted
 */
export async function changeRole(
  services: Services,
  { actor }: Scope<"any">,
  change: { id: string; version: number; role: Role },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await lockAdministrators(transaction, actor);
    const known = await findPerson(transaction, change.id);
    if (!known) throw notFound("This person");
    // Handing over an organisation takes turns with suspending its people.
    await lockOrganisation(transaction, known.organisationId);
    const person = await lockPerson(transaction, change.id);
    if (!person || person.erasedAt) throw notFound("This person");
    if (person.role === change.role) return;
    if (person.version !== change.version) throw new Failure("conflict", messages.personChanged);
    refuseRole(person, change.role, actor.personId);
    const followers = areaOf(change.role) === "admin" ? [] : await formerOf(transaction, person, change.role);
    for (const each of followers)
      await setRole(services, transaction, actor.personId, each, childOf[areaOf(each.role)]);
    await setRole(services, transaction, actor.personId, person, change.role);
  });
}

/** @throws Failure conflict */
function refuseRole(person: Person, role: Role, actorId: string): void {
  const refuse = (sentence: string) => new Failure("conflict", sentence);
  if (person.id === actorId) throw refuse("Nobody can change their own role.");
  if (areaOf(person.role) !== areaOf(role))
    throw refuse(
      "A role stays within its kind of organization: what customers, partners and administrators have is not the same. Please invite the person to the other organization.",
    );
  if (!person.joinedAt) throw refuse("This invitation is not accepted yet. Please withdraw it and invite them anew.");
  if (isChild(role) && areaOf(role) !== "admin")
    throw refuse(
      "Somebody has to answer for this organization. Please make another person the one who does; this one becomes a child account by that.",
    );
  // Not `mayEnter`: a child account shut out by its main person's suspension is exactly who may have to take over.
  if (!isChild(role) && person.suspendedAt)
    throw refuse("This person is suspended. Please give them access again first.");
}

/** The organisation's main person so far, locked. */
async function formerOf(transaction: Transaction, person: Person, role: Role): Promise<Person[]> {
  const found = await transaction
    .select({ id: people.id })
    .from(people)
    .where(
      and(
        eq(people.organisationId, person.organisationId),
        eq(people.role, role),
        ne(people.id, person.id),
        isNotNull(people.joinedAt),
        isNull(people.erasedAt),
      ),
    )
    .orderBy(asc(people.id));
  const locked: Person[] = [];
  for (const { id } of found) {
    // oxlint-disable-next-line no-await-in-loop -- there is one, and rows are locked in one order
    const former = await lockPerson(transaction, id);
    if (former) locked.push(former);
  }
  return locked;
}

async function setRole(
  services: Services,
  transaction: Transaction,
  actorId: string,
  person: Person,
  role: Role,
): Promise<void> {
  await transaction
    .update(people)
    .set({ role, version: sql`${people.version} + 1` })
    .where(eq(people.id, person.id));
  await endAccess(transaction, [person.id], services.now());
  const detail = { before: { role: person.role }, after: { role } };
  await audit(transaction, actorId, "change role", `person:${person.id}`, detail);
}

import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Reach } from "../../contract/access.ts";
import { areaOf, isChild, mainRoles, type Role } from "../../contract/roles.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import { narrowed, organisationsIn, type Scope } from "./scope.ts";

type OrganisationKind = (typeof organisations.$inferSelect)["kind"];

/** Scopes of requests that asked for a customer out of reach, so that such attempts leave a trace. */
const outOfReach = new WeakSet<Scope<Reach>>();

/** Whether this request asked for a customer outside its scope. */
export const soughtOutOfReach = (scope: Scope<Reach>): boolean => outOfReach.has(scope);

const reached = new WeakMap<Scope<Reach>, Set<string>>();

/**
 * Notes whose records a request with a scope over several organisations opened, so that they can be told who looked.
 */
export function noteReached(scope: Scope<Reach>, organisationId: string | null): void {
  if (organisationId !== null) reached.set(scope, (reached.get(scope) ?? new Set()).add(organisationId));
}

/** The organisations whose records this request opened. */
export const organisationsReached = (scope: Scope<Reach>): readonly string[] => [...(reached.get(scope) ?? [])];

/**
 * The customer organisation that a person with this e-mail belongs to, if it is within the scope: a partner reaches its
 * own customers, an administrator all. Null otherwise, without saying why.
 */
export async function reachCustomer(
  database: Database | Transaction,
  scope: Scope<"customers" | "any">,
  email: string,
): Promise<Scope<"organisation"> | null> {
  const id = await findOrganisationId(database, scope, email, ["customer"]);
  if (id === null) outOfReach.add(scope);
  return id === null ? null : narrowed(scope, "organisation", id);
}

/**
 * For a row of a list: an e-mail that reaches its organisation, preferably a main account's; null if it has no people.
 */
export const emailReaching = (organisationId: PgColumn) =>
  sql<string | null>`(select people.email from people where people.organisation_id = ${organisationId}
    order by people.role = 'user' desc, people.id limit 1)`;

/** The customers of the partner that a person with this e-mail belongs to; null if there is none. */
export async function reachCustomersOfPartner(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string,
): Promise<Scope<"customers"> | null> {
  const id = await findOrganisationId(database, scope, email, ["partner"]);
  return id === null ? null : narrowed(scope, "customers", id);
}

/** The customer or partner organisation that a person with this e-mail belongs to; null if there is none. */
export async function reachCustomerOrPartner(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string,
): Promise<Scope<"organisation"> | null> {
  const id = await findOrganisationId(database, scope, email, ["customer", "partner"]);
  return id === null ? null : narrowed(scope, "organisation", id);
}

/** The organisation of any kind that a person with this e-mail belongs to. @throws Failure not_found */
export async function findOrganisationOf(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string,
): Promise<Scope<"organisation">> {
  const id = await findOrganisationId(database, scope, email, ["customer", "partner", "provider"]);
  if (id === null) throw notFound("This organization");
  return narrowed(scope, "organisation", id);
}

/**
 * Orders the people with one e-mail, as several organisations may have invited it and anybody may have registered it:
 * first whoever has proved the address, then open invitations. Among these, main accounts come before child accounts,
 * since anybody may add a stranger's e-mail as a child account of theirs; then joined accounts; then the newest.
 */
export const ownersFirst: readonly SQL[] = [
  desc(isNotNull(people.emailVerifiedAt)),
  desc(sql`${people.joinedAt} is null and ${people.invitedUntil} > now()`),
  desc(inArray(people.role, [...mainRoles])),
  desc(isNotNull(people.joinedAt)),
  desc(people.id),
];

async function findOrganisationId(
  database: Database | Transaction,
  scope: Scope<"customers" | "any">,
  email: string,
  kinds: OrganisationKind[],
): Promise<string | null> {
  const [found] = await database
    .select({ id: organisations.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.email, email), inArray(organisations.kind, kinds), organisationsIn(scope)))
    .orderBy(...ownersFirst)
    .limit(1);
  noteReached(scope, found?.id ?? null);
  return found?.id ?? null;
}

/**
 * Whom each role may invite: child accounts into its own organisation, other roles as the first person of a new one.
 */
const invites: Record<Role, readonly Role[]> = {
  user: ["userChild"],
  userChild: [],
  partner: ["partnerChild", "user"],
  partnerChild: ["user"],
  admin: ["adminChild", "partner"],
  adminChild: [],
};

/** Whoever may add a person may also resend or withdraw the invitation, whichever colleague sent it. */
export function reachesInvitation(
  { actor }: Scope<"invited">,
  invited: Pick<typeof people.$inferSelect, "role" | "organisationId" | "partnerId">,
): boolean {
  // Administrators may do so for everybody.
  if (actor.role === "admin") return true;
  if (!invites[actor.role].includes(invited.role)) return false;
  if (isChild(invited.role)) return invited.organisationId === actor.organisationId;
  return areaOf(invited.role) !== "user" || invited.partnerId === actor.organisationId;
}

import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Reach } from "../../contract/access.ts";
import { areaOf, isChild, mainRoles, type Role } from "../../contract/roles.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import { narrowed, organisationsIn, type Scope } from "./scope.ts";

type OrganisationKind = (typeof organisations.$inferSelect)["kind"];

/** What was asked for in vain, so that a look beyond one's own customers leaves a trace. */
const outOfReach = new WeakSet<Scope<Reach>>();

/** Whether a customer was asked for by this call that is not within its scope. */
export const soughtOutOfReach = (scope: Scope<Reach>): boolean => outOfReach.has(scope);

const reached = new WeakMap<Scope<Reach>, Set<string>>();

/** Notes whose records a call opened by a scope that takes in several, so that they can be told who looked. */
export function noteReached(scope: Scope<Reach>, organisationId: string | null): void {
  if (organisationId !== null) reached.set(scope, (reached.get(scope) ?? new Set()).add(organisationId));
}

/** The organisations whose records this call opened. */
export const organisationsReached = (scope: Scope<Reach>): readonly string[] => [...(reached.get(scope) ?? [])];

/**
 * The customer organisation that a person with this e-mail belongs to, if it is within the scope: a partner reaches its
 * own customers, an administrator all. Null for anything else, without telling which.
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

/** In a row of a list: the e-mail by which its organisation is reached, of a main account before others; null where nobody is. */
export const emailReaching = (organisationId: PgColumn) =>
  sql<string | null>`(select people.email from people where people.organisation_id = ${organisationId}
    order by people.role = 'user' desc, people.id limit 1)`;

/** The customers of the partner that a person with this e-mail belongs to; null when there is none. */
export async function reachCustomersOfPartner(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string,
): Promise<Scope<"customers"> | null> {
  const id = await findOrganisationId(database, scope, email, ["partner"]);
  return id === null ? null : narrowed(scope, "customers", id);
}

/** The customer or partner organisation that a person with this e-mail belongs to; null when there is none. */
export async function reachCustomerOrPartner(
  database: Database | Transaction,
  scope: Scope<"any">,
  email: string,
): Promise<Scope<"organisation"> | null> {
  const id = await findOrganisationId(database, scope, email, ["customer", "partner"]);
  return id === null ? null : narrowed(scope, "organisation", id);
}

/** The organisation that a person with this e-mail belongs to, whichever it is. @throws Failure not_found */
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
 * Several may have invited an e-mail, and anybody may have registered it: where its owner has shown to own it comes first, then
 * where it was invited, as long as that can be accepted. Of these those whose organisation it would be come before those that
 * added it as a child account, as anybody may add a stranger's to theirs; then the newest.
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

/** Whom each role invites: child accounts into its own organisation, others as the first person of theirs. */
const invites: Record<Role, readonly Role[]> = {
  user: ["userChild"],
  userChild: [],
  partner: ["partnerChild", "user"],
  partnerChild: ["user"],
  admin: ["adminChild", "partner"],
  adminChild: [],
};

/** Who may add somebody may also send the invitation again or withdraw it, whoever of the organisation sent it. */
export function reachesInvitation(
  { actor }: Scope<"invited">,
  invited: Pick<typeof people.$inferSelect, "role" | "organisationId" | "partnerId">,
): boolean {
  // Administrators answer for everybody's.
  if (actor.role === "admin") return true;
  if (!invites[actor.role].includes(invited.role)) return false;
  if (isChild(invited.role)) return invited.organisationId === actor.organisationId;
  return areaOf(invited.role) !== "user" || invited.partnerId === actor.organisationId;
}

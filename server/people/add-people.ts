import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { NewChild, NewOrganization } from "../../contract/people.ts";
import { messages } from "../../contract/messages.ts";
import { areaOf, childOf, type Role } from "../../contract/roles.ts";
import { lockOwnOrganisation } from "../accounts/lock-own-organisation.ts";
import { emailRefused, invitePerson, refuseTaken } from "../accounts/invitations.ts";
import { audit } from "../audit/audit.ts";
import { type Actor, organisationOf, organisationsIn, partnerOf, type Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/**
 * Invites a child account to the caller's own organisation, by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests
 */
export async function addChild(
  services: Services,
  scope: Scope<"organisation">,
  { phoneNo, ...form }: NewChild,
): Promise<void> {
  const { actor } = scope;
  await countInvitation(services, actor, form.email);
  const role = childOf[areaOf(actor.role)];
  await services.database.transaction(async (transaction) => {
    const home = { role, organisationId: organisationOf(scope), invitedBy: actor.personId };
    const personId = await invitePerson(services, transaction, { ...form, phone: phoneNo, ...home }, takenFor(actor));
    await audit(transaction, actor.personId, "add child", `person:${personId}`, { role });
  });
}

/**
 * Creates a customer of the calling partner, and invites its first person by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests, unauthenticated
 */
export const addCustomer = (services: Services, scope: Scope<"customers">, form: NewOrganization) =>
  addOrganisation(services, scope.actor, form, {
    values: { kind: "customer", partnerId: partnerOf(scope) },
    siblings: organisationsIn(scope),
    role: "user",
  });

/**
 * Creates a partner and invites its first person by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests
 */
export const addPartner = (services: Services, { actor }: Scope<"any">, form: NewOrganization) =>
  addOrganisation(services, actor, form, {
    values: { kind: "partner" },
    siblings: eq(organisations.kind, "partner"),
    role: "partner",
  });

interface NewHome {
  values: { kind: "customer" | "partner"; partnerId?: string };
  /** Condition: the organisations that share a list with the new one. */
  siblings: SQL | undefined;
  role: Role;
}

async function addOrganisation(
  services: Services,
  actor: Actor,
  { organizationName, phoneNo, ...form }: NewOrganization,
  { values, siblings, role }: NewHome,
): Promise<void> {
  await countInvitation(services, actor, form.email);
  await services.database.transaction(async (transaction) => {
    await refuseTaken(transaction, form.email, takenFor(actor));
    // An erasure of whoever answers for the partner counts its customers under the same lock.
    if (values.partnerId) await lockOwnOrganisation(transaction, actor);
    await refuseInvited(transaction, form.email, and(siblings, eq(people.role, role)));
    const [organisation] = await transaction
      .insert(organisations)
      .values({ ...values, name: organizationName })
      .returning({ id: organisations.id });
    if (!organisation) throw new Error("The organization was not made");
    const home = { role, organisationId: organisation.id, invitedBy: actor.personId };
    await invitePerson(services, transaction, { ...form, phone: phoneNo, ...home }, takenFor(actor));
    await audit(transaction, actor.personId, `add ${values.kind}`, `organisation:${organisation.id}`);
  });
}

/** A list may hold an e-mail only once, as people in it are looked up by e-mail. @throws Failure invalid */
export async function refuseInvited(transaction: Transaction, email: string, listed: SQL | undefined): Promise<void> {
  const [invited] = await transaction
    .select({ id: people.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.email, email), isNull(people.joinedAt), listed))
    .limit(1);
  if (invited) throw emailRefused(messages.alreadyInvited);
}

/**
 * Limits the invitations that a person sends, and those from one organisation to one mailbox.
 * @throws Failure too_many_requests
 */
export async function countInvitation({ limiter }: Services, actor: Actor, email: string): Promise<void> {
  await limiter.consume("invitationByAccount", actor.personId);
  await limiter.consume("invitationByMailbox", `${actor.organisationId} ${email}`);
}

/**
 * The refusal of a taken e-mail, as a person belongs to one organisation. Customers and partners are told no more than
 * that, and only a limited number of times: they must not learn whether it has an account elsewhere.
 */
export const takenFor = ({ role }: Pick<Actor, "role">) =>
  areaOf(role) === "admin" ? messages.emailTaken : messages.emailNotAddable;

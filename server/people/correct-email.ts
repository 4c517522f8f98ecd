import { and, eq, type SQL, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { followAddress, lockBeforeAddress } from "../accounts/follow-address.ts";
import { emailRefused, mailInvitation, refuseTaken } from "../accounts/invitations.ts";
import { newSecret } from "../accounts/links.ts";
import { lockPerson, type Person } from "../accounts/queries.ts";
import { noteReached } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { auditPerson } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { emailCorrections, organisations, people } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { refuseInvited } from "./add-people.ts";
import { refuseSuspended } from "./invitations.ts";

/**
 * Corrects a person's e-mail. A person who has joined keeps the old address until the owner of the new one confirms;
 * the old address is notified. An invitation is sent again to the corrected address.
 * @throws Failure not_found; invalid when the address has an account or is invited there already; conflict for an
 * erased person or an invitation to a suspended organisation; too_many_requests
 */
export async function correctEmail(
  services: Services,
  scope: Scope<"any">,
  { id, email }: { id: string; email: string },
): Promise<"asked" | "invited"> {
  await services.limiter.consume("invitationByAccount", scope.actor.personId);
  return services.database.transaction(async (transaction) => {
    await refuseTaken(transaction, email, messages.emailTaken);
    await lockBeforeAddress(transaction, id);
    const person = await lockPerson(transaction, id);
    if (!person) throw notFound("This person");
    noteReached(scope, person.organisationId);
    if (person.erasedAt) throw new Failure("conflict", "The data of this person were erased.");
    if (person.email === email) throw emailRefused("This is the address that the person has already.");
    if (!person.joinedAt) {
      await inviteAt(services, transaction, scope, person, email);
      return "invited";
    }
    await askToConfirm(services, transaction, scope, person, email);
    return "asked";
  });
}

/** Withdraws an unconfirmed correction: its link is void. @throws Failure not_found */
export async function keepEmail(services: Services, scope: Scope<"any">, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const person = await lockPerson(transaction, id);
    const [kept] = await transaction
      .delete(emailCorrections)
      .where(eq(emailCorrections.personId, id))
      .returning({ email: emailCorrections.email });
    if (!person || !kept) throw notFound("This correction");
    await auditPerson(transaction, scope.actor.personId, "keep email", id, {
      values: { before: { email: kept.email } },
    });
  });
}

async function askToConfirm(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  person: Person,
  email: string,
): Promise<void> {
  const now = services.now();
  const expiresAt = later(now, { hours: limits.confirmEmailHours });
  const { secret, secretHash } = newSecret();
  const asked = { email, secretHash, expiresAt, askedBy: actor.personId, createdAt: now };
  // One correction at a time: a new one voids the earlier link.
  await transaction
    .insert(emailCorrections)
    .values({ personId: person.id, ...asked })
    .onConflictDoUpdate({ target: emailCorrections.personId, set: asked });
  const key = randomUUID();
  await queueMail(services, transaction, {
    eventKey: `confirm-email:${key}`,
    to: email,
    content: {
      template: "confirmEmail",
      link: `${services.publicUrl}/confirm-email#token=${secret}`,
      hours: limits.confirmEmailHours,
    },
    uselessAfter: expiresAt,
  });
  await queueMail(services, transaction, {
    eventKey: `email-to-be-corrected:${key}`,
    to: person.email,
    content: {
      template: "emailCorrected",
      firstName: person.emailVerifiedAt ? person.firstName : null,
      at: now.toISOString(),
      confirmed: false,
    },
    uselessAfter: expiresAt,
  });
  const values = { before: { email: person.email }, after: { email } };
  await auditPerson(transaction, actor.personId, "ask to correct email", person.id, { values });
}

/**
 * Condition: the people in the same list, of partners or of a partner's customers, where an e-mail may occur only once.
 */
async function listedWith(transaction: Transaction, { role, organisationId }: Person): Promise<SQL | undefined> {
  if (role === "partner") return and(eq(organisations.kind, "partner"), eq(people.role, role));
  const [home] = await transaction
    .select({ partnerId: organisations.partnerId })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return role === "user" && home?.partnerId
    ? and(eq(organisations.partnerId, home.partnerId), eq(people.role, role))
    : undefined;
}

/**
 * Nobody has proved to own the invited address, so the new one needs no confirmation beyond the invitation. What the
 * organisation has under the old address moves along; what a stranger with that address has does not.
 */
async function inviteAt(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  person: Person,
  email: string,
): Promise<void> {
  refuseSuspended(person);
  const sameEmail = and(eq(people.organisationId, person.organisationId), eq(people.email, email));
  if ((await transaction.$count(people, sameEmail)) > 0) throw emailRefused(messages.alreadyInvited);
  const listed = await listedWith(transaction, person);
  if (listed) await refuseInvited(transaction, email, listed);
  await transaction
    .update(people)
    .set({ email, version: sql`${people.version} + 1` })
    .where(eq(people.id, person.id));
  await followAddress(transaction, person, email);
  await mailInvitation(services, transaction, { ...person, email });
  const values = { before: { email: person.email }, after: { email } };
  await auditPerson(transaction, actor.personId, "correct email", person.id, { values });
}

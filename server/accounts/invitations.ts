import { and, eq, gt, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { areaOf, type Role } from "../../contract/roles.ts";
import { audit } from "../audit/audit.ts";
import { forgetValues } from "../audit/forget-values.ts";
import type { Transaction } from "../database/database.ts";
import { customerTools, orders, organisations, people, quotes } from "../database/schema/index.ts";
import { invalidField } from "../failures/failure.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { removeEmptyOrganisations } from "./empty-organisations.ts";
import { makeLink } from "./links.ts";
import { moveRecords } from "./move-records.ts";
import { findPersonByEmail, holdOrganisations, lockEmail, type Person } from "./queries.ts";

export interface Invitee {
  organisationId: string;
  role: Role;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** Id of the person who invites. */
  invitedBy: string;
}

/**
 * Invites a person to an organisation by mail and returns the row's id. Until accepted, the invitation owns nothing,
 * not even the e-mail: other organisations may invite it too, and its owner may register.
 * @throws Failure invalid, with the sentence `taken`, when the e-mail has an account
 */
export async function invitePerson(
  services: Services,
  transaction: Transaction,
  invitee: Invitee,
  taken: string = messages.emailTaken,
): Promise<string> {
  await refuseTaken(transaction, invitee.email, taken);
  await holdOrganisations(transaction, invitee.organisationId);
  const [person] = await transaction
    .insert(people)
    .values({ ...invitee, createdAt: services.now() })
    .onConflictDoNothing({ target: [people.organisationId, people.email] })
    .returning();
  if (!person) throw emailRefused(messages.alreadyInvited);
  await mailInvitation(services, transaction, person);
  return person.id;
}

/**
 * Takes turns with whatever else decides about this e-mail. An account counts only once its owner has proved the
 * address: a stranger who registered it must not keep its owner from being invited.
 * @throws Failure invalid, with the sentence given
 */
export async function refuseTaken(transaction: Transaction, email: string, taken: string): Promise<void> {
  await lockEmail(transaction, email);
  const account = await findPersonByEmail(transaction, email);
  if (account?.emailVerifiedAt) throw emailRefused(taken);
}

export const emailRefused = (sentence: string) => invalidField("email", sentence);

/** Mails a new link, which voids the earlier one. */
export async function mailInvitation(
  services: Services,
  transaction: Transaction,
  person: Pick<Person, "id" | "organisationId" | "firstName" | "email">,
): Promise<void> {
  const [organisation] = await transaction
    .select({ name: organisations.name })
    .from(organisations)
    .where(eq(organisations.id, person.organisationId));
  const { id, link, expiresAt } = await makeLink(services, transaction, person.id, "invite");
  await transaction.update(people).set({ invitedUntil: expiresAt }).where(eq(people.id, person.id));
  await queueMail(services, transaction, {
    eventKey: `invite:${id}`,
    to: person.email,
    content: {
      template: "invitation",
      organizationName: organisation?.name ?? "",
      link,
      hours: limits.inviteHours,
    },
    uselessAfter: expiresAt,
  });
}

/** The e-mail's owner has joined an organisation: pending invitations from others can no longer be accepted. */
export async function endInvitations(transaction: Transaction, email: string, at: Date): Promise<void> {
  const ended = await transaction
    .update(people)
    .set({ invitedUntil: at })
    .where(and(eq(people.email, email), isNull(people.joinedAt), gt(people.invitedUntil, at)))
    .returning({ id: people.id });
  for (const { id } of ended) await audit(transaction, null, "end invitation", `person:${id}`);
}

/**
 * Removes a pending invitation: an e-mail may occur only once in an organisation, and somebody else is about to have it
 * there.
 */
export async function removeInvited(transaction: Transaction, organisationId: string, email: string): Promise<void> {
  const invited = and(eq(people.organisationId, organisationId), eq(people.email, email), isNull(people.joinedAt));
  const removed = await transaction.delete(people).where(invited).returning({ id: people.id });
  await forgetValues(
    transaction,
    null,
    "person",
    removed.map(({ id }) => id),
  );
}

/**
 * Deletes a row that nobody has ever signed in with, and its organisation if nobody else is in it. Records that our
 * team put there go to the owner's organisation if that is a customer; otherwise the organisation stays with its
 * records.
 */
export async function removeStranger(
  transaction: Transaction,
  { id, organisationId }: Pick<Person, "id" | "organisationId">,
  owner?: Pick<Person, "organisationId" | "role">,
): Promise<void> {
  await transaction.delete(people).where(eq(people.id, id));
  await forgetValues(transaction, null, "person", [id]);
  const anybody = transaction.select({ id: people.id }).from(people).where(eq(people.organisationId, organisationId));
  if (owner && areaOf(owner.role) === "user" && (await anybody).length === 0)
    await moveWhatWePut(transaction, organisationId, owner.organisationId);
  await transaction
    .delete(customerTools)
    .where(and(eq(customerTools.organisationId, organisationId), notExists(anybody)));
  const ordered = transaction
    .select({ one: sql`1` })
    .from(orders)
    .where(eq(orders.quoteId, quotes.id));
  // Quotes without an order stay with their e-mail, to which the proposal went, as a visitor's do.
  await transaction
    .update(quotes)
    .set({ organisationId: null })
    .where(and(eq(quotes.organisationId, organisationId), notExists(anybody), notExists(ordered)));
  await removeEmptyOrganisations(transaction, [organisationId]);
}

/** Moves our team's records; dashboards only if the other organisation has none. */
async function moveWhatWePut(transaction: Transaction, from: string, into: string): Promise<void> {
  await moveRecords(transaction, from, into);
  const ofInto = transaction
    .select({ one: sql`1` })
    .from(alias(customerTools, "kept"))
    .where(sql`kept.organisation_id = ${into}`);
  await transaction
    .update(customerTools)
    .set({ organisationId: into })
    .where(and(eq(customerTools.organisationId, from), notExists(ofInto)));
}

import { eq } from "drizzle-orm";
import type { Invitation } from "../../contract/accounts.ts";
import { messages } from "../../contract/messages.ts";
import type { Input } from "../../contract/operations.ts";
import { areaOf } from "../../contract/roles.ts";
import { audit } from "../audit/audit.ts";
import type { Call } from "../call.ts";
import { recordConsent } from "../audit/consent.ts";
import type { Transaction } from "../database/database.ts";
import { notify } from "../notices/notify.ts";
import { people } from "../database/schema/index.ts";
import { accountFrom } from "../protection/limiter.ts";
import { claimQuotes, countUnclaimed } from "./claim-estimates.ts";
import type { Services } from "../services.ts";
import { endInvitations, removeStranger } from "./invitations.ts";
import { readLink, refusedToken, refuseLink, redeemLink } from "./links.ts";
import { hashPassword, knownOf, refuseGuessable } from "./passwords.ts";
import { findPerson, findPersonByEmail, findProfile, lockEmail, type Person } from "./queries.ts";

/** The invitation behind a mailed link. @throws Failure invalid when the link is no longer good, too_many_requests */
export async function readInvitation(services: Services, call: Call, secret: string): Promise<Invitation> {
  const { database } = services;
  const person = await readLink(services, call, secret, "invite");
  const profile = await findProfile(database, person.id);
  const inviter = person.invitedBy && (await findProfile(database, person.invitedBy));
  return database.transaction(async (transaction) => {
    await refuseOvertaken(services, call, transaction, person);
    return {
      organizationName: profile?.organizationName ?? "",
      firstName: person.firstName,
      lastName: person.lastName,
      email: person.email,
      invitedBy: inviter
        ? { name: `${inviter.firstName} ${inviter.lastName}`, organizationName: inviter.organizationName }
        : null,
      estimates: bringsQuotes(person) ? await countUnclaimed(transaction, person) : 0,
    };
  });
}

/** Only people of customers have quotes. */
const bringsQuotes = ({ role }: Person) => areaOf(role) === "user";

/**
 * Joins the organisation that the link invites to, with a first password; other invitations to the e-mail end. Quotes
 * requested earlier are brought along only with `claimQuotes`.
 * @throws Failure invalid when the link is not good or the e-mail has an account meanwhile, too_many_requests
 */
export async function acceptInvite(
  services: Services,
  call: Call,
  request: Input<"auth/accept-invite">,
): Promise<void> {
  const invited = await readLink(services, call, request.token, "invite");
  await refuseGuessable(request.password, "password", knownOf(invited));
  const passwordHash = await hashPassword(request.password);
  await services.database.transaction(async (transaction) => {
    await lockEmail(transaction, invited.email);
    const person = await redeemLink(services, call, transaction, request.token, "invite");
    await refuseOvertaken(services, call, transaction, person);
    await join(services, transaction, person, passwordHash);
    await recordConsent(services, transaction, { purpose: "invitation", personId: person.id }, request.noticeVersion);
    if (request.claimQuotes && bringsQuotes(person)) await bringQuotes(transaction, person);
  });
  await services.limiter.clear("wrongPasswordByAccount", accountFrom(call.address, invited.email));
}

/** @throws Failure invalid when the invitation has ended, or the e-mail has joined an organisation meanwhile */
async function refuseOvertaken(
  services: Services,
  call: Call,
  transaction: Transaction,
  person: Person,
): Promise<void> {
  const account = await findPersonByEmail(transaction, person.email);
  if (account?.emailVerifiedAt) throw refusedToken(messages.invitationOvertaken);
  if (person.joinedAt || !person.invitedUntil || person.invitedUntil <= services.now())
    throw refuseLink(services, call, "invite");
}

async function join(services: Services, transaction: Transaction, person: Person, passwordHash: string): Promise<void> {
  const now = services.now();
  // Someone registered this e-mail without proving to own it; the mailed link has now proved who does.
  const unproved = await findPersonByEmail(transaction, person.email);
  if (unproved) {
    await removeStranger(transaction, unproved, person);
    await audit(transaction, person.id, "drop registration", `organisation:${unproved.organisationId}`);
  }
  await transaction
    .update(people)
    .set({ passwordHash, joinedAt: now, emailVerifiedAt: now, invitedUntil: null })
    .where(eq(people.id, person.id));
  await endInvitations(transaction, person.email, now);
  await audit(transaction, person.id, "accept invitation", `person:${person.id}`);
  await tellInviter(transaction, person);
}

/** An inviter at a partner that the customer has left meanwhile is not told. */
async function tellInviter(transaction: Transaction, person: Person): Promise<void> {
  const inviter = person.invitedBy && (await findPerson(transaction, person.invitedBy));
  if (!inviter) return;
  const isConcerned = [person.organisationId, person.partnerId].includes(inviter.organisationId);
  if (!isConcerned && areaOf(inviter.role) !== "admin") return;
  const { organisationName: organizationName, role } = person;
  const name = `${person.firstName} ${person.lastName}`;
  const facts = { name, organizationName, role, inviterRole: inviter.role };
  await notify(transaction, "invitation accepted", person.id, facts, { people: [inviter.id] });
}

async function bringQuotes(transaction: Transaction, person: Person): Promise<void> {
  const count = await claimQuotes(transaction, person, null);
  if (count > 0)
    await audit(transaction, person.id, "bring quotes", `organisation:${person.organisationId}`, { count });
}

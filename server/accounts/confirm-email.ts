import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { auditPerson } from "../audit/audit.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import {
  contactLadders,
  emailCorrections,
  incidents,
  ladderCalls,
  leads,
  mails,
  people,
  quotes,
} from "../database/schema/index.ts";
import { templatesThatFollow } from "../mail/follows-address.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { endInvitations, removeInvited, removeStranger } from "./invitations.ts";
import { hashSecret, refusedToken } from "./links.ts";
import {
  endAccess,
  findPerson,
  findPersonByEmail,
  lockEmail,
  lockOrganisation,
  lockPerson,
  type Person,
} from "./queries.ts";

/**
 * Gives a person the address that an administrator typed, as its owner confirms by the mailed link. What was sent to the
 * old address follows; every session ends, and the old address is told.
 * @throws Failure invalid when the link is not good, or the address has an account of its own meanwhile; too_many_requests
 */
export async function confirmEmail(services: Services, call: Call, secret: string): Promise<void> {
  const good = and(eq(emailCorrections.secretHash, hashSecret(secret)), gt(emailCorrections.expiresAt, services.now()));
  const [asked] = await services.database.select().from(emailCorrections).where(good);
  const known = asked && (await findPerson(services.database, asked.personId));
  if (!asked || !known) {
    await services.limiter.consume("linkByAddress", call.address);
    throw notGood();
  }
  await services.database.transaction(async (transaction) => {
    // In one order, so that two people who exchange their addresses don't wait for each other for ever.
    for (const email of [known.email, asked.email].toSorted()) await lockEmail(transaction, email);
    await lockBefore(transaction, asked.personId);
    const person = await lockPerson(transaction, asked.personId);
    const used = await transaction.delete(emailCorrections).where(good);
    if (!person || used.rowCount !== 1) throw notGood();
    await freeAddress(transaction, person, asked.email);
    await take(services, transaction, person, asked.email);
  });
}

/**
 * The organisation, and the quotes that follow to the new address: whoever pays, decides, merges or erases has them before the
 * person. While an address changes, which is part of a key, nothing new can refer to its person.
 */
async function lockBefore(transaction: Transaction, personId: string): Promise<void> {
  const person = await findPerson(transaction, personId);
  if (!person) return;
  // One that is gone has taken its people along into another.
  if (!(await lockOrganisation(transaction, person.organisationId))) return lockBefore(transaction, personId);
  const asked = eq(quotes.userEmail, person.email);
  await transaction.select({ id: quotes.id }).from(quotes).where(asked).orderBy(asc(quotes.id)).for("no key update");
}

/** Nothing is kept of a link that was used: the sentence fits as well whoever never got the answer to it. */
const notGood = () =>
  refusedToken(
    "This link has expired or was already used. If you have confirmed this address before, please sign in with it; otherwise ask our support to send a new one.",
  );

/** @throws Failure invalid when somebody has shown to own the address for another account */
async function freeAddress(transaction: Transaction, person: Person, email: string): Promise<void> {
  const account = await findPersonByEmail(transaction, email);
  if (account && account.id !== person.id) {
    // Told to whoever reads this mailbox, whose account it is.
    if (account.emailVerifiedAt)
      throw refusedToken("This e-mail address has an account of its own. Please sign in with that one.");
    await removeStranger(transaction, account, person);
  }
  await removeInvited(transaction, person.organisationId, email);
}

async function take(services: Services, transaction: Transaction, person: Person, email: string): Promise<void> {
  const now = services.now();
  await transaction
    .update(people)
    .set({ email, emailVerifiedAt: now, version: sql`${people.version} + 1` })
    .where(eq(people.id, person.id));
  await endAccess(transaction, [person.id], now);
  await endInvitations(transaction, email, now);
  await followAddress(transaction, person, email);
  const values = { before: { email: person.email }, after: { email } };
  await auditPerson(transaction, person.id, "correct email", person.id, { values });
  await queueMail(services, transaction, {
    eventKey: `email-corrected:${randomUUID()}`,
    to: person.email,
    content: {
      template: "emailCorrected",
      firstName: person.emailVerifiedAt ? person.firstName : null,
      at: now.toISOString(),
      confirmed: true,
    },
  });
}

/** What is found by the address; orders, tools and all else go by the person or the organisation. */
async function followAddress(transaction: Transaction, person: Person, email: string): Promise<void> {
  // Who never showed to own the old address may have mistyped a stranger's: what that one asked for stays.
  const proved = person.emailVerifiedAt !== null;
  const ofOrganisation = eq(quotes.organisationId, person.organisationId);
  await transaction
    .update(quotes)
    .set({ userEmail: email })
    .where(
      and(
        eq(quotes.userEmail, person.email),
        proved ? or(ofOrganisation, isNull(quotes.organisationId)) : ofOrganisation,
      ),
    );
  const theirs = transaction.select({ id: quotes.id }).from(quotes).where(ofOrganisation);
  await transaction
    .update(leads)
    .set({ userEmail: email })
    .where(and(eq(leads.userEmail, person.email), proved ? undefined : inArray(leads.quoteId, theirs)));
  await followInMails(transaction, person, email);
  await followInLadders(transaction, person, email);
}

/** What has not gone out yet. */
async function followInMails(transaction: Transaction, person: Person, email: string): Promise<void> {
  const { id, organisationId } = person;
  const template = sql`${mails.content}->>'template'`;
  const isOfOrganisation = sql`split_part(${mails.eventKey}, ':', 2) in (
    select id::text from quotes where organisation_id = ${organisationId}
    union all select id::text from orders where organisation_id = ${organisationId}
    union all select id::text from incidents where organisation_id = ${organisationId})`;
  // Whose choice a proposal is was asked by its address, which may be a stranger's.
  const isTheirs = and(eq(mails.personId, id), sql`${template} <> 'proposal'`);
  await transaction
    .update(mails)
    .set({ recipient: email })
    .where(
      and(
        sql`lower(${mails.recipient}) = lower(${person.email})`,
        isNull(mails.sentAt),
        isNotNull(mails.content),
        inArray(template, templatesThatFollow),
        person.emailVerifiedAt ? undefined : or(isOfOrganisation, isTheirs),
      ),
    );
}

/**
 * Whom their own organisation wants called. Calls that are over go with it: whoever is erased is found in them by the
 * address that they have then.
 */
async function followInLadders(transaction: Transaction, person: Person, email: string): Promise<void> {
  const { organisationId } = person;
  const isTheirs = sql`lower(contact->>'email') = lower(${person.email})`;
  await transaction
    .update(contactLadders)
    .set({
      contacts: sql`(select jsonb_agg(
        case when ${isTheirs} then contact || jsonb_build_object('email', ${email}::text) else contact end order by place)
        from jsonb_array_elements(${contactLadders.contacts}) with ordinality as each(contact, place))`,
      version: sql`${contactLadders.version} + 1`,
    })
    .where(
      and(
        eq(contactLadders.organisationId, organisationId),
        sql`exists (select from jsonb_array_elements(${contactLadders.contacts}) as contact where ${isTheirs})`,
      ),
    );
  const ofOrganisation = transaction
    .select({ id: incidents.id })
    .from(incidents)
    .where(eq(incidents.organisationId, organisationId));
  await transaction
    .update(ladderCalls)
    .set({ email })
    .where(
      and(sql`lower(${ladderCalls.email}) = lower(${person.email})`, inArray(ladderCalls.incidentId, ofOrganisation)),
    );
}

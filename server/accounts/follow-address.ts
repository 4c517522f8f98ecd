import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { contactLadders, incidents, ladderCalls, leads, mails, quotes } from "../database/schema/index.ts";
import { templatesThatFollow } from "../mail/follows-address.ts";
import { findPerson, lockOrganisation, type Person } from "./queries.ts";

/**
 * Locks the organisation, and the quotes that follow to the new address, before the person: the order in which paying,
 * deciding, merging and erasing lock them. While the address changes, which is part of a key, no new row can refer to
 * the person.
 */
export async function lockBeforeAddress(transaction: Transaction, personId: string): Promise<void> {
  const person = await findPerson(transaction, personId);
  if (!person) return;
  // The organisation was merged into another, and the person with it: look again.
  if (!(await lockOrganisation(transaction, person.organisationId))) return lockBeforeAddress(transaction, personId);
  const asked = eq(quotes.userEmail, person.email);
  await transaction.select({ id: quotes.id }).from(quotes).where(asked).orderBy(asc(quotes.id)).for("no key update");
}

/** Moves what is found by the address; orders, tools and the rest refer to the person or the organisation. */
export async function followAddress(transaction: Transaction, person: Person, email: string): Promise<void> {
  // An unproved old address may be a stranger's, mistyped: that stranger's quotes and leads stay with it.
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

/** Redirects mails that have not gone out yet. */
async function followInMails(transaction: Transaction, person: Person, email: string): Promise<void> {
  const { id, organisationId } = person;
  const template = sql`${mails.content}->>'template'`;
  const isOfOrganisation = sql`split_part(${mails.eventKey}, ':', 2) in (
    select id::text from quotes where organisation_id = ${organisationId}
    union all select id::text from orders where organisation_id = ${organisationId}
    union all select id::text from incidents where organisation_id = ${organisationId})`;
  // The personId of a proposal's mail was looked up by its address, which may be a stranger's.
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
 * Updates the contacts in the organisation's ladder and the calls of its incidents. Past calls are included, so that
 * erasure, which looks for the current address, finds the person in them.
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

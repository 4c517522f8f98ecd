import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import { mainRoles } from "../../contract/roles.ts";
import { isOneOf } from "../database/is-one-of.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people, sessions, signInCodes, singleUseLinks } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { mayEnter } from "../access/suspended.ts";

/** A person who has joined, or an invitation; `mayEnter` is false if the person or the organisation is suspended. */
export type Person = typeof people.$inferSelect & { mayEnter: boolean };

const persons = (database: Database | Transaction, which: SQL | undefined) =>
  database
    .select({ ...getTableColumns(people), mayEnter })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(which);

const joinedWith = (email: string | Placeholder) => and(eq(people.email, email), isNotNull(people.joinedAt));

/**
 * The person who has joined with this e-mail; an invitation is no account. The e-mail is the key for signing in, so
 * this look-up is not bound to an organisation.
 */
export async function findPersonByEmail(database: Database | Transaction, email: string): Promise<Person | undefined> {
  const prepared = byEmail.get(database) ?? prepareByEmail(database);
  byEmail.set(database, prepared);
  const [person] = await prepared.execute({ email });
  return person;
}

/**
 * Prepared once per database client or transaction: every sign-in runs it, and building and planning it takes longer
 * than executing it.
 */
const prepareByEmail = (database: Database | Transaction) =>
  persons(database, joinedWith(sql.placeholder("email"))).prepare("person_by_email");
const byEmail = new WeakMap<Database | Transaction, ReturnType<typeof prepareByEmail>>();

/**
 * The same, locked against changes until the transaction ends. If their organisation or its quotes are locked too, lock
 * those first.
 */
export async function lockPersonByEmail(transaction: Transaction, email: string): Promise<Person | undefined> {
  const [person] = await persons(transaction, joinedWith(email)).for("no key update", { of: people });
  return person;
}

export async function findPerson(database: Database | Transaction, id: string): Promise<Person | undefined> {
  const [person] = await persons(database, eq(people.id, id));
  return person;
}

export async function lockPerson(transaction: Transaction, id: string): Promise<Person | undefined> {
  const [person] = await persons(transaction, eq(people.id, id)).for("no key update", { of: people });
  return person;
}

/**
 * Takes turns, until the transaction ends, with whatever else decides who owns an e-mail: registering, accepting an
 * invitation, proving it by a first sign-in. Take it before any row lock.
 */
export async function lockEmail(transaction: Transaction, email: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(72177, hashtext(lower(${email})))`);
}

/**
 * Locks an organisation against suspending, moving, merging and buying until the transaction ends. Take it before the
 * rows of its people, quotes and orders.
 */
export async function lockOrganisation(transaction: Transaction, id: string) {
  const [organisation] = await transaction
    .select()
    .from(organisations)
    .where(eq(organisations.id, id))
    .for("no key update");
  return organisation;
}

/**
 * Keeps the names and partners of organisations unchanged until the transaction ends, so that copies of them in new rows
 * stay true. Take it at the same point as `lockOrganisation`.
 * @param ids each once
 * @throws Failure conflict if one of them was merged into another
 */
export async function holdOrganisations(transaction: Transaction, ...ids: string[]): Promise<void> {
  const held = await transaction
    .select({ id: organisations.id })
    .from(organisations)
    .where(isOneOf(organisations.id, ids))
    .orderBy(asc(organisations.id))
    .for("share");
  if (held.length < ids.length) throw new Failure("conflict", messages.organizationMerged);
}

export async function findProfile(database: Database, personId: string) {
  const [profile] = await database
    .select({
      firstName: people.firstName,
      lastName: people.lastName,
      email: people.email,
      phone: people.phone,
      role: people.role,
      organizationName: organisations.name,
    })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(eq(people.id, personId));
  return profile;
}

/** Ends all access of these people: sessions (except `keptSessionId`), pending codes, unused links. */
export async function endAccess(
  transaction: Transaction,
  personIds: string[],
  at: Date,
  keptSessionId?: string,
): Promise<void> {
  await transaction
    .update(sessions)
    .set({ revokedAt: at })
    .where(
      and(
        inArray(sessions.personId, personIds),
        isNull(sessions.revokedAt),
        keptSessionId ? ne(sessions.id, keptSessionId) : undefined,
      ),
    );
  // The code expires but its row stays, so that today's tries stay counted.
  await transaction
    .update(signInCodes)
    .set({ expiresAt: at })
    .where(and(inArray(signInCodes.personId, personIds), gt(signInCodes.expiresAt, at)));
  await transaction
    .delete(singleUseLinks)
    .where(and(inArray(singleUseLinks.personId, personIds), isNull(singleUseLinks.usedAt)));
}

/** Condition on `people` joined with `organisations`: has joined, may enter and is not erased. */
export const isThere = and(isNotNull(people.joinedAt), isNull(people.erasedAt), mayEnter);

/** Condition on `people`: a main administrator who may enter. */
export const isActiveAdministrator = and(
  eq(people.role, "admin"),
  isNotNull(people.joinedAt),
  isNull(people.suspendedAt),
);

/** How many main administrators may enter besides this person; null counts all. */
export const countOtherAdministrators = (database: Database | Transaction, personId: string | null): Promise<number> =>
  database.$count(people, and(isActiveAdministrator, personId === null ? undefined : ne(people.id, personId)));

/**
 * The person at a customer to tell something now: the first one for whom `isRather` holds, or else the one who has
 * answered for the customer longest. Only people who may enter.
 */
export async function findAnswering(
  transaction: Transaction,
  organisationId: string,
  isRather: (person: typeof people.$inferSelect) => boolean,
): Promise<typeof people.$inferSelect | undefined> {
  const there = await transaction
    .select(getTableColumns(people))
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(eq(people.organisationId, organisationId), isThere))
    .orderBy(asc(people.createdAt), asc(people.id));
  return there.find(isRather) ?? there.find(({ role }) => mainRoles.includes(role));
}

/**
 * The person to mail about an order: its buyer, or who answers for the customer by now. If nobody there may enter,
 * still the buyer, as the documents are theirs. Undefined if nobody is left.
 */
export async function findBuyer(
  transaction: Transaction,
  { organisationId, buyerId }: { organisationId: string; buyerId: string },
): Promise<typeof people.$inferSelect | undefined> {
  const answering = await findAnswering(transaction, organisationId, ({ id }) => id === buyerId);
  if (answering) return answering;
  const [buyer] = await transaction
    .select()
    .from(people)
    .where(and(eq(people.id, buyerId), isNull(people.erasedAt)));
  return buyer;
}

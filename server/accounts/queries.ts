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
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people, sessions, signInCodes, singleUseLinks } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { mayEnter } from "../access/suspended.ts";

/** Somebody who has joined, or an invitation; `mayEnter` is false for whoever is suspended, or whose organisation is. */
export type Person = typeof people.$inferSelect & { mayEnter: boolean };

const persons = (database: Database | Transaction, which: SQL | undefined) =>
  database
    .select({ ...getTableColumns(people), mayEnter })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(which);

const joinedWith = (email: string | Placeholder) => and(eq(people.email, email), isNotNull(people.joinedAt));

/**
 * Who has joined with this e-mail; an invitation is nobody's account.
 * The e-mail is the key that people sign in by, so this look-up is not bound to an organisation.
 */
export async function findPersonByEmail(database: Database | Transaction, email: string): Promise<Person | undefined> {
  const prepared = byEmail.get(database) ?? prepareByEmail(database);
  byEmail.set(database, prepared);
  const [person] = await prepared.execute({ email });
  return person;
}

/** Named and kept: each sign-in asks it, and to write and plan it takes longer than to do it. */
const prepareByEmail = (database: Database | Transaction) =>
  persons(database, joinedWith(sql.placeholder("email"))).prepare("person_by_email");
const byEmail = new WeakMap<Database | Transaction, ReturnType<typeof prepareByEmail>>();

/** The same, and nobody else changes them until the transaction ends. Whoever locks their organisation or its quotes too locks those first. */
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
 * Takes turns, until the transaction ends, with whatever else decides whose an e-mail is: registering, accepting an
 * invitation, proving it by a first sign-in. Taken before any row is locked.
 */
export async function lockEmail(transaction: Transaction, email: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(72177, hashtext(lower(${email})))`);
}

/**
 * An organisation, which nobody else suspends, moves, merges or buys for until the transaction ends. Taken before the rows
 * of its people, quotes and orders.
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
 * An organisation that keeps its name and partner until the transaction ends: of what is written for it, copies of both stay true.
 * Taken where `lockOrganisation` would be. @throws Failure conflict for one that has become part of another
 */
export async function holdOrganisation(transaction: Transaction, id: string): Promise<void> {
  const held = await transaction
    .select({ id: organisations.id })
    .from(organisations)
    .where(eq(organisations.id, id))
    .for("share");
  if (held.length === 0) throw new Failure("conflict", messages.organizationMerged);
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

/** Ends what people have open: sessions (all, or all but one), codes under way, links not yet used. */
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
  // The code goes, its row stays: what was guessed today stays counted.
  await transaction
    .update(signInCodes)
    .set({ expiresAt: at })
    .where(and(inArray(signInCodes.personId, personIds), gt(signInCodes.expiresAt, at)));
  await transaction
    .delete(singleUseLinks)
    .where(and(inArray(singleUseLinks.personId, personIds), isNull(singleUseLinks.usedAt)));
}

/** Who has joined, may enter and is not erased: of `people` joined with `organisations`. */
export const isThere = and(isNotNull(people.joinedAt), isNull(people.erasedAt), mayEnter);

/** A main administrator who may enter. */
export const isActiveAdministrator = and(
  eq(people.role, "admin"),
  isNotNull(people.joinedAt),
  isNull(people.suspendedAt),
);

/** How many main administrators may enter besides one; all of them beside nobody. */
export const countOtherAdministrators = (database: Database | Transaction, personId: string | null): Promise<number> =>
  database.$count(people, and(isActiveAdministrator, personId === null ? undefined : ne(people.id, personId)));

/**
 * Who of a customer is to be told of something now: whom it is rather than others, if they are still there, or else whoever
 * has answered for it for longest.
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
 * Who is mailed about an order: whoever bought it, or who answers for its customer by now. Where nobody may enter, it is the
 * buyer all the same: papers are theirs. Undefined where nobody is left.
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

import { and, eq, isNull, ne } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people, sessions, signInCodes, singleUseLinks } from "../database/schema/index.ts";

export type Person = typeof people.$inferSelect;

/** The e-mail is the key that people sign in by, so this look-up is not bound to an organisation. */
export async function findPersonByEmail(database: Database | Transaction, email: string): Promise<Person | undefined> {
  const [person] = await database.select().from(people).where(eq(people.email, email));
  return person;
}

/** The same, and nobody else changes them until the transaction ends. Whoever locks more locks the person first. */
export async function lockPersonByEmail(transaction: Transaction, email: string): Promise<Person | undefined> {
  const [person] = await transaction.select().from(people).where(eq(people.email, email)).for("no key update");
  return person;
}

export async function lockPerson(transaction: Transaction, id: string): Promise<Person | undefined> {
  const [person] = await transaction.select().from(people).where(eq(people.id, id)).for("no key update");
  return person;
}

/** Whether a person still has this password; it stays so until the transaction ends. */
export async function keepsPassword(transaction: Transaction, id: string, passwordHash: string): Promise<boolean> {
  const found = await transaction
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.id, id), eq(people.passwordHash, passwordHash), isNull(people.suspendedAt)))
    .for("share");
  return found.length === 1;
}

export async function findPerson(database: Database | Transaction, id: string): Promise<Person | undefined> {
  const [person] = await database.select().from(people).where(eq(people.id, id));
  return person;
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

/** Ends what an earlier password has opened: sessions (all, or all but one), the code under way, links not yet used. */
export async function endAccess(
  transaction: Transaction,
  personId: string,
  at: Date,
  keptSessionId?: string,
): Promise<void> {
  await transaction
    .update(sessions)
    .set({ revokedAt: at })
    .where(
      and(
        eq(sessions.personId, personId),
        isNull(sessions.revokedAt),
        keptSessionId ? ne(sessions.id, keptSessionId) : undefined,
      ),
    );
  await transaction.delete(signInCodes).where(eq(signInCodes.personId, personId));
  await transaction
    .delete(singleUseLinks)
    .where(and(eq(singleUseLinks.personId, personId), isNull(singleUseLinks.usedAt)));
}

import { and, eq, gt, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { auditPerson } from "../audit/audit.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { emailCorrections, people } from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { followAddress, lockBeforeAddress } from "./follow-address.ts";
import { endInvitations, removeInvited, removeStranger } from "./invitations.ts";
import { hashSecret, refusedToken } from "./links.ts";
import { endAccess, findPerson, findPersonByEmail, lockEmail, lockPerson, type Person } from "./queries.ts";

/**
 * Gives a person the address that an administrator typed, once its owner confirms by the mailed link. What was sent to
 * the old address moves along, every session ends, and the old address is told.
 * @throws Failure invalid when the link is not good, or the address has an account of its own meanwhile;
 * too_many_requests
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
    // In one order, so that two people who swap addresses don't deadlock.
    for (const email of [known.email, asked.email].toSorted()) await lockEmail(transaction, email);
    await lockBeforeAddress(transaction, asked.personId);
    const person = await lockPerson(transaction, asked.personId);
    const used = await transaction.delete(emailCorrections).where(good);
    if (!person || used.rowCount !== 1) throw notGood();
    await freeAddress(transaction, person, asked.email);
    await take(services, transaction, person, asked.email);
  });
}

/**
 * Used links are not kept, so the sentence must also suit someone whose confirmation worked but whose answer was lost.
 */
const notGood = () =>
  refusedToken(
    "This link has expired or was already used. If you have confirmed this address before, please sign in with it; otherwise ask our support to send a new one.",
  );

/** @throws Failure invalid when the address is proved to belong to another account */
async function freeAddress(transaction: Transaction, person: Person, email: string): Promise<void> {
  const account = await findPersonByEmail(transaction, email);
  if (account && account.id !== person.id) {
    // Safe to reveal: whoever has the link reads this mailbox, and so owns that account.
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

import { asc, eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { endInvitations, removeInvited, removeStranger } from "./invitations.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";
import { findPersonByEmail, lockEmail } from "./queries.ts";

export interface NewAdministrator {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/**
 * Creates an administrator of the provider, who can sign in at once: whoever runs the command vouches for the address.
 * Removes invitations to the address and a registration whose owner never proved it.
 * @throws Failure conflict when the e-mail is taken, invalid for a guessable password
 */
export async function createAdministrator(
  database: Database,
  { password, ...person }: NewAdministrator,
): Promise<void> {
  await refuseGuessable(password, "password", [person.email, person.firstName, person.lastName]);
  const passwordHash = await hashPassword(password);
  const now = new Date();
  await database.transaction(async (transaction) => {
    await lockEmail(transaction, person.email);
    const account = await findPersonByEmail(transaction, person.email);
    if (account?.emailVerifiedAt) throw taken(person.email);
    const organisationId = await providerId(transaction);
    if (account) await removeStranger(transaction, account, { organisationId, role: "admin" });
    await removeInvited(transaction, organisationId, person.email);
    const phone = brand.phones[0].replace(/[^+\d]/g, "");
    const [made] = await transaction
      .insert(people)
      .values({ ...person, organisationId, role: "admin", phone, passwordHash, emailVerifiedAt: now, joinedAt: now })
      .onConflictDoNothing()
      .returning({ id: people.id });
    if (!made) throw taken(person.email);
    if (account) await audit(transaction, made.id, "drop registration", `organisation:${account.organisationId}`);
    await endInvitations(transaction, person.email, now);
    await audit(transaction, null, "create administrator", `person:${made.id}`);
  });
}

const taken = (email: string) =>
  new Failure("conflict", `There is already an account with the e-mail address ${email}.`);

/** The provider's own organisation, created if missing. */
async function providerId(transaction: Transaction): Promise<string> {
  const [found] = await transaction
    .select({ id: organisations.id })
    .from(organisations)
    .where(eq(organisations.kind, "provider"))
    .orderBy(asc(organisations.id))
    .limit(1);
  if (found) return found.id;
  const made = await transaction
    .insert(organisations)
    .values({ kind: "provider", name: brand.legalName })
    .returning({ id: organisations.id });
  return made[0]?.id ?? "";
}

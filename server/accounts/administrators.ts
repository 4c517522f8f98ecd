import { asc, eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { hashPassword, refuseGuessable } from "./passwords.ts";

export interface NewAdministrator {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/**
 * Makes an administrator of the provider, who can sign in at once: whoever runs the command vouches for the address.
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
    const organisationId = await providerId(transaction);
    const phone = brand.phones[0].replace(/[^+\d]/g, "");
    const [made] = await transaction
      .insert(people)
      .values({ ...person, organisationId, role: "admin", phone, passwordHash, emailVerifiedAt: now, joinedAt: now })
      .onConflictDoNothing()
      .returning({ id: people.id });
    if (!made) throw new Failure("conflict", `There is already an account with the e-mail address ${person.email}.`);
    await audit(transaction, null, "create administrator", `person:${made.id}`);
  });
}

/** The provider's own organisation, made when it is missing. */
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

import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import type { IncidentRow } from "./find-incident.ts";

/**
 * Which of these addresses, in lower case, belong to people of the customer's partner: their links lead to the
 * partner's area.
 */
export async function partnersAmong(
  transaction: Transaction,
  { organisationId }: IncidentRow,
  contacts: readonly { email: string }[],
): Promise<Set<string>> {
  if (contacts.length === 0) return new Set();
  const addresses = contacts.map(({ email }) => email);
  const found = await transaction
    .select({ email: people.email })
    .from(people)
    .innerJoin(organisations, eq(organisations.partnerId, people.organisationId))
    .where(and(eq(organisations.id, organisationId), inArray(people.email, addresses)));
  return new Set(found.map(({ email }) => email.toLowerCase()));
}

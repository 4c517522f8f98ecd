import { eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";

/** The name of who was faster, for who comes too late; “Somebody else” where nobody is known. */
export async function whoIs(transaction: Transaction, personId: string | null): Promise<string> {
  const name = { firstName: people.firstName, lastName: people.lastName };
  const [found] = personId ? await transaction.select(name).from(people).where(eq(people.id, personId)) : [];
  return found ? `${found.firstName} ${found.lastName}` : "Somebody else";
}

import { eq } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";

/** The name of the person who acted first, to tell the one who comes too late; “Somebody else” if unknown. */
export async function whoIs(transaction: Transaction, personId: string | null): Promise<string> {
  const name = { firstName: people.firstName, lastName: people.lastName };
  const [found] = personId ? await transaction.select(name).from(people).where(eq(people.id, personId)) : [];
  return found ? `${found.firstName} ${found.lastName}` : "Somebody else";
}

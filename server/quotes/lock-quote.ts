import { eq } from "drizzle-orm";
import { lockOrganisation } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";

/**
 * A quote, whosever it is, locked after its organisation, as whoever pays, decides, merges or erases takes them: what its
 * people are told of it refers to them. Undefined where there is none.
 */
export async function lockQuote(transaction: Transaction, id: string): Promise<typeof quotes.$inferSelect | undefined> {
  const [seen] = await transaction
    .select({ organisationId: quotes.organisationId })
    .from(quotes)
    .where(eq(quotes.id, id));
  // One that is gone has taken its quotes along into another.
  if (seen?.organisationId && !(await lockOrganisation(transaction, seen.organisationId)))
    return lockQuote(transaction, id);
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, id)).for("no key update");
  return quote;
}

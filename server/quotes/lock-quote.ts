import { eq } from "drizzle-orm";
import { lockOrganisation } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";

/**
 * Locks any organisation's quote, after its organisation: the same order as in paying, deciding, merging and erasing,
 * because notices about the quote refer to people of the organisation. Undefined if there is no such quote.
 */
export async function lockQuote(transaction: Transaction, id: string): Promise<typeof quotes.$inferSelect | undefined> {
  const [seen] = await transaction
    .select({ organisationId: quotes.organisationId })
    .from(quotes)
    .where(eq(quotes.id, id));
  // The organisation was merged into another one, and its quotes moved there.
  if (seen?.organisationId && !(await lockOrganisation(transaction, seen.organisationId)))
    return lockQuote(transaction, id);
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, id)).for("no key update");
  return quote;
}

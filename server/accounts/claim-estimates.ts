import { and, eq, gte, isNull } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";

/**
 * What a visitor asked for becomes the organisation's, once its owner has shown to own the e-mail. With `since` only what
 * was asked for from then on. Answers how many there were.
 */
export async function claimQuotes(
  transaction: Transaction,
  owner: { email: string; organisationId: string },
  since: Date | null,
): Promise<number> {
  const claimed = await transaction
    .update(quotes)
    .set({ organisationId: owner.organisationId })
    .where(and(ofNobody(owner.email), since ? gte(quotes.createdAt, since) : undefined));
  return claimed.rowCount ?? 0;
}

/** How many quotes a visitor asked for with this e-mail, which belong to no organisation yet. */
export const countUnclaimed = (transaction: Transaction, email: string) => transaction.$count(quotes, ofNobody(email));

const ofNobody = (email: string) => and(eq(quotes.userEmail, email), isNull(quotes.organisationId));

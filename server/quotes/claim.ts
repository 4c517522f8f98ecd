import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";

/** What a visitor asked for becomes the organisation's, once its owner has shown to own the e-mail. */
export async function claimQuotes(
  transaction: Transaction,
  owner: { email: string; organisationId: string },
): Promise<void> {
  await transaction
    .update(quotes)
    .set({ organisationId: owner.organisationId })
    .where(and(eq(quotes.userEmail, owner.email), isNull(quotes.organisationId)));
}

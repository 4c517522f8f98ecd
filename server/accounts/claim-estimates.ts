import { and, eq, gte, inArray, isNotNull, isNull, ne, notExists, or, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { people, quotes } from "../database/schema/index.ts";

interface Owner {
  email: string;
  organisationId: string;
}

/**
 * Gives a visitor's quotes to the organisation of a person who has proved to own the e-mail; with `since`, only those
 * requested from then on. Returns how many.
 */
export async function claimQuotes(transaction: Transaction, owner: Owner, since: Date | null): Promise<number> {
  const claimed = await transaction
    .update(quotes)
    .set({ organisationId: owner.organisationId })
    .where(and(ofNobody(transaction, owner.email), since ? gte(quotes.createdAt, since) : undefined));
  return claimed.rowCount ?? 0;
}

/**
 * A quote made for an e-mail with a proved customer account belongs to that customer at once, without a new sign-in.
 */
export async function claimMadeNow(transaction: Transaction, email: string, now: Date): Promise<void> {
  const [owner] = await transaction
    .select({ email: people.email, organisationId: people.organisationId })
    .from(people)
    .where(
      and(
        eq(people.email, email),
        inArray(people.role, ["user", "userChild"]),
        isNotNull(people.joinedAt),
        isNotNull(people.emailVerifiedAt),
      ),
    );
  if (owner) await claimQuotes(transaction, owner, now);
}

/**
 * How many quotes were requested with this e-mail and belong to nobody yet. The inviting organisation's own quotes are
 * not counted: they come with it in any case.
 */
export const countUnclaimed = (transaction: Transaction, { email, organisationId }: Owner) =>
  transaction.$count(
    quotes,
    and(ofNobody(transaction, email), or(isNull(quotes.organisationId), ne(quotes.organisationId, organisationId))),
  );

/** A visitor's quote, or one that a partner made for a customer whose organisation nobody has joined. */
const ofNobody = (transaction: Transaction, email: string) =>
  and(
    eq(quotes.userEmail, email),
    or(isNull(quotes.organisationId), and(isNotNull(quotes.partnerId), notExists(joinedOf(transaction)))),
  );

const joinedOf = (transaction: Transaction) =>
  transaction
    .select({ one: sql`1` })
    .from(people)
    .where(and(eq(people.organisationId, quotes.organisationId), isNotNull(people.joinedAt)));

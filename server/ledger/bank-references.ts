import { eq, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { orders, refunds } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";

/** PostgreSQL has room for some six thousand locks with its defaults, and a statement may hold twenty thousand references. */
const buckets = 1024;

/**
 * Two who enter one of the same bank references, as money that came or that went out, take turns, and now and then two whose
 * references share a bucket. Taken before any order, and all that are wanted at once.
 */
export async function lockReferences(transaction: Transaction, references: readonly string[]): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('transfers ' || bucket, 0))
    from (select distinct abs(hashtext(reference) % ${buckets}) as bucket
      from unnest(${sql.param(references)}::text[]) as reference order by bucket) as sorted`);
}

/** What went out by these bank references, by them, as words: a pay-out that a bank sends back may come with the same one. */
export async function findPaidOut(
  database: Database | Transaction,
  references: readonly string[],
): Promise<Map<string, string>> {
  const found = await database
    .select({ refund: refunds, serial: orders.serial })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(isOneOf(refunds.bankReference, references));
  return new Map(
    found.map(({ refund: { bankReference, amountPaise, paidOn, endedAt, askedAt }, serial }) => {
      const day = paperDay(paidOn ?? writtenDay(endedAt ?? askedAt));
      return [bankReference ?? "", `${formatRupees(amountPaise)} of ${orderNumber(serial)} were given back on ${day}`];
    }),
  );
}

import { eq, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { orders, refunds } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";

/** PostgreSQL's defaults allow some six thousand locks, and a statement may hold twenty thousand references. */
const buckets = 1024;

/**
 * Serialises transactions that enter the same bank references, for money in or out; now and then also two whose
 * references share a bucket. Taken before any order, for all references at once.
 */
export async function lockReferences(transaction: Transaction, references: readonly string[]): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('transfers ' || bucket, 0))
    from (select distinct abs(hashtext(reference) % ${buckets}) as bucket
      from unnest(${sql.param(references)}::text[]) as reference order by bucket) as sorted`);
}

/**
 * What was paid out under these bank references, in words and by reference: a pay-out that a bank returns may come back
 * under the same one.
 */
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

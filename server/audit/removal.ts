import { and, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
import { audit } from "./audit.ts";
import { sealEntries } from "./chain.ts";

/** What tells of deletions in the chain; a trigger keeps entries with this subject for good. */
export const removalSubject = "audit log";

/**
 * Deletes at most `batch` entries that are older than that, and writes into the chain which numbers are gone: what is
 * missing without such an entry was taken away. Those about orders, invoices and contracts stay. Answers how many went.
 */
export async function removeOldEntries(database: Database, before: Date, batch: number): Promise<number> {
  await sealEntries(database);
  return database.transaction(async (transaction) => {
    const tooOld = and(
      lt(auditEntries.at, before),
      isNotNull(auditEntries.number),
      sql`${auditEntries.subject} !~ '^(order|invoice|contract):'`,
      ne(auditEntries.subject, removalSubject),
    );
    const found = await transaction
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(tooOld)
      .limit(batch)
      .for("update", { skipLocked: true });
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    const removed = await transaction
      .delete(auditEntries)
      .where(inArray(auditEntries.id, ids))
      .returning({ number: auditEntries.number });
    await transaction.delete(auditValues).where(inArray(auditValues.entryId, ids));
    const numbers = rangesOf(removed.map(({ number }) => number ?? 0));
    await audit(transaction, null, "remove audit entries", removalSubject, { numbers, before: before.toISOString() });
    return removed.length;
  });
}

export type Range = [first: number, last: number];

/** 1, 2, 3, 7 as 1 to 3 and 7 to 7. */
function rangesOf(numbers: number[]): Range[] {
  const ranges: Range[] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

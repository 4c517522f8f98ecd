import { and, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
import { audit } from "./audit.ts";
import { sealEntries } from "./chain.ts";

/** Subject of the entries about deletions; a trigger protects them from deletion for good. */
export const removalSubject = "audit log";

/**
 * Deletes at most `batch` entries older than `before`, and records their numbers in the chain: numbers missing without
 * such a record count as tampering. Entries about orders, invoices and contracts stay. Answers how many were deleted.
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

/** Turns 1, 2, 3, 7 into the ranges 1 to 3 and 7 to 7. */
function rangesOf(numbers: number[]): Range[] {
  const ranges: Range[] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

import { inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { forgetValues } from "../audit/forget-values.ts";
import type { Database } from "../database/database.ts";

/**
 * Deletes at most `batch` records together with what was typed about them into the audit log: without the record, a
 * later erasure of the person could not find that text. Answers how many were deleted.
 */
export async function removeWithValues(
  database: Database,
  kind: "lead" | "action",
  key: PgColumn,
  tooOld: SQL | undefined,
  batch: number,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .select({ id: sql<string>`${key}` })
      .from(key.table)
      .where(tooOld)
      .limit(batch)
      .for("update", { skipLocked: true });
    const ids = found.map(({ id }) => id);
    await forgetValues(transaction, null, kind, ids);
    const { rowCount } = await transaction.delete(key.table).where(inArray(key, ids));
    return rowCount ?? 0;
  });
}

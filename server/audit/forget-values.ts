import { inArray } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { auditValues } from "../database/schema/index.ts";
import { type About, audit } from "./audit.ts";

/**
 * Deletes what stands beside the chain about these, and tells so in the chain for each that had any: what is missing
 * without that was taken away. The entry of an erased person tells it by itself.
 */
export async function forgetValues(
  transaction: Transaction,
  actorId: string | null,
  kind: About["kind"],
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  const gone = await transaction
    .delete(auditValues)
    .where(inArray(auditValues.aboutId, ids))
    .returning({ id: auditValues.aboutId });
  for (const id of new Set(gone.map((each) => each.id)))
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one connection
    await audit(transaction, actorId, "erase details", `${kind}:${id}`);
}

import { and, eq, inArray, ne } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
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

/**
 * Deletes what a person typed that stands beside entries about something else, and tells so in the chain for each of these:
 * what others typed about the same stays.
 */
export async function forgetTyped(transaction: Transaction, actorId: string, personId: string): Promise<void> {
  const typed = await transaction
    .select({ entryId: auditValues.entryId, subject: auditEntries.subject })
    .from(auditValues)
    .innerJoin(auditEntries, eq(auditEntries.id, auditValues.entryId))
    .where(and(eq(auditValues.aboutId, personId), ne(auditEntries.subject, `person:${personId}`)));
  const entryIds = typed.map(({ entryId }) => entryId);
  await transaction.delete(auditValues).where(inArray(auditValues.entryId, entryIds));
  for (const subject of new Set(typed.map((each) => each.subject)))
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one connection
    await audit(transaction, actorId, "erase details", subject);
}

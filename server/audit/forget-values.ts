import { and, eq, inArray, ne } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
import { type About, audit } from "./audit.ts";

/**
 * Deletes the values beside the chain about these ids, and says so in the chain for each that had any: values missing
 * without such an entry count as tampering. For an erased person, the entry of the erasure says it.
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
 * Deletes what a person typed into entries about something else, and says so in the chain for each subject; what others
 * typed about the same subject stays.
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

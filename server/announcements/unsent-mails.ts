import { and, inArray, isNotNull, isNull, like, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { type announcements, mails } from "../database/schema/index.ts";

type Said = Pick<typeof announcements.$inferSelect, "id" | "title" | "text" | "shownUntil" | "withdrawnAt">;

/**
 * Updates an announcement's unsent mails, or empties them if it was withdrawn. A mail that a worker is sending is
 * waited for, or with `skipLocked` left to a later call that waits. Returns whether there were any.
 */
export async function correctUnsentMails(
  transaction: Transaction,
  { id, title, text, shownUntil, withdrawnAt }: Said,
  { skipLocked = false, limit }: { skipLocked?: boolean; limit?: number } = {},
): Promise<boolean> {
  const isOld = sql`(${mails.content} ->> 'title', ${mails.content} ->> 'text', ${mails.uselessAfter})
    is distinct from (${title}::text, ${text}::text, ${shownUntil.toISOString()}::timestamptz)`;
  const unsent = and(like(mails.eventKey, `announcement:${id}:%`), isNull(mails.sentAt), isNotNull(mails.content));
  const wanted = transaction
    .select({ id: mails.id })
    .from(mails)
    .where(and(unsent, withdrawnAt ? undefined : isOld))
    .limit(limit ?? Number.MAX_SAFE_INTEGER)
    .for("update", skipLocked ? { skipLocked } : {});
  const words = sql`${mails.content} || jsonb_build_object('title', ${title}::text, 'text', ${text}::text)`;
  const { rowCount } = await transaction
    .update(mails)
    .set(
      withdrawnAt
        ? { content: null, lastError: "withdrawn before it could be sent" }
        : { content: words, uselessAfter: shownUntil },
    )
    .where(inArray(mails.id, wanted));
  return (rowCount ?? 0) > 0;
}

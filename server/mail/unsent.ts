import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { mails } from "../database/schema/index.ts";

export interface Unsent {
  unsent: number;
  /** How long the oldest has waited; 0 if none waits. */
  oldestSeconds: number;
  /**
   * Shows whether mail goes out at all: the age of the oldest mail written after the newest one sent that still waits,
   * or was tried in vain until it expired, as a code does within minutes.
   */
  standstillSeconds: number;
}

/** The `lastError` of a mail that expired before it was sent. */
export const expiredUnsent = "expired before it could be sent";

/** Counts the mails waiting to be sent. Those without content have expired or were refused for good, and don't wait. */
export async function readUnsent(database: Database): Promise<Unsent> {
  const waits = isNotNull(mails.content);
  const ageOf = (which: SQL) =>
    sql<number>`coalesce(extract(epoch from now() - min(${mails.createdAt}) filter (where ${which})), 0)::float8`;
  const newestSent = database
    .select({ at: mails.createdAt })
    .from(mails)
    .where(isNotNull(mails.sentAt))
    .orderBy(desc(mails.createdAt))
    .limit(1);
  const [found] = await database
    .select({
      unsent: sql<number>`count(*) filter (where ${waits})::int`,
      oldestSeconds: ageOf(waits),
      standstillSeconds: ageOf(sql`${mails.createdAt} > coalesce((${newestSent}), '-infinity')`),
    })
    .from(mails)
    .where(and(isNull(mails.sentAt), or(waits, and(gt(mails.tries, 0), eq(mails.lastError, expiredUnsent)))));
  return found ?? { unsent: 0, oldestSeconds: 0, standstillSeconds: 0 };
}

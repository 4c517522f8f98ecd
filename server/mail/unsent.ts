import { desc, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { mails } from "../database/schema/index.ts";

export interface Unsent {
  unsent: number;
  /** For how long the oldest has waited; 0 when none does. */
  oldestSeconds: number;
  /** The same of those that were written after the newest one that went out: whether mail goes out at all. */
  standstillSeconds: number;
}

/** The mails that wait to be sent. Those without content have expired or were refused for good: nobody waits for them. */
export async function readUnsent(database: Database): Promise<Unsent> {
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
      unsent: sql<number>`count(*)::int`,
      oldestSeconds: ageOf(sql`true`),
      standstillSeconds: ageOf(sql`${mails.createdAt} > coalesce((${newestSent}), '-infinity')`),
    })
    .from(mails)
    .where(sql`${mails.sentAt} is null and ${mails.content} is not null`);
  return found ?? { unsent: 0, oldestSeconds: 0, standstillSeconds: 0 };
}

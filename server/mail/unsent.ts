import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { mails } from "../database/schema/index.ts";

export interface Unsent {
  unsent: number;
  /** For how long the oldest has waited; 0 when none does. */
  oldestSeconds: number;
}

/** The mails that wait to be sent. Those without content have expired or were refused for good: nobody waits for them. */
export async function readUnsent(database: Database): Promise<Unsent> {
  const [found] = await database
    .select({
      unsent: sql<number>`count(*)::int`,
      oldestSeconds: sql<number>`coalesce(extract(epoch from now() - min(${mails.createdAt})), 0)::float8`,
    })
    .from(mails)
    .where(sql`${mails.sentAt} is null and ${mails.content} is not null`);
  return found ?? { unsent: 0, oldestSeconds: 0 };
}

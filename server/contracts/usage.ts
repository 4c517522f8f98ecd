import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { usageSnapshots } from "../database/schema/index.ts";

/** So many devices of a type on one day: by the contracts, by the engines, and of those how many sent nothing. */
export type Usage = Omit<typeof usageSnapshots.$inferInsert, "id">;

/** Keeps what was connected on a day, once for each organisation and type: what is told later of the same day holds. */
export async function recordUsage(database: Database | Transaction, usage: readonly Usage[]): Promise<void> {
  if (usage.length === 0) return;
  const { organisationId, day, service, deviceType } = usageSnapshots;
  await database
    .insert(usageSnapshots)
    .values([...usage])
    .onConflictDoUpdate({
      target: [organisationId, day, service, deviceType],
      set: { contracted: sql`excluded.contracted`, connected: sql`excluded.connected`, silent: sql`excluded.silent` },
    });
}

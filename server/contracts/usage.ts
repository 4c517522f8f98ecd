import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { usageSnapshots } from "../database/schema/index.ts";

/** Devices of a type on one day: contracted, connected to the engines, and of those how many sent nothing. */
export type Usage = Omit<typeof usageSnapshots.$inferInsert, "id">;

/** Saves a day's usage, one row per organisation and type; a later report of the same day replaces it. */
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

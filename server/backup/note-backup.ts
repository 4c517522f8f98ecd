import { desc, eq } from "drizzle-orm";
import { audit } from "../audit/audit.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { auditEntries } from "../database/schema/index.ts";
import type { Manifest } from "./manifest.ts";

const action = "make backup";

/** Records the backup in the audit log of its database, so that administrators see when the last one was made. */
export async function noteBackup(databaseUrl: string, { tables, files }: Pick<Manifest, "tables" | "files">) {
  const database = openDatabase(databaseUrl, { max: 1, waitMs: 5000 });
  try {
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    await audit(database, null, action, "backup", { rows, tables: tables.length, files });
  } finally {
    await database.$client.close(500);
  }
}

/** When `npm run backup` last made a backup, and what it holds; null if none is known. */
export async function findLastBackup(database: Database) {
  const [last] = await database
    .select({ at: auditEntries.at, detail: auditEntries.detail })
    .from(auditEntries)
    .where(eq(auditEntries.action, action))
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(1);
  return last ?? null;
}

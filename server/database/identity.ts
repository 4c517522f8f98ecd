import { Client } from "pg";
import { StartRefused } from "../settings/env.ts";

/** SQL expression that identifies the database. A replica has its primary's value. */
export const identity = "(select system_identifier from pg_control_system()) || ' ' || current_database()";

const answerWithinMs = 5000;

/**
 * Migrations, the watch, backups and all commands use DATABASE_DIRECT_URL: if it led elsewhere, they would work on a
 * database that the product does not use. If either address does not answer, later steps report that.
 * @throws StartRefused
 */
export async function refuseAnotherDatabase(directUrl: string, url: string): Promise<void> {
  const [direct, used] = await Promise.all([askIdentity(directUrl), askIdentity(url)]);
  if (direct !== null && used !== null && direct !== used)
    throw new StartRefused(
      "DATABASE_DIRECT_URL leads to another database than DATABASE_URL: give it the address of the same one, past the pooler.",
    );
}

async function askIdentity(url: string): Promise<string | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ identity: string }>(`select ${identity} as identity`);
    return rows[0]?.identity ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

import { Client } from "pg";
import type { Logger } from "pino";

// A pooler greets its first client only after it has reached the database itself.
const connectMs = 5000;

/**
 * Behind a pooler that lends a connection for one transaction, connections can't set their own time limits. They must
 * be set on the database's user; this logs a warning if they are missing.
 */
export async function tellOfMissingLimits(url: string, log: Logger): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') and setting = '0'",
  );
  await client.end();
  if (rows.length > 0)
    log.warn(
      { missing: rows.map(({ name }) => name) },
      "the database's user has no time limits: behind the pooler a statement that hangs never ends (docs/scale.md)",
    );
}

import { Client } from "pg";
import type { Logger } from "pino";

// A pooler greets its first client only when it has reached the database itself.
const connectMs = 5000;

/**
 * Behind a pooler that lends a connection for one transaction no connection can ask for limits of its own. They have to
 * stand with the database's user; where they don't, this says so.
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

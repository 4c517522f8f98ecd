import type { Client } from "pg";
import { StartRefused } from "../settings/env.ts";
import { causesOf, outageIn } from "../failures/outage.ts";

const oldestServer = 14;

/** @throws StartRefused for a PostgreSQL too old for our statements; `version` in the form of server_version_num */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major < oldestServer)
    throw new StartRefused(`The database is PostgreSQL ${major}; Prahari needs ${oldestServer} or newer.`);
}

/**
 * Copies that start at once take turns by a session lock, which a pooler would keep or lose. A pooler shows itself by
 * greeting with a process id of its own.
 * @throws StartRefused
 */
export async function refusePooler(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  // pg keeps the process id from the greeting; its types don't have it.
  const { processID } = client as Client & { processID: number | null };
  if (processID !== null && processID !== rows[0]?.pid)
    throw new StartRefused(
      "There is a connection pooler before the database: set DATABASE_DIRECT_URL to the database's own address. DATABASE_URL may be the pooler's then.",
    );
}

/**
 * This version would misread or undo what a newer one has changed.
 * @param newest when the last migration that this version knows was made, in milliseconds since 1970
 * @throws StartRefused
 */
export async function refuseNewerSchema(client: Client, newest: number): Promise<void> {
  const { rows: found } = await client.query<{ is: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as is",
  );
  if (!found[0]?.is) return;
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from drizzle.__drizzle_migrations where created_at > $1",
    [newest],
  );
  const unknown = rows[0]?.count ?? 0;
  if (unknown > 0)
    throw new StartRefused(
      `The database was changed by a newer version of Prahari (migrations unknown to this one: ${unknown}). Start that version, or restore a backup from before.`,
    );
}

/** Errors of this machine's disk, files or memory, as opposed to the connection to a database. */
const ofThisMachine = /^(ENOSPC|EDQUOT|E[MN]FILE|EIO|EROFS|ENOMEM)$/;

/** The sentence for what PostgreSQL refuses during a migration; null if no sentence fits. */
export function refusalOf(error: unknown): StartRefused | null {
  const { code, message } = causesOf(error).find((cause) => typeof cause.code === "string") ?? {};
  if (code === "42501")
    return new StartRefused(
      `The database user has too few rights (${message}): let it own the database, or have the owner create citext, pg_trgm and btree_gin there.`,
    );
  if (/^extension "\w+" is not available/.test(message ?? "") || code === "58P01")
    return new StartRefused(
      `The database server lacks an extension (${message}): install PostgreSQL's contrib package on it.`,
    );
  if (code === "25006")
    return new StartRefused(`The database only reads (${message}): DATABASE_URL must name the primary, no standby.`);
  const outage = outageIn(error);
  if (typeof outage?.code === "string" && ofThisMachine.test(outage.code))
    return new StartRefused(`This machine does not give what the start needs: ${outage.message}.`);
  return outage ? new StartRefused(`The database was lost during the start: ${outage.message}.`) : null;
}

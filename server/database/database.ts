import { setTimeout as sleep } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { fileURLToPath } from "node:url";
import { Client, type PoolClient } from "pg";
import { StartRefused } from "../settings/env.ts";
import { CheckedPool, noticesVanished } from "./pool.ts";
import { valuesRead } from "./values-read.ts";
import { refusalOf, refuseNewerSchema, refuseOldServer, refusePooler } from "./refusals.ts";
import type { DatabaseWatch } from "./watch.ts";

export type Database = NodePgDatabase & { $client: CheckedPool };
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** Without a schema: with one, each transaction would build a relational query for every table, and none is used. */
export const drizzleConfig = { casing: "snake_case" } as const;
/** The advisory lock held while the schema is changed. */
export const migrationLock = 72177244;
/** How long connecting may take during the start: nobody waits for a page yet, and the machine may be busy. */
const connectAtStartMs = 30_000;
const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

// PostgreSQL 18 has uuidv7(); for older ones the same layout: 48 bits of milliseconds, 12 of their fraction, random
// bits.
const uuidv7BeforePostgres18 = `do $$ begin
  if current_setting('server_version_num')::int < 180000 and to_regproc('uuidv7') is null then
    create function uuidv7() returns uuid language sql volatile as $body$
      select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
      from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as now
    $body$;
  end if;
end $$`;

interface PoolSettings {
  max?: number;
  watch?: DatabaseWatch | null;
  statementMs?: number;
  waitMs?: number;
  /** Whether the address leads to a pooler. */
  pooled?: boolean;
}

/** Opens a pool of at most `max` connections. A query that gets none within `waitMs`, a second by default, fails. */
export function openDatabase(
  connectionString: string,
  { max = 20, watch = null, statementMs = 15_000, waitMs = 1000, pooled = false }: PoolSettings = {},
): Database {
  const settings = {
    connectionString,
    max,
    statement_timeout: statementMs,
    connectionTimeoutMillis: waitMs,
    application_name: "prahari",
    pooled,
    types: valuesRead,
  };
  const pool = new CheckedPool(settings, watch);
  return Object.assign(drizzle(pool, drizzleConfig), { $client: pool, transaction: transactionsOn(pool) });
}

/** Runs a part of the start, during which connecting may take longer than while people wait for pages. */
export async function whileStarting<Result>({ $client }: Database, work: () => Promise<Result>): Promise<Result> {
  const { options } = $client;
  const servingMs = options.connectionTimeoutMillis;
  options.connectionTimeoutMillis = connectAtStartMs;
  try {
    return await work();
  } finally {
    options.connectionTimeoutMillis = servingMs;
  }
}

/** Drizzle's own leaks the connection when `begin` fails, and returns one to the pool that `commit` broke. */
export function transactionsOn(pool: CheckedPool): Database["transaction"] {
  const sessions = new WeakMap<PoolClient, NodePgDatabase>();
  const sessionOf = (client: PoolClient) => {
    const kept = sessions.get(client) ?? drizzle(client, drizzleConfig);
    sessions.set(client, kept);
    return kept;
  };
  return async (work, config) => {
    const client = await pool.connect();
    const failure: { ofWork?: unknown } = {};
    const remembering: typeof work = async (transaction) => {
      try {
        return await work(transaction);
      } catch (reason) {
        failure.ofWork = reason;
        throw reason;
      }
    };
    try {
      const result = await sessionOf(client).transaction(remembering, config);
      client.release();
      return result;
    } catch (error) {
      // Work that failed and was rolled back leaves the connection usable; a failed begin, commit or rollback does not.
      client.release(error !== failure.ofWork);
      throw failure.ofWork ?? error;
    }
  };
}

/**
 * A copy whose machine or network freezes while it has the lock would keep all others from starting, without a word, for
 * as long as its connection stays: for hours by default. A start is never busy for so long between two statements.
 */
const endWhenSilent = "set idle_session_timeout = '30s'; set idle_in_transaction_session_timeout = '30s'";

/**
 * Brings the schema up to date; copies that start at once take turns.
 * @throws StartRefused when the database can't be reached, or this version can't work with it
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectAtStartMs, ...noticesVanished });
  // A broken connection fails its query; without a listener it would also end the process.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new StartRefused(`The database can't be reached: ${(error as Error).message || "no answer"}.`);
  }
  try {
    await refusePooler(client);
    // docs/scale.md limits the user's statements to a minute; a migration and the wait for another copy's may take
    // more.
    await client.query("set statement_timeout = 0");
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    refuseOldServer(Number(rows[0]?.server_version_num));
    await client.query(endWhenSilent);
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await refuseNewerSchema(client, newestMigration());
    await prepareDatabase(client);
    await whileTablesAreUsed(client, () => migrate(drizzle(client, { casing: "snake_case" }), { migrationsFolder }));
  } catch (error) {
    throw refusalOf(error) ?? error;
  } finally {
    await client.end();
  }
}

const tablesUsedMinutesMax = 10;

/**
 * A migration that waits for a table lock blocks every later statement on that table, and a backup holds all tables for
 * minutes. So it waits three seconds, lets the others go on, and starts over; after a deadlock, too.
 * @throws StartRefused after ten minutes
 */
async function whileTablesAreUsed(client: Client, act: () => Promise<void>): Promise<void> {
  await client.query("set lock_timeout = '3s'");
  const until = performance.now() + tablesUsedMinutesMax * 60_000;
  for (;;)
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is done
      return await act();
    } catch (error) {
      if (!isRefusedLock(error)) throw error;
      if (performance.now() > until)
        throw new StartRefused(
          `The database's tables have been in use for ${tablesUsedMinutesMax} minutes, by a backup or a session that was left open. Please start again once it has ended.`,
        );
      // oxlint-disable-next-line no-await-in-loop
      await sleep(2000);
    }
}

/** PostgreSQL's lock_not_available and deadlock_detected. */
const isRefusedLock = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && (error.code === "55P03" || error.code === "40P01")) || isRefusedLock(error.cause));

const newestMigration = () => Math.max(...readMigrations().map((made) => made.folderMillis));

/** Creates the extensions and functions that migrations need. */
export async function prepareDatabase(client: Client): Promise<void> {
  for (const extension of ["citext", "pg_trgm", "btree_gin"])
    await client.query(`create extension if not exists ${extension}`);
  await client.query(uuidv7BeforePostgres18);
}

/** Every migration that this version knows, the oldest first. */
export function readMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

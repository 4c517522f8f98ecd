import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { fileURLToPath } from "node:url";
import { Client, Pool } from "pg";
import { StartRefused } from "../env.ts";
import * as schema from "./schema/index.ts";

export type Database = NodePgDatabase<typeof schema> & { $client: Pool };
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** The advisory lock under which the schema is changed. */
export const migrationLock = 72177244;

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

// PostgreSQL 18 brings uuidv7(); older ones get the same layout: 48 bits of milliseconds, 12 of their fraction, random bits.
const uuidv7BeforePostgres18 = `do $$ begin
  if current_setting('server_version_num')::int < 180000 and to_regproc('uuidv7') is null then
    create function uuidv7() returns uuid language sql volatile as $body$
      select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
      from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as now
    $body$;
  end if;
end $$`;

/** Opens a pool of at most `max` connections; a query that can't get one within a second fails. */
export function openDatabase(url: string, max = 20): Database {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 1000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    application_name: "prahari",
  });
  // A connection that breaks fails the query it is at and is replaced; without listeners, one that breaks while it is
  // idle or between two queries of a transaction would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return Object.assign(drizzle(pool, { schema, casing: "snake_case" }), { $client: pool });
}

/**
 * Brings the schema up to date; several copies starting at once take turns.
 * @throws StartRefused when the database can't be reached.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
  } catch (error) {
    throw new StartRefused(`The database can't be reached: ${(error as Error).message || "no answer"}.`);
  }
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await prepareDatabase(client);
    await migrate(drizzle(client, { casing: "snake_case" }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

/** Makes what the migrations build on. */
export async function prepareDatabase(client: Client): Promise<void> {
  await client.query("create extension if not exists citext");
  await client.query("create extension if not exists pg_trgm");
  await client.query(uuidv7BeforePostgres18);
}

/** Every migration this version knows, the oldest first. */
export function readMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

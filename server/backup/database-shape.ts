import type { Client } from "pg";
import type { Contents, TableContents } from "./manifest.ts";

export type Table = Omit<TableContents, "rows">;

/**
 * The product's tables with their stored, not computed, columns. Unlogged ones are left out: a crash may empty them,
 * too.
 */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select relname as name, array(
      select attname::text from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) as columns
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    order by relname`);
  return rows;
}

export async function readSequences(client: Client): Promise<Contents["sequences"]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname",
  );
  const sequences: Contents["sequences"] = [];
  for (const { name } of rows) {
    const state = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value as "lastValue", is_called as "isCalled" from ${publicName(name)}`,
    );
    for (const { lastValue, isCalled } of state.rows) sequences.push({ name, lastValue, isCalled });
  }
  return sequences;
}

/** The migrations applied to a database, the oldest first; none if the product never started on it. */
export async function readAppliedMigrations(client: Client): Promise<Contents["migrations"]> {
  const { rows: there } = await client.query("select where to_regclass('drizzle.__drizzle_migrations') is not null");
  if (there.length === 0) return [];
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at`,
  );
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}

export function publicName(name: string): string {
  return `public.${quoted(name)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Switches off all time limits, and fixes the output format of values, whatever the server's or user's settings. */
export const longRun = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local extra_float_digits = 3;
  set local bytea_output = 'hex'`;

import type { MigrationMeta } from "drizzle-orm/migrator";
import type { Client } from "pg";
import { migrationLock, prepareDatabase, readMigrations } from "../database/database.ts";
import { publicName, quoted } from "./database-shape.ts";

/** SQL condition: the object, aliased c, does not belong to an extension. */
const own = (catalog: "pg_class" | "pg_proc" | "pg_type") =>
  `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = c.oid and deptype = 'e')`;

/** Makes a copy of the product that starts meanwhile wait for the end of the transaction. */
export async function lockMigrations(client: Client): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [migrationLock]);
}

export async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class c where relnamespace = 'public'::regnamespace and ${own("pg_class")}
     union all select from pg_namespace where nspname in ('drizzle', 'jobs')`,
  );
  return rows.length === 0;
}

/** Drops the product's content, but not the schema public, which another user may own. */
export async function emptyDatabase(client: Client): Promise<void> {
  await client.query("drop schema if exists drizzle, jobs cascade");
  const { rows } = await client.query<{ drop: string }>(`
    select format('drop table if exists %s cascade', c.oid::regclass) as drop from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${own("pg_class")}
    union all select format('drop routine if exists %s cascade', c.oid::regprocedure) from pg_proc c
      where pronamespace = 'public'::regnamespace and ${own("pg_proc")}
    union all select format('drop type if exists %s cascade', c.oid::regtype) from pg_type c
      where typnamespace = 'public'::regnamespace and typtype in ('d', 'e') and ${own("pg_type")}`);
  for (const { drop } of rows) await client.query(drop);
}

/** Applies the wanted migrations and records them as drizzle does, but in the caller's transaction. */
export async function applyMigrations(client: Client, wanted: (migration: MigrationMeta) => boolean): Promise<void> {
  await prepareDatabase(client);
  await client.query(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  for (const migration of readMigrations().filter(wanted)) {
    for (const statement of migration.sql) await client.query(statement);
    await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
      migration.hash,
      migration.folderMillis,
    ]);
  }
}

/**
 * Empties the new tables of rows that migrations inserted, and suspends what would check or change rows during loading:
 * foreign keys, so that the order of tables does not matter, and triggers, whose effects are already in the rows.
 * Answers a function that restores all of it, which also checks the foreign keys.
 */
export async function freeTables(client: Client): Promise<() => Promise<void>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${own("pg_class")}`,
  );
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = conrelid
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  const names = tables.map(({ name }) => publicName(name));
  // Before truncating: one of the triggers forbids emptying its table.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(", ")}`);
  for (const { table, name } of keys)
    await client.query(`alter table ${publicName(table)} drop constraint ${quoted(name)}`);
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${publicName(table)} add constraint ${quoted(name)} ${definition}`);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  };
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { migrateDatabase, prepareDatabase, readMigrations } from "./database.ts";

const name = `test_${randomUUID().replaceAll("-", "")}`;
const url = () => databaseUrl(inject("postgresUrl"), name);
const server = new Client({ connectionString: inject("postgresUrl") });
const [backup, serving] = [new Client({ connectionString: url() }), new Client({ connectionString: url() })];
beforeAll(async () => {
  await server.connect();
  await server.query(`create database ${name}`);
  await Promise.all([backup.connect(), serving.connect()]);
});
afterAll(async () => {
  await Promise.all([backup.end(), serving.end()]);
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

it("A migration lets those go on who read a table that a backup holds, and is made once it can, whatever limit statements have", async () => {
  await prepareDatabase(serving);
  const migrations = readMigrations();
  const place = migrations.findIndex(({ sql }) => sql.join().includes("obligation_warnings_once"));
  for (const { sql } of migrations.slice(0, place)) for (const statement of sql) await serving.query(statement);
  await serving.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${migrations[place - 1]?.folderMillis})`);
  await serving.query(`alter role current_user in database ${name} set statement_timeout = '500ms'`);
  await backup.query("begin; select from obligation_warnings");
  const migrating = migrateDatabase(url());
  await sleep(1000);
  const asked = serving.query("select count(*)::int as rows from obligation_warnings");
  const answer = await Promise.race([asked, sleep(10_000, null, { ref: false })]);
  await backup.query("commit");
  expect(answer?.rows).toEqual([{ rows: 0 }]);
  await migrating;
  const { rows } = await serving.query("select count(*)::int as kept from drizzle.__drizzle_migrations");
  expect(rows).toEqual([{ kept: 1 + migrations.length - place }]);
});

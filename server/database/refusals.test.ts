import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import pino from "pino";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { StartRefused } from "../settings/env.ts";
import { startJobs } from "../jobs/jobs.ts";
import { jobs } from "../upkeep/jobs.ts";
import { migrateDatabase } from "./database.ts";
import { refusalOf, refuseOldServer } from "./refusals.ts";

const owner = `owner_${randomUUID().replaceAll("-", "")}`;
let admin: Client;
beforeAll(async () => {
  admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  await admin.query(`create role ${owner} login password 'its password'`);
});
afterAll(async () => {
  await admin.query(`drop role ${owner}`);
  await admin.end();
});

it("A database that a newer version has changed is refused", async () => {
  const { url, query } = await makeDatabase(`template ${inject("templateDatabase")}`);
  await query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9999999999999)");
  await expect(migrateDatabase(url)).rejects.toThrow(
    new StartRefused(
      "The database was changed by a newer version of Prahari (migrations unknown to this one: 1). Start that version, or restore a backup from before.",
    ),
  );
});

it("A job queue that a newer version has changed is refused", async () => {
  const { url, query } = await makeDatabase(`template ${inject("templateDatabase")}`);
  await query("update jobs.version set version = version + 1");
  const starting = startJobs(url, jobs, null, pino({ level: "silent" }), () => {});
  await expect(starting).rejects.toThrow(
    new StartRefused("The job queue was changed by a newer version of Prahari. Start that version."),
  );
});

it("A PostgreSQL older than 14 is refused", () => {
  expect(() => refuseOldServer(130_014)).toThrow(
    new StartRefused("The database is PostgreSQL 13; Prahari needs 14 or newer."),
  );
  expect(() => refuseOldServer(140_000)).not.toThrow();
});

it("A user who may not create the extensions is told what it takes; once they are there it may start", async () => {
  const { url, query } = await makeDatabase();
  const asOwner = new URL(url);
  asOwner.username = owner;
  asOwner.password = "its password";
  await expect(migrateDatabase(asOwner.href)).rejects.toThrow(
    new StartRefused(
      'The database user has too few rights (permission denied to create extension "citext"): let it own the database, or have the owner create citext, pg_trgm and btree_gin there.',
    ),
  );
  for (const extension of ["citext", "pg_trgm", "btree_gin"]) await query(`create extension ${extension}`);
  await expect(migrateDatabase(asOwner.href)).rejects.toThrow(
    /^The database user has too few rights \(permission denied/,
  );
  await query(`grant create on database ${new URL(url).pathname.slice(1)} to ${owner}`);
  await query(`grant create on schema public to ${owner}`);
  await migrateDatabase(asOwner.href);
  await query(`drop owned by ${owner} cascade`);
});

it("A database that only reads is told from one that can be used", async () => {
  const { url, query } = await makeDatabase();
  await query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  await expect(migrateDatabase(url)).rejects.toThrow(
    /^The database only reads \(.*\): DATABASE_URL must name the primary/,
  );
});

it("A database that ends during the start is told in a sentence", async () => {
  const { url, query } = await makeDatabase();
  await query("select pg_advisory_lock(72177244)");
  const starting = migrateDatabase(url).catch((error: unknown) => error);
  const end =
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and wait_event = 'advisory'";
  await expect.poll(async () => (await query(end)).rowCount).toBe(1);
  expect(await starting).toBeInstanceOf(StartRefused);
  expect(await starting).toMatchObject({ message: expect.stringMatching(/^The database was lost during the start: /) });
});

it("A disk that is full during the start is not told as a database that was lost", ({ skip }) => {
  skip(!existsSync("/dev/full"), "only Linux has a disk that is always full");
  let refusal: string | undefined;
  try {
    writeFileSync("/dev/full", "1");
  } catch (error) {
    refusal = refusalOf(error)?.message;
  }
  expect(refusal).toBe("This machine does not give what the start needs: ENOSPC: no space left on device, write.");
});

async function makeDatabase(how = "") {
  const name = `refusals_${randomUUID().replaceAll("-", "")}`;
  await admin.query(`create database ${name} ${how}`);
  const url = databaseUrl(inject("postgresUrl"), name);
  const client = new Client({ connectionString: url });
  await client.connect();
  client.on("error", () => {});
  onTestFinished(async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
  });
  return { url, query: (statement: string) => client.query(statement) };
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { migrateDatabase, prepareDatabase, readMigrations } from "./database.ts";

const server = new Client({ connectionString: inject("postgresUrl") });
let name: string;
const url = () => databaseUrl(inject("postgresUrl"), name);
/** Two sessions of a new database. */
let one: Client;
let serving: Client;
beforeAll(async () => {
  await server.connect();
});
afterAll(async () => {
  await server.end();
});
beforeEach(async () => {
  name = `test_${randomUUID().replaceAll("-", "")}`;
  await server.query(`create database ${name}`);
  one = new Client({ connectionString: url() });
  serving = new Client({ connectionString: url() });
  await Promise.all([one.connect(), serving.connect()]);
});
afterEach(async () => {
  await Promise.all([one.end(), serving.end()]);
  await server.query(`drop database ${name} with (force)`);
});

/** Migrates a database to just before the migration that contains `words`. Answers how many migrations are left. */
async function asBefore(words: string): Promise<number> {
  await prepareDatabase(serving);
  const migrations = readMigrations();
  const place = migrations.findIndex(({ sql }) => sql.join().includes(words));
  for (const { sql } of migrations.slice(0, place)) for (const statement of sql) await serving.query(statement);
  await serving.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${migrations[place - 1]?.folderMillis})`);
  return migrations.length - place;
}

it("A migration lets those go on who read a table that a backup holds, and is made once it can, whatever limit statements have", async () => {
  const open = await asBefore("obligation_warnings_once");
  await serving.query(`alter role current_user in database ${name} set statement_timeout = '500ms'`);
  await one.query("begin; select from obligation_warnings");
  const migrating = migrateDatabase(url());
  await sleep(1000);
  const asked = serving.query("select count(*)::int as rows from obligation_warnings");
  const answer = await Promise.race([asked, sleep(10_000, null, { ref: false })]);
  await one.query("commit");
  expect(answer?.rows).toEqual([{ rows: 0 }]);
  await migrating;
  const { rows } = await serving.query("select count(*)::int as kept from drizzle.__drizzle_migrations");
  expect(rows).toEqual([{ kept: 1 + open }]);
});

describe("What a mail is about", () => {
  const write = async (cause: string): Promise<string> => {
    const { rows } = await serving.query<{ id: string }>(
      `insert into mails (event_key, recipient, content, attachments, created_at) values ($1, $2, '{}', '[]', now()) returning id`,
      [`${cause}:${randomUUID()}`, `${randomUUID()}@example.in`],
    );
    return rows[0]?.id ?? "";
  };
  const fail = (id: string) =>
    serving.query("update mails set tries = tries + 1, last_error = 'down' where id = $1", [id]);
  const aboutOf = async (id: string) =>
    (await serving.query<{ about: string }>("select about from action_items where subject_id = $1", [id])).rows[0]
      ?.about;

  it("stands in the queue in words, of the mails of the version before and of those that its copies still write", async () => {
    await asBefore('ADD COLUMN "about" text');
    const [failed, unknown, waiting] = [await write("invite"), await write("other"), await write("due")];
    await Promise.all([fail(failed), fail(unknown)]);
    await migrateDatabase(url());
    const later = await write("invite");
    await Promise.all([fail(waiting), fail(later)]);
    expect(await Promise.all([failed, unknown, waiting, later].map(aboutOf))).toEqual([
      "Invitation",
      "other",
      "Reminder of a payment due",
      "Invitation",
    ]);
  });

  it("is brought up to date also while an administrator of an old copy has one sent again, which waits for it", async () => {
    await asBefore('ADD COLUMN "about" text');
    const failed = await write("invite");
    await fail(failed);
    await one.query("begin");
    await one.query("update action_items set tried_at = now() where subject_id = $1", [failed]);
    const migrating = migrateDatabase(url());
    await sleep(700);
    await one.query("select content from mails where id = $1", [failed]).then(
      () => one.query("commit"),
      () => one.query("rollback"),
    );
    await migrating;
    expect(await aboutOf(failed)).toBe("Invitation");
  });
});

it("A report of a month keeps its partner where nothing has moved the customer since, and loses it where that is not certain", async () => {
  await asBefore('ADD COLUMN "partner_id_at_close" uuid');
  const insert = async (statement: string, values: unknown[] = []) =>
    (await serving.query<{ id: string }>(`insert into ${statement} returning id`, values)).rows[0]?.id ?? "";
  const partner = await insert("organisations (name, kind) values ('Malabar Networks', 'partner')");
  const reported = async (partnerName: string | null, closed: string) => {
    const customer = await insert("organisations (name, kind, partner_id) values ('Betwa Mills', 'customer', $1)", [
      partner,
    ]);
    const values = "($1, '2026-01-01', $2, '{}', '', now() - $3::interval)";
    const columns = "organisation_id, month, data, certificate, certificate_hash, closed_at";
    await insert(`service_reports (${columns}) values ${values}`, [customer, { partner: partnerName }, closed]);
    return customer;
  };
  const note = (action: string, customer: string, ago: string) =>
    insert("audit_entries (action, subject, at) values ($1, $2, now() - $3::interval)", [
      action,
      `organisation:${customer}`,
      ago,
    ]);
  const kept = [await reported("Malabar Networks", "3 days"), await reported("Malabar, as it was called", "3 days")];
  await note("move customer", kept[0] ?? "", "4 days");
  const [moved, merged] = [await reported("Malabar Networks", "3 days"), await reported("Malabar Networks", "3 days")];
  await note("move customer", moved, "2 days");
  await note("merge organisation", merged, "2 days");
  const unknown = [moved, merged, await reported(null, "3 days"), await reported("Malabar Networks", "4 years")];
  await migrateDatabase(url());
  const { rows } = await serving.query<{ id: string; partner: string | null }>(
    "select organisation_id as id, partner_id_at_close as partner from service_reports",
  );
  const partners = Object.fromEntries(rows.map((row) => [row.id, row.partner]));
  expect(kept.map((id) => partners[id])).toEqual([partner, partner]);
  expect(unknown.map((id) => partners[id])).toEqual([null, null, null, null]);
});

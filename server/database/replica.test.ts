import { randomUUID } from "node:crypto";
import pino from "pino";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { openLink } from "../../tests/link.ts";
import { type Database, openDatabase } from "./database.ts";
import { openHeavyReads } from "./heavy-reads.ts";
import { DatabaseWatch } from "./watch.ts";

// A second connection to the same server acts as the replica; tests/process/pooler-and-replica.test.ts has a real one.
const name = `replica_${randomUUID().replaceAll("-", "")}`;
const silent = pino({ level: "silent" });

let server: Client;
let url: string;
let database: Database;
let watch: DatabaseWatch;
beforeAll(async () => {
  server = new Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(`create database ${name}`);
  url = databaseUrl(inject("postgresUrl"), name);
  watch = new DatabaseWatch(url, silent);
  database = openDatabase(url);
});
afterAll(async () => {
  watch.stop();
  await database.$client.close(500);
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

const readers = "copy of the database";
const here = "prahari";

it("Heavy reads go to the replica while it answers, and to the primary in the same call when it does not", async () => {
  const { hostname, port } = new URL(url);
  const link = await openLink(hostname, Number(port));
  const { where, said } = openReads(throughPort(url, link.port));
  await expect.poll(() => where("anywhere")).toBe(readers);
  expect(await where("primary")).toBe(here);
  link.close();
  expect(await Promise.all(Array.from({ length: 6 }, () => where("anywhere")))).toEqual(Array(6).fill(here));
  expect(said()).toMatch(/heavy reads go to the replica[^]*heavy reads go to the primary/);
});

it("What may write goes to the primary", async () => {
  const { reads, where } = openReads(url);
  await expect.poll(() => where("anywhere")).toBe(readers);
  const anywhere = reads.until(new AbortController().signal, "anywhere");
  await anywhere.transaction(async (transaction) => {
    const { rows } = await transaction.execute("select current_setting('application_name') as name");
    expect(rows).toEqual([{ name: here }]);
  });
});

it("Of a transaction whose caller has left nothing more is asked, and nothing stays", async () => {
  const { reads } = openReads(url);
  const leaving = new AbortController();
  const heavy = reads.until(leaving.signal, "anywhere");
  await database.execute("create table if not exists kept (n integer)");
  const work = heavy.transaction(async (transaction) => {
    await transaction.execute("insert into kept values (1)");
    leaving.abort(new Error("The caller left"));
    await transaction.execute("insert into kept values (2)");
  });
  await expect(work).rejects.toThrow("Failed query: insert into kept values (2)");
  expect((await database.execute("select * from kept")).rows).toEqual([]);
});

it("Another database is never read, and the log says so", async () => {
  const { where, said } = openReads(inject("postgresUrl"));
  await expect.poll(said).toContain("DATABASE_READ_URL leads to another database");
  expect(await where("anywhere")).toBe(here);
});

it("Behind a pooler statements have no names, and no connection asks for limits", async () => {
  const direct = await openOnce({ pooled: false });
  const pooled = await openOnce({ pooled: true });
  const left = async ({ $client }: Database) => {
    await $client.query({ name: "kept", text: "select $1::int", values: [1] });
    const { rows } = await $client.query(
      "select (select count(*)::int from pg_prepared_statements) as names, current_setting('statement_timeout') as within",
    );
    return rows;
  };
  expect(await left(direct)).toEqual([{ names: 1, within: "15s" }]);
  expect(await left(pooled)).toEqual([{ names: 0, within: "0" }]);
});

function openReads(readUrl: string) {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });
  const address = new URL(readUrl);
  address.searchParams.set("application_name", readers);
  const reads = openHeavyReads({ url, readUrl: address.href, pooled: false, database, watch, log });
  onTestFinished(() => reads.close(500));
  const where = async (from: "primary" | "anywhere") => {
    const { rows } = await reads
      .until(new AbortController().signal, from)
      .$client.query<{ name: string }>("select current_setting('application_name') as name");
    return rows[0]?.name;
  };
  return { reads, where, said: () => lines.join("") };
}

async function openOnce(settings: { pooled: boolean }): Promise<Database> {
  const opened = openDatabase(url, { max: 1, ...settings });
  onTestFinished(() => opened.$client.close(500));
  return opened;
}

function throughPort(address: string, port: number): string {
  const changed = new URL(address);
  changed.port = String(port);
  return changed.href;
}

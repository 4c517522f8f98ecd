import { execFile, spawn } from "node:child_process";
import { createHash, pbkdf2, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { financialYearOf } from "../../contract/india-time.ts";
import { databaseUrl } from "../global-setup.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { hashRows } from "./hash-rows.ts";
import { surroundings } from "./running-product.ts";
import { insertOrder, insertQuote } from "../paid-order.ts";
import { member } from "../people.ts";
import { countWaiting, whileHeld } from "../while-held.ts";
import { migrationLock, readMigrations } from "../../server/database/database.ts";
import { openFileStore } from "../../server/outside/files/open-file-store.ts";
import { readArchive, verifyArchive, writeArchive } from "../../server/backup/archive.ts";
import { applyMigrations } from "../../server/backup/schema-for-restore.ts";
import { writeBackup } from "../../server/backup/write-backup.ts";

let server: TestServer;
let folder: string;
let backup: string;
let made: Awaited<ReturnType<typeof run>>;
let before: Record<string, unknown[]>;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  folder = mkdtempSync(join(tmpdir(), "prahari-backup-"));
  backup = join(folder, "backup.tar.gz");
  const partner = await member(server, "partner");
  const customer = await member(server, "user", { partnerId: partner.organisationId });
  const { id: quoteId } = await insertQuote(server, null);
  await insertOrder(server, customer);
  await server.services.files.write("proposal-1.pdf", Buffer.from("%PDF-1"));
  await server.services.files.write("invoice-1.pdf", Buffer.alloc(300_000, "x"));
  const { $client } = server.services.database;
  await $client.query("update quotes set proposal_file = 'proposal-1.pdf' where id = $1", [quoteId]);
  // Values that are easily corrupted in transit, and more than one part of a table.
  await $client.query(
    `insert into leads (user_name, user_email, phone, organization, organization_size, message)
     select E'tab\\t, \\\\, \\\\N, line\\nend \\U0001F512', 'a@example.in', '', '', 3, repeat(md5(i::text), 1000) from generate_series(1, 100) i`,
  );
  // A copied value that its trigger would write differently.
  await $client.query(`begin; alter table people disable trigger user;
    update people set partner_name = 'as it was' where partner_id is not null;
    alter table people enable trigger user; commit`);
  await $client.query("insert into invoice_series values ('19-20', 7)");
  before = await rowsOf(server.databaseUrl);
  made = await run("backup", [backup]);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("A backup", () => {
  it("is one file that only its owner may read, and every entry is what its manifest says", async () => {
    expect(made).toMatchObject({
      code: 0,
      said: expect.stringMatching(/ holds \d+ rows of \d+ tables and 2 files\.\n/),
    });
    expect((statSync(backup).mode & 0o777).toString(8)).toBe("600");
    const { tables, files, hashes } = await verifyArchive(backup);
    expect(Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, rows.length])),
    );
    expect(files).toBe(2);
    expect(hashes["files/proposal-1.pdf"]).toBe(createHash("sha256").update("%PDF-1").digest("hex"));
    expect(Object.keys(hashes).filter((name) => name.startsWith("tables/leads/")).length).toBeGreaterThan(1);
    expect(tables.map(({ name }) => name)).not.toContain("rate_limits");
  });

  it("is noted in the database that it was made of, so that the screen System tells of it", async () => {
    const { rows } = await server.services.database.$client.query<{ files: number; tables: number }>(
      "select (detail->>'files')::int as files, (detail->>'tables')::int as tables from audit_entries where action = 'make backup'",
    );
    expect(rows).toEqual([{ files: 2, tables: Object.keys(before).length }]);
  });

  it("shows one moment of a database that is written to meanwhile", async () => {
    const enough = new AbortController();
    const { $client } = server.services.database;
    const write = () =>
      $client.query(`with made as (insert into organisations (kind, name) values ('customer', 'busy') returning id)
        insert into customer_tools (organisation_id) select id from made`);
    await write();
    const writer = (async () => {
      while (!enough.signal.aborted) await write();
    })();
    const path = join(folder, `busy-${randomUUID()}.tar.gz`);
    await writeBackup(source(), path, () => {}).finally(() => enough.abort());
    await writer;
    await $client.query("delete from customer_tools");
    await $client.query("delete from organisations where name = 'busy'");
    const rows = await rowsInside(path);
    const busy = rows("organisations").filter((row) => row.includes("busy")).length;
    expect(busy).toBeGreaterThan(0);
    expect(rows("customer_tools")).toHaveLength(busy);
  });

  it.each([
    // A generated column rewrites the table.
    ["a table anew", "alter table orders add column more_paise bigint generated always as (owed_paise + 1) stored"],
    ["a new table", "lock table orders; create table newcomers as select 1 as number"],
    ["no table where one was", "drop table leavers"],
  ])("that begins while a copy's migration writes %s has every row of what there is then", async (_what, migration) => {
    const path = join(folder, `migrating-${randomUUID()}.tar.gz`);
    const { $client } = server.services.database;
    onTestFinished(async () => {
      await $client.query(
        "drop table if exists newcomers, leavers; alter table orders drop column if exists more_paise",
      );
    });
    await $client.query("create table leavers as select 1 as number");
    const start = () => [writeBackup(source(), path, () => {})];
    const [made] = await whileHeld(server, migration, start, 1, "commit");
    const { rows } = await $client.query<{ name: string; rows: number }>(`
      select 'orders' as name, count(*)::int as rows from orders
      union all select relname, 1 from pg_class where relname in ('newcomers', 'leavers')`);
    expect(rows.find(({ name }) => name === "orders")?.rows).toBeGreaterThan(0);
    const looked = made?.tables.filter(({ name }) => ["orders", "newcomers", "leavers"].includes(name));
    expect(new Map(looked?.map(({ name, rows: count }) => [name, count]))).toEqual(
      new Map(rows.map(({ name, rows: count }) => [name, count])),
    );
  });

  it("is not begun over a file that is there, and leaves nothing behind when it fails", async () => {
    expect(await run("backup", [backup])).toEqual({ code: 1, said: `${backup} is there already; give another name.` });
    const nowhere = { DATABASE_URL: "postgres://x:y@127.0.0.1:1/z" };
    expect(await run("backup", [join(folder, "failed.tar.gz")], nowhere)).toEqual({
      code: 1,
      said: "The database can't be reached: connect ECONNREFUSED 127.0.0.1:1.",
    });
    const empty = await emptyDatabase();
    expect(await run("backup", [join(folder, "failed.tar.gz")], { DATABASE_URL: empty })).toEqual({
      code: 1,
      said: "There is nothing to back up: the product was never started on this database.",
    });
    const unused = mkdtempSync(join(folder, "unused-"));
    const there = { DATABASE_URL: undefined, DATA_DIR: unused };
    expect(await run("backup", [join(folder, "failed.tar.gz")], there)).toEqual({
      code: 1,
      said: `There is no database in ${unused}; set DATA_DIR or DATABASE_URL as for the product.`,
    });
    const elsewhere = { DATA_DIR: mkdtempSync(join(folder, "elsewhere-")) };
    const failed = [join(folder, "failed.tar.gz")];
    const { code, said } = await run("backup", failed, elsewhere);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/The database names documents, and the file store has none/),
    ]);
    expect((await run("backup", [join(folder, "no-such-folder", "b.tar.gz")])).said).toMatch(/^ENOENT: no such file/);
    expect(await run("backup", [])).toEqual({
      code: 1,
      said: "Please give one file to write. Usage: npm run backup -- FILE.tar.gz",
    });
    expect(readdirSync(folder).filter((name) => /failed|unfinished/.test(name))).toEqual([]);
  });

  it("that fails at its first line leaves nothing that comes back once it is removed", async () => {
    const path = join(folder, "at-once.tar.gz");
    // Disk operations queue behind these.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)("a", "b", 200_000, 32, "sha256"));
    await expect(writeArchive(path, () => Promise.reject(new Error("first line")))).rejects.toThrow("first line");
    rmSync(path, { force: true });
    await Promise.all(busy);
    await setTimeout(50);
    expect(existsSync(path)).toBe(false);
  });

  it("ends with a sentence and leaves nothing behind when its file can't grow any more", async () => {
    const path = join(folder, "full.tar.gz");
    const script = `ulimit -f 8; exec ${node} build/product/backup.js ${path}`;
    const outcome = await new Promise<string>((done) => {
      execFile("sh", ["-c", script], { env: cleanEnv() }, (error, _, stderr) => done(`${error?.code}: ${stderr}`));
    });
    expect(outcome).toBe("1: EFBIG: file too large, write\n");
    expect(readdirSync(folder).filter((name) => name.startsWith("full"))).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leaves nothing behind when it gets %s", async (signal) => {
    const path = join(folder, "broken-off.tar.gz");
    const holder = await server.services.database.$client.connect();
    await holder.query("begin; lock table leads");
    const backing = spawn(node, ["build/product/backup.js", path], { env: cleanEnv(), stdio: "ignore" });
    const ended = once(backing, "exit");
    await expect.poll(() => countWaiting(server)).toBe(1);
    expect(readdirSync(folder)).toContain(`broken-off.tar.gz.${backing.pid}.unfinished`);
    backing.kill(signal);
    expect(await ended).toEqual([1, null]);
    await holder.query("rollback");
    holder.release();
    expect(readdirSync(folder).filter((name) => name.startsWith("broken-off"))).toEqual([]);
  });

  it("takes the files out of a bucket, page by page", async () => {
    const bucket = await startBucket(["proposal-1.pdf", "proposal-2.pdf", "invoice-1.pdf"]);
    const s3 = { endpoint: bucket, region: "r", bucket: "pdfs", accessKeyId: "key", secretAccessKey: "secret" };
    const files = openFileStore({ s3, dataDir: folder, tokenSecret: "" }, "", () => new Date());
    const path = join(folder, "bucket.tar.gz");
    expect((await writeBackup({ ...source(), files }, path, () => {})).files).toBe(3);
    const { hashes } = await verifyArchive(path);
    expect(hashes["files/invoice-1.pdf"]).toBe(createHash("sha256").update("/pdfs/invoice-1.pdf").digest("hex"));
  });

  it.each([
    ["/pdfs/proposal-1.pdf", 'Cannot read file from location "proposal-1.pdf" (E_CANNOT_READ_FILE): Reduce your rate'],
    ["/pdfs", "Reduce your rate"],
  ])("ends with a sentence when the bucket has none to spare for %s", async (busy, why) => {
    const bucket = {
      S3_ENDPOINT: await startBucket(["proposal-1.pdf"], busy),
      S3_BUCKET: "pdfs",
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    };
    const { code, said } = await run("backup", [join(folder, "no-bucket.tar.gz")], bucket);
    expect([code, said.split("\n").at(-1)]).toEqual([1, `The file store failed: ${why}.`]);
    expect(readdirSync(folder).filter((name) => name.startsWith("no-bucket"))).toEqual([]);
  });
});

describe("A restore", () => {
  it("that is killed leaves the database as empty as it was; what is in one it refuses until it is told to replace it; every row and file comes back, as a user who is no superuser", async () => {
    const url = await emptyDatabase();
    const dataDir = mkdtempSync(join(folder, "target-"));
    const env = { DATABASE_URL: url, DATA_DIR: dataDir };
    const restoring = spawn(node, ["build/product/restore.js", backup], {
      env: { ...cleanEnv(), ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const said of restoring.stdout) if (String(said).includes("rows")) break;
    restoring.kill("SIGKILL");
    if (restoring.exitCode === null && restoring.signalCode === null) await once(restoring, "exit");
    await expect.poll(() => connectionsTo(url)).toBe(0);
    expect(await rowsOf(url), "after the kill").toEqual({});

    await ask(url, "create table public.mine (id int); create function mine() returns int language sql return 1");
    const refusal = await run("restore", [backup], env);
    expect(refusal.code).toBe(1);
    expect(refusal.said).toMatch(/There is something in this database\. --force replaces all of it with the backup\.$/);
    expect(await rowsOf(url), "after the refusal").toEqual({ mine: [] });

    const outcome = await run("restore", ["--force", backup, "--nothing-since"], env);
    expect(outcome.said).toMatch(/leads: 102 rows\n(.*\n)*2 files\nThe backup of .* is restored; start the product/);
    expect(outcome.code).toBe(0);
    expect(await rowsOf(url), "in place of something else").toEqual(before);
    expect(filesOf(dataDir)).toEqual(filesOf(server.services.env.dataDir));

    expect(await ask(url, "select nextval('quotes_serial_seq') > (select max(serial) from quotes) as ok")).toEqual([
      { ok: true },
    ]);
    // Triggers and foreign keys are active again.
    await ask(url, "update organisations set name = 'Renamed' where kind = 'partner'");
    const copies = await ask(url, "select distinct partner_name from people where partner_id is not null");
    expect(copies).toEqual([{ partner_name: "Renamed" }]);
    const rootless = ask(url, "insert into sessions (person_id, expires_at) values (gen_random_uuid(), now())");
    await expect(rootless).rejects.toThrow("foreign key");
    expect(await schemaOf(url)).toEqual(await schemaOf(server.databaseUrl));

    expect(await run("restore", ["--force", "--nothing-since", backup], env)).toMatchObject({ code: 0 });
    expect(await rowsOf(url), "in place of what was restored and changed").toEqual(before);
  });

  it("gives out no number and takes no session that others may know by since the backup was made; of a pooler's connections it minds those at work, not the idle", async () => {
    const quoted = await ask(server.databaseUrl, "select last_value from quotes_serial_seq");
    const url = await emptyDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(folder, "target-")) };
    const kept = await sessionNamed("prahari", url);
    const { code, said } = await run("restore", [backup], env);
    expect([code, said]).toEqual([0, expect.stringContaining("go on 1000 further up")]);
    const year = financialYearOf(new Date());
    const series = ["invoice", "credit_note", "proforma", "receipt", "refund_voucher"];
    const given = series.map((name) => `select '${name}' as of, financial_year, last_serial from ${name}_series`);
    const rows = await ask<{ of: string; financial_year: string; last_serial: number }>(url, given.join(" union all "));
    expect(rows.toSorted((one, other) => one.last_serial - other.last_serial)).toEqual([
      { of: "invoice", financial_year: "19-20", last_serial: 7 },
      ...series.slice(1).map((name) => ({ of: name, financial_year: year, last_serial: 1000 })),
      { of: "invoice", financial_year: year, last_serial: 1001 },
    ]);
    const next = await ask<{ next: string }>(url, "select nextval('quotes_serial_seq') as next");
    expect(Number(next[0]?.next)).toBe(Number(quoted[0]?.["last_value"]) + 1001);
    const sessions = "select count(*)::int as made, count(revoked_at)::int as ended from sessions";
    expect(await ask(url, sessions)).toEqual([{ made: 2, ended: 2 }]);

    await kept.query("begin");
    expect(await run("restore", ["--force", backup], env)).toEqual({
      code: 1,
      said: expect.stringMatching(/A copy of the product is connected to this database/),
    });
  });

  it("refuses while a copy of the product is connected", async () => {
    const { code, said } = await run("restore", ["--force", backup]);
    expect(code).toBe(1);
    expect(said).toMatch(/A copy of the product is connected to this database; stop every copy and try again\.$/);
  });

  it("refuses for a copy that was bringing the schema up to date meanwhile", async () => {
    const url = await emptyDatabase();
    const migrating = await sessionNamed("", url);
    await migrating.query("select pg_advisory_lock($1)", [migrationLock]);
    const env = { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(folder, "target-")) };
    const restoring = run("restore", [backup], env);
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    await expect.poll(async () => (await migrating.query(waiting)).rowCount).toBe(1);
    await sessionNamed("prahari-watch", url);
    await migrating.query("select pg_advisory_unlock($1)", [migrationLock]);
    expect(await restoring).toEqual({
      code: 1,
      said: expect.stringMatching(/A copy of the product is connected to this database/),
    });
    expect(await rowsOf(url)).toEqual({});
  });

  it("brings an older schema up to date", async () => {
    const older = await emptyDatabase();
    const newest = readMigrations().at(-1)?.folderMillis ?? 0;
    const client = new Client({ connectionString: older });
    await client.connect();
    await client.query("begin");
    await applyMigrations(client, ({ folderMillis }) => folderMillis < newest);
    await client.query("insert into organisations (kind, name) values ('customer', 'Of old')");
    await client.query("commit");
    await client.end();
    const path = join(folder, "older.tar.gz");
    await writeBackup({ ...source(), databaseUrl: older }, path, () => {});
    const url = await emptyDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(folder, "target-")) };
    expect(await run("restore", [path], env)).toMatchObject({ code: 0 });
    expect(await schemaOf(url)).toEqual(await schemaOf(server.databaseUrl));
    expect(await ask(url, "select name from organisations")).toEqual([{ name: "Of old" }]);
  });

  it("refuses what is no whole backup, or from a version it does not know, before it touches anything", async () => {
    const spoilt = (name: string, spoil: (path: string) => void) => {
      const path = join(folder, name);
      copyFileSync(backup, path);
      spoil(path);
      return path;
    };
    const rewritten = async (name: string, change: (name: string, bytes: Buffer) => Buffer | null, days = 0) => {
      const path = join(folder, name);
      const { hashes: _hashes, ...contents } = await verifyArchive(backup);
      await writeArchive(path, async (add) => {
        for await (const entry of readArchive(backup)) {
          const bytes = change(entry.name, await buffer(entry.chunks));
          if (bytes) await add(entry.name, bytes);
        }
        const migrations = contents.migrations.map((one) => ({ ...one, createdAt: one.createdAt + days }));
        return { ...contents, migrations };
      });
      return path;
    };
    const halved = spoilt("halved.tar.gz", (path) => truncateSync(path, Math.floor(statSync(path).size / 2)));
    const text = spoilt("text.tar.gz", (path) => writeFileSync(path, "hello"));
    const flipped = spoilt("flipped.tar.gz", (path) => {
      const bytes = readFileSync(path);
      bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    });
    const newer = await rewritten("newer.tar.gz", (_, bytes) => bytes, 1);
    const none = join(folder, "none.tar.gz");
    await expect(verifyArchive(none)).rejects.toThrow(`There is no file ${none}.`);
    await expect(verifyArchive(halved)).rejects.toThrow(/halved\.tar\.gz is not a whole backup: /);
    await expect(verifyArchive(text)).rejects.toThrow(/text\.tar\.gz is not a whole backup: incorrect header check\.$/);
    await expect(verifyArchive(flipped)).rejects.toThrow(/flipped\.tar\.gz is (damaged|not a whole backup): /);
    const url = await emptyDatabase();
    const env = { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(folder, "target-")) };
    expect(await run("restore", [newer], env)).toEqual({
      code: 1,
      said: expect.stringMatching(
        /\nThis backup of \d{4}-\d\d-\d\d is from a version of Prahari that this one does not know/,
      ),
    });
    // The database itself rejects rows that contradict each other, and stays empty.
    const rootless = await rewritten("rootless.tar.gz", (name, bytes) =>
      name.startsWith("tables/organisations/") ? Buffer.from("") : bytes,
    );
    expect(await run("restore", [rootless], env)).toEqual({
      code: 1,
      said: expect.stringMatching(/\nOf \d+ rows of organisations, 0 came in; nothing was restored\.$/),
    });
    const garbled = await rewritten("garbled.tar.gz", (name, bytes) =>
      name.startsWith("tables/people/") ? Buffer.concat([Buffer.from("garbled\n"), bytes]) : bytes,
    );
    expect(await run("restore", [garbled], env)).toEqual({
      code: 1,
      said: expect.stringMatching(/\ninvalid input syntax for type uuid: "garbled"$/),
    });
    expect(await rowsOf(url)).toEqual({});
  });
});

const node = join("node_modules", ".bin", "node");

function source() {
  return { databaseUrl: server.databaseUrl, files: server.services.files, tokenSecretFile: null };
}

function cleanEnv() {
  return {
    ...surroundings,
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.services.env.dataDir,
  };
}

/** Runs a command, on the test's server by default. */
function run(name: "backup" | "restore", args: string[], env: Record<string, string | undefined> = {}) {
  return new Promise<{ code: number; said: string }>((done) => {
    execFile(node, [`build/product/${name}.js`, ...args], { env: { ...cleanEnv(), ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}`.trim() }),
    );
  });
}

async function ask<Row extends Record<string, unknown>>(
  url: string,
  query: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query, values)).rows;
  } finally {
    await client.end();
  }
}

/** A session that stays open until the test is over. */
async function sessionNamed(name: string, url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** An empty database whose user owns nothing else. */
async function emptyDatabase(): Promise<string> {
  const name = `restore_${randomUUID().replaceAll("-", "")}`;
  const admin = inject("postgresUrl");
  await ask(admin, `create role ${name} login password 'restore'`);
  await ask(admin, `create database ${name} owner ${name}`);
  onTestFinished(async () => {
    await ask(admin, `drop database ${name} with (force)`);
    await ask(admin, `drop role ${name}`);
  });
  const url = new URL(databaseUrl(inject("postgresUrl"), name));
  url.username = name;
  url.password = "restore";
  return url.href;
}

async function connectionsTo(url: string): Promise<number> {
  const name = new URL(url).pathname.slice(1);
  return (await ask(inject("postgresUrl"), "select from pg_stat_activity where datname = $1", [name])).length;
}

async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = await hashRows(client);
  await client.end();
  return rows;
}

/** Columns, constraints, indexes, triggers, and the recorded migrations. */
function schemaOf(url: string): Promise<unknown[]> {
  return ask(
    url,
    `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as part
       from information_schema.columns where table_schema = 'public'
     union all select conrelid::regclass || ': ' || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select tgenabled::text || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select hash || ' ' || created_at from drizzle.__drizzle_migrations
     order by 1`,
  );
}

function filesOf(dataDir: string): Record<string, string> {
  const store = join(dataDir, "files");
  const hash = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(store, name)))
      .digest("hex");
  return Object.fromEntries(
    readdirSync(store)
      .toSorted()
      .map((name) => [name, hash(name)]),
  );
}

/** The rows of a backup's tables as text. */
async function rowsInside(path: string): Promise<(table: string) => string[]> {
  const tables = new Map<string, string>();
  for await (const { name, chunks } of readArchive(path)) {
    const [place, table = ""] = name.split("/");
    if (place === "tables") tables.set(table, (tables.get(table) ?? "") + (await buffer(chunks)).toString());
  }
  return (table) => (tables.get(table) ?? "").split("\n").filter(Boolean);
}

/** A bucket that lists two names at a time; each file contains its own path. Requests for `busy` get a 503. */
async function startBucket(names: string[], busy = ""): Promise<string> {
  const bucket = createServer((request, answer) => {
    const url = new URL(request.url ?? "", "http://bucket");
    if (url.pathname.replace(/\/$/, "") === busy)
      return answer.writeHead(503).end("<Error><Code>SlowDown</Code><Message>Reduce your rate</Message></Error>");
    if (url.searchParams.get("list-type") !== "2") return answer.end(url.pathname);
    const from = Number(url.searchParams.get("continuation-token") ?? 0);
    const page = names.slice(from, from + 2).map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`);
    const isLast = from + 2 >= names.length;
    const more = isLast ? "" : `<NextContinuationToken>${from + 2}</NextContinuationToken>`;
    return answer.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${page.join("")}${more}</ListBucketResult>`,
    );
  });
  bucket.listen(0, "127.0.0.1");
  await once(bucket, "listening");
  onTestFinished(() => {
    bucket.closeAllConnections();
    bucket.close();
  });
  return `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
}

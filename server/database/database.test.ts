import { sql } from "drizzle-orm";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { to as copyTo } from "pg-copy-streams";
import pino from "pino";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Link, openLink } from "../../tests/link.ts";
import { isOutage } from "../failures/outage.ts";
import { startTracing, stopTracing } from "../tracing/span.ts";
import { openDatabase, type Database, whileStarting } from "./database.ts";
import { CheckedPool } from "./pool.ts";
import { DatabaseWatch } from "./watch.ts";

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = new Client({ connectionString: server.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

it("Every connection is usable again after bursts of terminated backends", async () => {
  const database = open(server.databaseUrl, 4);
  for (let burst = 0; burst < 15; burst++) {
    const work = Promise.allSettled(
      Array.from({ length: 20 }, () =>
        database.transaction((transaction) => transaction.execute(sql`select pg_sleep(0.005)`)),
      ),
    );
    // Three times, with and without work in progress: some kills hit the work, some the begin, some the commit.
    for (let kill = 0; kill < 3; kill++) await terminateAll();
    const failures = (await work).filter((outcome) => outcome.status === "rejected");
    for (const { reason } of failures) expect(isOutage(reason), String(reason)).toBe(true);
  }
  await expect.poll(() => usableAtOnce(database, 4)).toBe(4);
});

it("Work that fails is rolled back on a connection that stays, with its own error told", async () => {
  const database = open(server.databaseUrl, 1);
  const processOf = async () => (await database.$client.query("select pg_backend_pid() as id")).rows[0];
  const before = await processOf();
  const failing = database.transaction(async (transaction) => {
    await transaction.execute(sql`create temporary table undone ()`);
    throw new Error("The quote has expired");
  });
  await expect(failing).rejects.toThrow("The quote has expired");
  expect(await processOf()).toEqual(before);
  expect((await database.$client.query("select to_regclass('undone') as is")).rows).toEqual([{ is: null }]);
});

it("A row by an index costs hardly more than the next one, unless the database's user says otherwise to a pooler", async () => {
  const costBy = async (pooled: boolean) => {
    const pool = new CheckedPool({ connectionString: server.databaseUrl, statement_timeout: 300, pooled }, null);
    onTestFinished(() => pool.close(100));
    return (await pool.query<{ random_page_cost: string }>("show random_page_cost")).rows[0]?.random_page_cost;
  };
  expect([await costBy(false), await costBy(true)]).toEqual(["1.1", "4"]);
});

it("A query that timed out takes its connection along, and nothing waits behind it", async () => {
  const link = await linkToDatabase();
  const pool = new CheckedPool({ connectionString: through(link), statement_timeout: 300 }, null);
  onTestFinished(() => pool.close(100));
  const [client, other] = await Promise.all([pool.connect(), pool.connect()]);
  other.release();
  link.freeze();
  await Promise.all(
    [client, pool].map((asked) => expect(asked.query("select 1")).rejects.toThrow("The database does not answer")),
  );
  await expect(client.query("rollback")).rejects.toThrow("not queryable");
  client.release();
  expect(pool.totalCount).toBe(0);
});

it("A connection whose queries were answered or refused stays, however late the next one is", async () => {
  const pool = new CheckedPool({ connectionString: server.databaseUrl, statement_timeout: 300, max: 1 }, null);
  const client = await pool.connect();
  onTestFinished(() => {
    client.release();
    return pool.close(100);
  });
  const processOf = async () => (await client.query("select pg_backend_pid() as id")).rows[0];
  const before = await processOf();
  await expect(client.query("select pg_sleep(1)")).rejects.toThrow("statement timeout");
  await expect(client.query("select nothing")).rejects.toThrow("does not exist");
  await sleep(1400);
  expect(await processOf()).toEqual(before);
});

it("Connections that a firewall forgot while they rested are replaced before anybody meets them", async () => {
  const link = await linkToDatabase();
  const database = open(through(link), 3);
  expect(await usableAtOnce(database, 3)).toBe(3);
  await sleep(2100);
  link.forget();
  expect(await usableAtOnce(database, 3)).toBe(3);
});

it("A query that gets no answer fails, those after it at once, and all goes on when there is an answer again", async () => {
  const link = await linkToDatabase();
  const watch = new DatabaseWatch(through(link), pino({ level: "silent" }));
  onTestFinished(() => watch.stop());
  const database = open(through(link), 2, watch);
  expect(await usableAtOnce(database, 2)).toBe(2);
  // Until its first answer it is patient.
  await untilHeard(watch);
  link.freeze();
  const unanswered = await Promise.allSettled([
    database.$client.query("select 1"),
    database.transaction((transaction) => transaction.execute(sql`select 1`)),
    database.execute(sql`select 1`),
  ]);
  for (const { status } of unanswered) expect(status).toBe("rejected");
  await expect.poll(() => watch.isSilent()).toBe(true);
  await expect(database.$client.query("select 1")).rejects.toThrow("The database does not answer");
  link.thaw();
  await expect.poll(() => usableAtOnce(database, 2)).toBe(2);
});

it("After a silence a message that was sent meanwhile is asked for, and later ones are heard", async () => {
  const link = await linkToDatabase();
  const watch = new DatabaseWatch(through(link), pino({ level: "silent" }));
  onTestFinished(() => watch.stop());
  const heard: string[] = [];
  let interruptions = 0;
  await watch.listen(
    "news",
    (payload) => void heard.push(payload),
    () => void interruptions++,
  );
  await expect.poll(() => interruptions).toBe(1);
  link.forget();
  await expect.poll(() => interruptions).toBe(2);
  await admin.query("notify news, 'heard'");
  await expect.poll(() => heard).toEqual(["heard"]);
});

it("What a start asks waits longer for a connection than a page does", async () => {
  const database = open(server.databaseUrl, 1);
  const holding = database.transaction((transaction) => transaction.execute(sql`select pg_sleep(1.5)`));
  await expect.poll(() => database.$client.totalCount).toBe(1);
  const ask = () => database.execute(sql`select 1`);
  const asked = Promise.allSettled([ask()]);
  await expect.poll(() => database.$client.waitingCount).toBe(1);
  const [start] = await Promise.allSettled([whileStarting(database, ask), holding]);
  const [page] = await asked;
  expect([start.status, page.status]).toEqual(["fulfilled", "rejected"]);
});

it("A pool that is closed cuts off who does not give back", async () => {
  const database = openDatabase(server.databaseUrl, { max: 2 });
  const endless = database.transaction((transaction) => transaction.execute(sql`select pg_sleep(14)`));
  await expect.poll(() => database.$client.totalCount).toBe(1);
  const [outcome] = await Promise.allSettled([endless, database.$client.close(100)]);
  expect(outcome).toMatchObject({ status: "rejected", reason: expect.toSatisfy(isOutage) });
});

/** Waits for a notification on its connection. */
async function untilHeard(watch: DatabaseWatch): Promise<void> {
  let isHeard = false;
  const hear = () => void (isHeard = true);
  await watch.listen("begun", hear, () => void admin.query("notify begun"));
  await expect.poll(() => isHeard).toBe(true);
}

function open(url: string, max: number, watch: DatabaseWatch | null = null): Database {
  const database = openDatabase(url, { max, watch });
  onTestFinished(() => database.$client.close(100));
  return database;
}

async function linkToDatabase(): Promise<Link> {
  const { hostname, port } = new URL(server.databaseUrl);
  const link = await openLink(hostname, Number(port));
  onTestFinished(() => link.close());
  return link;
}

function through(link: Link): string {
  const url = new URL(server.databaseUrl);
  url.host = `127.0.0.1:${link.port}`;
  return url.href;
}

async function terminateAll(): Promise<void> {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'prahari' and pid <> pg_backend_pid()`);
}

/** How many of `count` transactions can be open at once: each stays until all are, or longer than others would wait. */
async function usableAtOnce(database: Database, count: number): Promise<number> {
  let inside = 0;
  const all = Promise.withResolvers<void>();
  const stay = () =>
    database.transaction(async (transaction) => {
      await transaction.execute(sql`select 1`);
      if (++inside === count) all.resolve();
      await Promise.race([all.promise, sleep(1500)]);
    });
  await Promise.allSettled(Array.from({ length: count }, stay));
  return inside;
}

it.each([false, true])(
  "A stream is given back as it is, whether statements are traced (%s) or not",
  async (isTraced) => {
    // There is no collector here: nothing is sampled, so nothing is sent at the end.
    await startTracing({ tracing: isTraced ? { OTEL_TRACES_SAMPLER: "always_off" } : null });
    onTestFinished(() => stopTracing());
    const client = await open(server.databaseUrl, 1).$client.connect();
    const stream = copyTo("copy (select 1 union all select 2) to stdout");
    const given = client.query(stream);
    expect(given).toBe(stream);
    expect(await text(given)).toBe("1\n2\n");
    client.release();
  },
);

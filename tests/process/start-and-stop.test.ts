import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as listenSilently } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { migrationLock } from "../../server/database/database.ts";
import { freePort } from "../../server/database/postmaster.ts";
import { databaseUrl } from "../global-setup.ts";
import { makeDataDir, spawnProduct, startProduct, startRefused, untilReady, withoutDemo } from "./running-product.ts";

const dataDir = makeDataDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("the product as a process", () => {
  it("starts with demo data, stops cleanly and keeps its data over starts, kills included", async () => {
    const first = await startProduct({ DATA_DIR: dataDir });
    expect(first.said()).toContain("asha@demo.example");
    const quoteId = await sendEstimate(first.url);
    expect(await first.end("SIGTERM")).toBe(0);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);

    const from = Date.now();
    const second = await startProduct({ DATA_DIR: dataDir });
    console.log(`second start: ${Date.now() - from} ms (aim 1000)`);
    expect(await mailbox(second.url)).toContain("asha@example.in");
    // Killed without a chance to clean up: its PostgreSQL ends after it, and the next start waits for that.
    expect(await second.end("SIGKILL")).toBe("SIGKILL");

    const third = await startProduct({ DATA_DIR: dataDir });
    expect(await mailbox(third.url)).toContain("asha@example.in");
    expect(quoteId).toMatch(/^[\da-f-]{36}$/);
    const other = await startRefused({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect(other).toEqual({
      code: 1,
      said: expect.stringMatching(/^Another copy \(process \d+\) already runs with the data folder .*\n$/),
    });
    expect(await third.end("SIGINT")).toBe(0);
  });

  it("lets a request in flight finish when it is told to stop", async () => {
    const product = await startProduct({ DATA_DIR: dataDir });
    const body = JSON.stringify({ selectedDevices: [{ service: "Server", deviceType: "Prod Server", number: 1 }] });
    const token = await publicToken(product.url);
    const slow = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(body.slice(0, 10)));
        await new Promise((later) => setTimeout(later, 700));
        controller.enqueue(new TextEncoder().encode(body.slice(10)));
        controller.close();
      },
    });
    const answer = fetch(`${product.url}/api/estimator/price`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: slow,
      duplex: "half",
    } as RequestInit);
    await new Promise((later) => setTimeout(later, 200));
    const ended = product.end("SIGTERM");
    const readiness = async () => (await fetch(`${product.url}/readyz`)).status;
    await expect.poll(readiness, { interval: 20 }).toBe(503);
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  it("goes on answering for STOP_DELAY_SECONDS, so that who sends requests can look elsewhere first", async () => {
    const product = await startProduct({ DATA_DIR: dataDir, STOP_DELAY_SECONDS: "2" });
    const statusOf = async (path: string) => (await fetch(product.url + path)).status;
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
    const ended = product.end("SIGTERM");
    await expect.poll(() => statusOf("/readyz"), { interval: 20 }).toBe(503);
    expect([await statusOf("/healthz"), await statusOf("/api/generate-token")]).toEqual([200, 200]);
    expect(await ended).toBe(0);
  });

  it("ends also when it is told to while it still starts, by its own hand as in a container", async () => {
    // A database that takes connections and then says nothing.
    const silent = listenSilently().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const { child } = spawnProduct({
      ...onServer(`postgres://nobody:nothing@127.0.0.1:${port}/none`),
      PORT: String(await freePort()),
    });
    const ended = once(child, "exit");
    await once(silent, "connection");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("runs as several processes", async () => {
    const token = randomBytes(32).toString("base64url");
    const product = await startProduct({ DATA_DIR: dataDir, WORKERS: "2", METRICS_TOKEN: token });
    for (let call = 0; call < 4; call++) expect((await fetch(`${product.url}/health`)).status).toBe(200);
    // Whichever process is asked, it tells of all.
    const scrape = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await scrape.text()).toMatch(
      /^prahari_http_request_duration_seconds_count\{operation="probe",status="200"\} 4$/m,
    );
    expect(await product.end("SIGTERM")).toBe(0);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  it("tells no smaller counts once one of several processes has crashed: they would be taken for new ones", async () => {
    const token = randomBytes(32).toString("base64url");
    const env = { ...onServer(await makeDatabase()), WORKERS: "2" };
    const product = await startProduct({ ...env, METRICS_TOKEN: token });
    onTestFinished(() => void product.process.kill("SIGKILL"));
    for (let call = 0; call < 6; call++) expect((await fetch(`${product.url}/health`)).status).toBe(200);
    const counted = async () => {
      const scrape = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      const line = /^prahari_http_request_duration_seconds_count\{operation="probe",status="200"\} (\d+)$/m;
      return Number(line.exec(await scrape.text())?.[1]);
    };
    expect(await counted()).toBe(6);
    const workers = () => processesOf(product.process.pid);
    for (const killed of workers()) {
      process.kill(killed, "SIGKILL");
      await expect.poll(workers).not.toContain(killed);
      await expect.poll(counted).toBe(6);
    }
    expect(await product.end("SIGTERM")).toBe(0);
  });

  it("lives, and says that it is not ready, while one of several processes brings the schema up to date", async () => {
    const url = await makeDatabase();
    const migrating = await connect(url);
    await migrating.query("select pg_advisory_lock($1)", [migrationLock]);
    const port = String(await freePort());
    const env = { ...onServer(url), PORT: port, WORKERS: "2" };
    const { child, said } = spawnProduct(env);
    onTestFinished(() => void child.kill("SIGKILL"));
    const statusOf = (path: string) =>
      fetch(`http://localhost:${port}${path}`).then(
        ({ status }) => status,
        () => null,
      );
    const statuses = () => Promise.all(["/healthz", "/readyz", "/"].map(statusOf));
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    await expect.poll(async () => (await migrating.query(waiting)).rowCount).toBe(1);
    expect(await statuses()).toEqual([200, 503, 503]);
    await migrating.query("select pg_advisory_unlock($1)", [migrationLock]);
    await untilReady({ child, said });
    expect((await statuses()).slice(0, 2)).toEqual([200, 200]);

    // One that crashes is started again, also where that one crashes before it serves.
    const [first = 0, other] = processesOf(child.pid);
    const others = () => processesOf(child.pid).filter((pid) => pid !== other);
    for (let killed = first, crashes = 0; crashes < 3; crashes++) {
      process.kill(killed, "SIGKILL");
      await expect.poll(() => others().filter((pid) => pid !== killed)).toHaveLength(1);
      [killed = 0] = others();
    }
    expect(await statusOf("/healthz")).toBe(200);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("is started by the script of package.json, which passes signals on", async () => {
    const product = await startProduct({ DATA_DIR: dataDir }, ["node", "scripts/run.mjs", "start"]);
    expect(await product.end("SIGTERM")).toBe(0);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });
});

describe("the start is refused with one sentence", () => {
  it("for a port in use", async () => {
    const port = await freePort();
    const holder = createServer().listen(port, "127.0.0.1");
    onTestFinished(() => void holder.close());
    const { code, said } = await startRefused({ DATA_DIR: dataDir, PORT: String(port) });
    expect({ code, said }).toEqual({
      code: 1,
      said: `Port ${port} on 127.0.0.1 is in use; stop the other program or set PORT to a free one.\n`,
    });
  });
  it("for a data folder that can't be written", async () => {
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    const { code, said } = await startRefused({ DATA_DIR: join(file, "data") });
    expect(code).toBe(1);
    expect(said).toMatch(/^The data folder .* can't be written; set DATA_DIR to one that can\.\n$/);
  });
  it("for a demo among the data of a live product, also with several processes", async () => {
    const live = makeDataDir();
    onTestFinished(() => rmSync(live, { recursive: true, force: true }));
    const product = await startProduct({ ...withoutDemo, DATA_DIR: live });
    await sendEstimate(product.url);
    expect(await product.end("SIGTERM")).toBe(0);
    for (const workers of ["1", "3"]) {
      const env = { DATA_DIR: live, PORT: String(await freePort()), WORKERS: workers, LOG_LEVEL: "info" };
      expect(await startRefused(env)).toEqual({
        code: 1,
        said: expect.stringMatching(/^The database is in use: [^\n]* Set DEMO=0 and start again, or [^\n]*\n$/),
      });
      expect(existsSync(join(live, "postgres", "postmaster.pid"))).toBe(false);
    }
  });
  it("for a database that can't be reached", async () => {
    const { code, said } = await startRefused({
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://nobody:nothing@127.0.0.1:${await freePort()}/none`,
      DEMO: "1",
      ALLOW_SANDBOX: "1",
      TOKEN_SECRET: "a token secret of thirty-two characters",
      PORT: String(await freePort()),
    });
    expect(code).toBe(1);
    expect(said).toMatch(/^The database can't be reached: .*\n$/);
    expect(said.trim().split("\n")).toHaveLength(1);
  });
  it.each(["1", "2"])("for addresses of two databases, with both as they were, with WORKERS=%s", async (workers) => {
    const [url, direct] = [await makeDatabase(), await makeDatabase()];
    const env = { ...onServer(url), DATABASE_DIRECT_URL: direct, WORKERS: workers, PORT: String(await freePort()) };
    expect(await startRefused(env)).toEqual({
      code: 1,
      said: expect.stringMatching(/^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: [^\n]*\n$/),
    });
    for (const each of [url, direct]) {
      const { rows } = await (await connect(each)).query("select to_regnamespace('drizzle') as made");
      expect(rows).toEqual([{ made: null }]);
    }
  });
});

/** A database of its own, gone after the test. */
async function makeDatabase(): Promise<string> {
  const name = `start_${randomUUID().replaceAll("-", "")}`;
  const admin = await connect(inject("postgresUrl"));
  await admin.query(`create database ${name}`);
  onTestFinished(async () => void (await admin.query(`drop database ${name} with (force)`)));
  return databaseUrl(inject("postgresUrl"), name);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Dropped with its database.
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const onServer = (url: string) => ({
  ...withoutDemo,
  DATA_DIR: dataDir,
  DATABASE_URL: url,
  PUBLIC_URL: "http://localhost:3000",
  TOKEN_SECRET: "a token secret of thirty-two characters",
});

/** The processes that one has started. */
function processesOf(pid = 0): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

async function publicToken(url: string): Promise<string> {
  const { token } = (await (await fetch(`${url}/api/generate-token`)).json()) as { token: string };
  return token;
}

async function sendEstimate(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/estimator`, {
    method: "POST",
    headers: { authorization: `Bearer ${await publicToken(url)}`, "content-type": "application/json" },
    body: JSON.stringify({
      userName: "Asha Rao",
      userEmail: "asha@example.in",
      organizationName: "Kaveri Textiles",
      phoneNumber: "9876543210",
      numberOfUsers: 4,
      message: "Before the restart",
      selectedDevices: [{ service: "Server", deviceType: "Prod Server", number: 1 }],
    }),
  });
  return ((await answer.json()) as { quoteId: string }).quoteId;
}

/** The list of the demo mailbox, once the proposal has reached it. */
async function mailbox(url: string): Promise<string> {
  for (let look = 0; ; look++) {
    const page = await (await fetch(`${url}/dev/mail`)).text();
    if (page.includes("asha@example.in") || look > 100) return page;
    await new Promise((later) => setTimeout(later, 100));
  }
}

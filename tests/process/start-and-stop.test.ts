import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer as listenSilently } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { migrationLock } from "../../server/database/database.ts";
import { freePort } from "../../server/database/postmaster.ts";
import { databaseUrl } from "../global-setup.ts";
import {
  makeDataDir,
  type RunningProduct,
  spawnProduct,
  startProduct,
  startRefused,
  untilReady,
  withoutDemo,
} from "./running-product.ts";

const dataDir = makeDataDir();
const metricsToken = randomBytes(32).toString("base64url");
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("the product as a process", () => {
  it("starts with demo data, answers what is in flight before it stops, and keeps its data over starts, kills and more processes", async () => {
    const first = await start({ DATA_DIR: dataDir });
    expect(first.said()).toContain("asha@demo.example");
    expect(await sendEstimate(first.url)).toMatch(/^[\da-f-]{36}$/);
    const sendRest = await sendHalf(first.url);
    const ended = first.end("SIGTERM");
    const readiness = async () => (await fetch(`${first.url}/readyz`)).status;
    await expect.poll(readiness, { interval: 20 }).toBe(503);
    expect(await sendRest(), "the request in flight").toBe(200);
    expect(await ended).toBe(0);
    expect(isDatabaseLeft(dataDir)).toBe(false);

    const from = Date.now();
    const second = await start({ DATA_DIR: dataDir });
    console.log(`second start: ${Date.now() - from} ms (aim 1000)`);
    expect(await mailbox(second.url)).toContain("asha@example.in");
    // Killed without a chance to clean up: its PostgreSQL ends after it, and the next start waits for that.
    expect(await second.end("SIGKILL")).toBe("SIGKILL");

    const third = await start({ DATA_DIR: dataDir, WORKERS: "2", METRICS_TOKEN: metricsToken });
    expect(await mailbox(third.url)).toContain("asha@example.in");
    const other = await startRefused({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    expect(other).toEqual({
      code: 1,
      said: expect.stringMatching(/^Another copy \(process \d+\) already runs with the data folder .*\n$/),
    });
    for (let call = 0; call < 4; call++) expect((await fetch(`${third.url}/health`)).status).toBe(200);
    // Any of the processes reports the counts of all.
    expect(await countedProbes(third.url)).toBe(4);
    expect(await third.end("SIGINT")).toBe(0);
    expect(isDatabaseLeft(dataDir)).toBe(false);
  });

  it("ends also when it is told to while it still starts, by its own hand as in a container", async () => {
    // A database that accepts connections and never answers.
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

  it("lives while one of several processes brings the schema up to date, and starts each again that crashes, with no smaller counts: they would be taken for new ones", async () => {
    const url = await makeDatabase(inject("templateDatabase"));
    const migrating = await connect(url);
    await migrating.query("select pg_advisory_lock($1)", [migrationLock]);
    const port = String(await freePort());
    const address = `http://localhost:${port}`;
    const { child, said } = spawnProduct({ ...onServer(url), PORT: port, WORKERS: "2", METRICS_TOKEN: metricsToken });
    onTestFinished(() => void child.kill("SIGKILL"));
    const statusOf = (path: string) =>
      fetch(address + path).then(
        ({ status }) => status,
        () => null,
      );
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    await expect.poll(async () => (await migrating.query(waiting)).rowCount).toBe(1);
    // The first process answers that it is live and not ready.
    expect(await Promise.all(["/healthz", "/readyz", "/"].map(statusOf))).toEqual([200, 503, 503]);
    await migrating.query("select pg_advisory_unlock($1)", [migrationLock]);
    await untilReady({ child, said });
    expect(await Promise.all(["/healthz", "/readyz"].map(statusOf))).toEqual([200, 200]);
    for (let call = 0; call < 4; call++) expect(await statusOf("/health")).toBe(200);
    const counted = () => countedProbes(address);
    expect(await counted(), "probes that both processes counted").toBe(6);

    // A crashed process is started again, even one that crashes before it serves.
    const [first = 0, second = 0] = processesOf(child.pid);
    const others = () => processesOf(child.pid).filter((pid) => pid !== second);
    for (let killed = first, crashes = 0; crashes < 3; crashes++) {
      process.kill(killed, "SIGKILL");
      await expect.poll(() => others().filter((pid) => pid !== killed)).toHaveLength(1);
      [killed = 0] = others();
    }
    expect(await statusOf("/healthz")).toBe(200);
    await expect.poll(counted, { message: "probes, once the first process had crashed" }).toBe(7);
    process.kill(second, "SIGKILL");
    await expect.poll(() => processesOf(child.pid)).not.toContain(second);
    await expect.poll(counted, { message: "probes, once both processes had crashed" }).toBe(7);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("is started by the script of package.json, passed signals by it, and answers for STOP_DELAY_SECONDS more; no demo is started among its data, also with several processes", async () => {
    const live = makeDataDir();
    onTestFinished(() => rmSync(live, { recursive: true, force: true }));
    const product = await start({ ...withoutDemo, DATA_DIR: live, STOP_DELAY_SECONDS: "2" }, [
      "node",
      "scripts/run.mjs",
      "start",
    ]);
    const statusOf = async (path: string) => (await fetch(product.url + path)).status;
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
    await sendEstimate(product.url);
    const ended = product.end("SIGTERM");
    // The load balancer has time to send requests elsewhere.
    await expect.poll(() => statusOf("/readyz"), { interval: 20 }).toBe(503);
    expect([await statusOf("/healthz"), await statusOf("/api/generate-token")]).toEqual([200, 200]);
    expect(await ended).toBe(0);
    expect(isDatabaseLeft(live)).toBe(false);

    for (const workers of ["1", "2"]) {
      const env = { DATA_DIR: live, PORT: String(await freePort()), WORKERS: workers, LOG_LEVEL: "info" };
      expect(await startRefused(env), `with WORKERS=${workers}`).toEqual({
        code: 1,
        said: expect.stringMatching(/^The database is in use: [^\n]* Set DEMO=0 and start again, or [^\n]*\n$/),
      });
      expect(isDatabaseLeft(live)).toBe(false);
    }
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
  it("for addresses of two databases, with both as they were, also with several processes", async () => {
    const [url, direct] = [await makeDatabase(), await makeDatabase()];
    for (const workers of ["1", "2"]) {
      const env = { ...onServer(url), DATABASE_DIRECT_URL: direct, WORKERS: workers, PORT: String(await freePort()) };
      expect(await startRefused(env), `with WORKERS=${workers}`).toEqual({
        code: 1,
        said: expect.stringMatching(/^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: [^\n]*\n$/),
      });
      for (const each of [url, direct]) {
        const { rows } = await (await connect(each)).query("select to_regnamespace('drizzle') as made");
        expect(rows, `with WORKERS=${workers}`).toEqual([{ made: null }]);
      }
    }
  });
});

/** A product that a failed test left running would keep the data folder from the next. */
async function start(...given: Parameters<typeof startProduct>): Promise<RunningProduct> {
  const product = await startProduct(...given);
  onTestFinished(() => void product.process.kill("SIGKILL"));
  return product;
}

const isDatabaseLeft = (folder: string) => existsSync(join(folder, "postgres", "postmaster.pid"));

/** A database that is dropped after the test; empty without a template. */
async function makeDatabase(template = "template1"): Promise<string> {
  const name = `start_${randomUUID().replaceAll("-", "")}`;
  const admin = await connect(inject("postgresUrl"));
  await admin.query(`create database ${name} template ${template}`);
  onTestFinished(async () => void (await admin.query(`drop database ${name} with (force)`)));
  return databaseUrl(inject("postgresUrl"), name);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The connection breaks when its database is dropped.
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

/** The child processes of a process. */
function processesOf(pid = 0): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

/** How many probes all processes of a product report to have answered together. */
async function countedProbes(url: string): Promise<number> {
  const scrape = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const line = /^prahari_http_request_duration_seconds_count\{operation="probe",status="200"\} (\d+)$/m;
  return Number(line.exec(await scrape.text())?.[1]);
}

/** Sends half of a request. Answers a function that sends the rest and answers its status. */
async function sendHalf(url: string): Promise<() => Promise<number | undefined>> {
  const body = JSON.stringify({ selectedDevices: [{ service: "Server", deviceType: "Prod Server", number: 1 }] });
  const sending = request(`${url}/api/estimator/price`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await publicToken(url)}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  sending.flushHeaders();
  await once(sending, "continue");
  sending.write(body.slice(0, 10));
  return async () => {
    sending.end(body.slice(10));
    const [answer] = (await once(sending, "response")) as [IncomingMessage];
    return answer.resume().statusCode;
  };
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

/** The list of the demo mailbox, once the proposal has arrived. */
async function mailbox(url: string): Promise<string> {
  for (let look = 0; ; look++) {
    const page = await (await fetch(`${url}/dev/mail`)).text();
    if (page.includes("asha@example.in") || look > 100) return page;
    await new Promise((later) => setTimeout(later, 100));
  }
}

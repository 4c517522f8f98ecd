import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, it, onTestFinished } from "vitest";
import { quoteRequest } from "../factories.ts";
import { migrationLock } from "../../server/database/database.ts";
import { checkedAfterRestMs } from "../../server/database/pool.ts";
import { databaseUrl } from "../global-setup.ts";
import { type Mailbox, startMailbox } from "../harness.ts";
import { type Link, openLink } from "../link.ts";
import { clientOf } from "./product-client.ts";
import { makeDataDir, type RunningProduct, spawnProduct, startProduct } from "./running-product.ts";

const name = `database_loss_${randomUUID().replaceAll("-", "")}`;
const dataDir = makeDataDir();
/** Longer than anybody should wait for a response, shorter than a request that hangs. */
const patienceMs = 10_000;

let mailbox: Mailbox;
let admin: Client;
let link: Link;
let product: RunningProduct;

beforeAll(async () => {
  mailbox = await startMailbox();
  admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject("templateDatabase")}`);
});
beforeEach(async () => {
  const { hostname, port } = new URL(inject("postgresUrl"));
  link = await openLink(hostname, Number(port));
});
afterAll(async () => {
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await mailbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it("A network that swallows everything makes requests fail soon, and all works as soon as it is back", async () => {
  await start({ LOG_LEVEL: "info" });
  const load = startLoad();
  await answersSoon(200);
  link.freeze();
  await expect.poll(() => product.said()).toContain("the database is silent");
  await answersSoon(503);
  expect(load.statuses()).toContain(503);
  link.thaw();
  await answersSoon(200);
  await proposalArrives();
  await load.stop();
  // No call under way hung for longer than its caller would have waited.
  expect(load.hung()).toBe(0);
  expect(await product.end("SIGTERM")).toBe(0);
});

it("Connections that die without a word are replaced while the load goes on", async () => {
  await start();
  const load = startLoad();
  await answersSoon(200);
  link.forget();
  await answersSoon(200);
  // Until then a call may still get a dead one, and fail.
  await sleep(checkedAfterRestMs);
  await proposalArrives();
  await load.stop();
  expect(load.hung()).toBe(0);
  expect(load.statuses().slice(-20)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await product.end("SIGTERM")).toBe(0);
});

it("A database that is gone for a while is told in few lines, and jobs go on when it is back", async () => {
  await start({ LOG_LEVEL: "info" });
  const load = startLoad();
  await answersSoon(200);
  link.close();
  await answersSoon(503);
  await new Promise((passed) => setTimeout(passed, 3000));
  expect(product.said().match(/"level":50/g)?.length).toBeLessThan(10);
  expect(product.said()).toContain("the database can't be reached");
  const { hostname, port } = new URL(inject("postgresUrl"));
  link = await openLink(hostname, Number(port), link.port);
  await answersSoon(200);
  await proposalArrives();
  expect(product.said()).toContain("the database answers again");
  await load.stop();
  expect(await product.end("SIGTERM")).toBe(0);
});

it("It stops in time while nothing comes from the database, under load too", async () => {
  await start();
  const load = startLoad();
  await answersSoon(200);
  link.freeze();
  expect(await product.end("SIGTERM")).toBe(0);
  await load.stop();
});

it("A copy that falls silent in the middle of its start keeps others from starting for half a minute only", async () => {
  const holder = new Client({ connectionString: databaseUrl(inject("postgresUrl"), name) });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("select pg_advisory_lock($1)", [migrationLock]);
  const silent = spawnProduct({ ...environment(link.port), PORT: "0" });
  onTestFinished(() => void silent.child.kill("SIGKILL"));
  const hasLock = async (granted: boolean) =>
    (
      await holder.query(
        "select from pg_locks where locktype = 'advisory' and objid = $1 and granted = $2 and pid <> pg_backend_pid()",
        [migrationLock, granted],
      )
    ).rowCount === 1;
  await expect.poll(() => hasLock(false)).toBe(true);
  link.freeze();
  await holder.query("select pg_advisory_unlock($1)", [migrationLock]);
  expect(await hasLock(true)).toBe(true);
  const { port } = new URL(inject("postgresUrl"));
  product = await startProduct(environment(Number(port)));
  expect(await product.end("SIGTERM")).toBe(0);
  // Once it hears again, it says what happened, and whoever watches over it starts it anew.
  link.thaw();
  await expect.poll(() => silent.child.exitCode).toBe(1);
  expect(silent.said()).toMatch(/^The database was lost during the start: .+\.$/m);
});

it("A stop that a job holds up ends in time all the same, with a line that names the job", async () => {
  const mute = await openMuteMailServer();
  await start({ SMTP_URL: mute.url });
  await clientOf(product.url, mailbox).call("estimator", quoteRequest());
  await mute.reached;
  // The mail itself is broken off after a while, but what became of it can't be noted.
  const holder = new Client({ connectionString: databaseUrl(inject("postgresUrl"), name) });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table mails in share mode");
  expect(await product.end("SIGTERM")).toBe(1);
  expect(product.said()).toMatch(
    /^Prahari stopped without waiting any longer for: jobs \(send-mail still at work\).*\.$/m,
  );
});

it("A worker that does not end is killed, and the stop says so", async () => {
  await start({ WORKERS: "2" });
  const [stuck = ""] = execFileSync("pgrep", ["-P", String(product.process.pid)], { encoding: "utf8" }).split("\n");
  process.kill(Number(stuck), "SIGSTOP");
  expect(await product.end("SIGTERM")).toBe(1);
  expect(product.said()).toContain(`without waiting any longer for: worker ${stuck} (no end after 11 s).`);
  expect(stateOf(stuck)).not.toContain("T");
});

/** What a copy is started with whose database answers at this port. */
function environment(port: number): Record<string, string> {
  const url = new URL(databaseUrl(inject("postgresUrl"), name));
  url.host = `127.0.0.1:${port}`;
  return {
    DATABASE_URL: url.href,
    DATA_DIR: dataDir,
    PUBLIC_URL: "http://localhost",
    ALLOW_SANDBOX: "1",
    TOKEN_SECRET: "a token secret of thirty-two characters",
    SMTP_URL: mailbox.url,
    MAIL_FROM: "Prahari <soc@prahari.example>",
  };
}

async function start(env: Record<string, string> = {}): Promise<void> {
  product = await startProduct({ ...environment(link.port), ...env });
  onTestFinished(async () => {
    if (product.process.exitCode === null && product.process.signalCode === null) await product.end("SIGKILL");
    link.close();
  });
}

/** The process state: T for stopped; empty or Z for ended. */
function stateOf(processId: string): string {
  return spawnSync("ps", ["-o", "stat=", "-p", processId], { encoding: "utf8" }).stdout;
}

/** Eight callers, each of whom asks again after a pause; a call that exceeds the patience counts as hung. */
function startLoad() {
  const { call } = clientOf(product.url, mailbox);
  const statuses: number[] = [];
  let hung = 0;
  const stopped = new AbortController();
  const ask = async () => {
    while (!stopped.signal.aborted) {
      const answer = call("blogs", { startingNode: 0, limit: 3 }).then(
        ({ status }) => status,
        () => 0,
      );
      const late = new Promise<"late">((done) => setTimeout(done, patienceMs, "late").unref());
      const status = await Promise.race([answer, late]);
      if (status === "late") hung++;
      else statuses.push(status);
      await sleep(20);
    }
  };
  const callers = Promise.all(Array.from({ length: 8 }, ask));
  return {
    statuses: () => statuses,
    hung: () => hung,
    async stop() {
      stopped.abort();
      await callers;
    },
  };
}

/** Checks that the health probe itself never hangs. */
async function answersSoon(status: number): Promise<void> {
  const ask = async (path: string) =>
    (await fetch(product.url + path, { signal: AbortSignal.timeout(patienceMs) })).status;
  const probes = async () => [await ask("/health"), await ask("/readyz"), await ask("/healthz")];
  // Liveness and readiness stay good: restarting or removing a copy that can't reach its database gains nothing and
  // loses its queue.
  await expect.poll(probes).toEqual([status, 200, 200]);
}

async function proposalArrives(): Promise<void> {
  const request = quoteRequest();
  const { status } = await clientOf(product.url, mailbox).call("estimator", request);
  expect(status).toBe(201);
  await mailbox.take(request.userEmail, /proposal/);
}

/** Greets, and then never answers a client that wants to send. */
async function openMuteMailServer(): Promise<{ url: string; reached: Promise<void> }> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.write("220 mute.example\r\n");
    socket.once("data", () => resolve());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`, reached };
}

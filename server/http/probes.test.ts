import { Hono } from "hono";
import { Client } from "pg";
import { beforeEach, expect, inject, it, onTestFinished } from "vitest";
import { startTestServer } from "../../tests/harness.ts";
import { mountProbes } from "./probes.ts";
import { listen, type Listener } from "./server.ts";

let listener: Listener;
let finishSlow: () => void;
const application = new Hono();
application.get("/healthz", (context) => context.text("alive"));
application.get("/readyz", (context) => context.text("ready"));
application.get("/quick", (context) => context.text("here"));
application.get("/slow", async (context) => {
  await new Promise<void>((done) => (finishSlow = done));
  return context.text("done");
});

beforeEach(async () => {
  listener = await listen("127.0.0.1", 0);
  onTestFinished(() => listener.close(0));
});

const ask = (path: string) => fetch(`http://127.0.0.1:${listener.port}${path}`);
const statuses = async (...paths: string[]) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await ask(path)).status] as const)));
const probes = ["/healthz", "/readyz", "/quick"];
/** What an operation's caller is told, who can read nothing but JSON. */
const toldByApi = async () => (await ask("/api/generate-token")).json();

it("A starting process is alive and not ready, and a serving one is both", async () => {
  expect(await statuses(...probes)).toEqual({ "/healthz": 200, "/readyz": 503, "/quick": 503 });
  const error = "The service is starting. Please try again in a moment.";
  expect(await toldByApi()).toEqual({ error, code: "overloaded" });
  listener.serve(application);
  expect(await statuses(...probes)).toEqual({ "/healthz": 200, "/readyz": 200, "/quick": 200 });
});

it("A process that is about to stop goes on serving, and says that it is not ready", async () => {
  listener.serve(application);
  const left = listener.leave(0.5);
  expect(await statuses(...probes)).toEqual({ "/healthz": 200, "/readyz": 503, "/quick": 200 });
  await left;
});

it("A process that stops finishes requests in flight, refuses new ones, and then closes the port", async () => {
  listener.serve(application);
  const slow = ask("/slow");
  await expect.poll(() => finishSlow).toBeDefined();
  const closed = listener.close(10_000);
  expect(await statuses(...probes)).toEqual({ "/healthz": 200, "/readyz": 503, "/quick": 503 });
  const turnedAway = await ask("/quick");
  expect(turnedAway.headers.get("connection")).toBe("close");
  expect(turnedAway.headers.get("retry-after")).toBe("2");
  const error = "The service is stopping. Please try again in a moment.";
  expect(await toldByApi()).toEqual({ error, code: "overloaded" });
  finishSlow();
  const answer = await slow;
  expect([answer.status, await answer.text()]).toEqual([200, "done"]);
  await closed;
  await expect(ask("/healthz")).rejects.toThrow("fetch failed");
});

it("Concurrent health checks share one question to the database", async () => {
  const server = await startTestServer({ work: false });
  onTestFinished(() => server.stop());
  const pool = server.services.database.$client;
  const query = pool.query.bind(pool) as (text: string) => unknown;
  let asked = 0;
  pool.query = ((text: string) => {
    asked++;
    return query(text);
  }) as typeof pool.query;
  const probed = new Hono();
  mountProbes(probed, server.services);
  const answers = await Promise.all(Array.from({ length: 20 }, async () => probed.request("/health")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(asked).toBe(1);
  expect((await probed.request("/health")).status).toBe(200);
  expect(asked).toBe(2);
});

it("Readiness and liveness do not depend on the database, which all copies share", async () => {
  const server = await startTestServer({ work: false });
  onTestFinished(() => server.stop());
  const admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  onTestFinished(() => admin.end());
  const name = new URL(server.databaseUrl).pathname.slice(1);
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await expect.poll(() => server.services.watch.hasAnswer()).toBe(false);
  await server.services.database.$client.end();
  const of = async (path: string) => (await fetch(server.url + path)).status;
  expect([await of("/healthz"), await of("/readyz"), await of("/health")]).toEqual([200, 200, 503]);
});

import autocannon from "autocannon";
import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hashPassword } from "../server/accounts/passwords.ts";
import { signPublicToken } from "../server/protection/tokens.ts";
import { quoteRequest } from "../tests/factories.ts";
import { freePort } from "../server/database/postmaster.ts";
import { makeDataDir, startProduct } from "../tests/process/running-product.ts";
import { asVisitors } from "./as-visitors.ts";
import { insertPeople } from "./insert-people.ts";
import type { FigureName } from "./figures.ts";
import {
  median,
  openGivenDatabase,
  option,
  processorMs,
  report,
  residentMegabytes,
  startBenchedProduct,
  tell,
  whole,
} from "./measure.ts";
import { openPostOffice } from "./post-office.ts";

/**
 * How long a start as by `npm start` takes, and how much memory the product holds at the start, after every kind of
 * load, and while the loads go on: for two minutes, or for as many as `--minutes=10` says.
 */

const minutes = option("minutes", 2);
/** As `npm start` sets it. */
const compileCache = join(import.meta.dirname, "../node_modules/.cache/node");
/** Time for what is under way to finish: a start, or the last calls of a load. */
const settled = () => new Promise((next) => setTimeout(next, 3000));
const password = "correct horse battery 42";

await measureStartsOnOwnDatabase();
await measureStartsOnGivenDatabase();
// Each visitor comes from an address of its own, as in reality, so that no rate limit stops the loads.
const postOffice = await openPostOffice();
const benched = await startBenchedProduct({ SMTP_URL: postOffice.url, TRUST_PROXY: "1" });
try {
  await settled();
  report("memory at start", residentMegabytes(benched), "three seconds after it");
  await soak();
} finally {
  await benched.stop();
  postOffice.close();
}

/** Times the second and later starts until the home page is served. */
async function measureStarts(figure: FigureName, env: Record<string, string>): Promise<void> {
  const port = String(await freePort());
  const starts: { tookMs: number; usedMs: number }[] = [];
  for (let start = 0; start < 6; start++) {
    const began = performance.now();
    const starting = startProduct({ ...env, NODE_COMPILE_CACHE: compileCache, PORT: port });
    await firstAnswer(`http://127.0.0.1:${port}/`);
    const tookMs = performance.now() - began;
    const product = await starting;
    starts.push({ tookMs, usedMs: processorMs(product.process.pid) });
    await product.end("SIGTERM");
  }
  const [first, ...later] = starts;
  const took = later.map(({ tookMs }) => tookMs);
  // On a busy machine, processor time shows the share that the start itself is responsible for.
  const used = median(later.map(({ usedMs }) => usedMs));
  const detail = `${whole(Math.min(...took))} ms at best; of the median ${whole(used)} ms on the processor; the first ${whole(first?.tookMs ?? 0)} ms`;
  report(figure, median(took), detail);
}

async function measureStartsOnOwnDatabase(): Promise<void> {
  const dataDir = makeDataDir();
  await measureStarts("start again", { DATA_DIR: dataDir });
  rmSync(dataDir, { recursive: true, force: true });
}

async function measureStartsOnGivenDatabase(): Promise<void> {
  const given = await openGivenDatabase();
  await measureStarts("start again, outside", given.env);
  await given.close();
}

async function firstAnswer(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Every kind of load in turn, over and over. Memory counts as flat when the second half is not above the first. */
async function soak(): Promise<void> {
  const emails = await insertPeople(benched.database, await hashPassword(password));
  const token = await signPublicToken(benched.tokenSecret, new Date());
  const until = performance.now() + minutes * 60_000;
  const after: number[] = [];
  while (after.length < 4 || performance.now() < until) {
    await load("/blog", {});
    await load("/estimator", {});
    // Addresses without end: the pages kept in memory must not grow with them.
    await load("/", { setupRequest: (request) => ({ ...request, path: `/blog/${randomInt(1e9)}` }) });
    await post(token, "logs", () => ({ searchQuery: "win", categories: [], startingNode: 0, limit: 10 }), 500);
    await post(token, "estimator", () => quoteRequest(), 4);
    await post(token, "auth/login", () => ({ email: emails[randomInt(emails.length)], password }), 16);
    await settled();
    after.push(residentMegabytes(benched));
    tell(`round ${after.length}: ${whole(after.at(-1) ?? 0)} MB`);
  }
  const half = Math.floor(after.length / 2);
  // The first round fills the intended caches.
  const growth = median(after.slice(half)) - median(after.slice(1, half + 1));
  const rounds = `${after.length} rounds: ${after.map((megabytes) => whole(megabytes)).join(", ")} MB`;
  report("memory after loads", Math.max(...after), rounds);
  report("memory grown", growth, `over ${minutes} minutes`);
}

function load(path: string, request: autocannon.Request) {
  const headers = { "accept-encoding": "br" };
  return autocannon({ url: benched.product.url + path, connections: 50, duration: 3, headers, requests: [request] });
}

function post(token: string, operation: string, body: () => object, connections: number) {
  return autocannon({
    url: `${benched.product.url}/api/${operation}`,
    connections,
    duration: 5,
    timeout: 30,
    method: "POST",
    requests: [asVisitors(token, body)],
  });
}

import autocannon from "autocannon";
import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { hashPassword } from "../server/accounts/passwords.ts";
import { signPublicToken } from "../server/protection/tokens.ts";
import { quoteRequest } from "../tests/factories.ts";
import { freePort, makeDataDir, type RunningProduct, startProduct } from "../tests/process/running-product.ts";
import { asVisitors } from "./as-visitors.ts";
import { insertPeople } from "./insert-people.ts";
import { median, report, residentMegabytes, startBenchedProduct, whole } from "./measure.ts";
import { openPostOffice } from "./post-office.ts";

/**
 * How long a start takes with what `npm start` runs, and what it holds in memory at the start, after every kind of load, and
 * while the loads go on: two minutes, or as many as are named (`node bench/memory.bench.ts 10`).
 */

const aims = { startMs: 1000, atStartMegabytes: 220, afterLoadsMegabytes: 350, growthMegabytes: 20 };
const minutes = Number(process.argv[2] ?? 2);
const password = "correct horse battery 42";

await measureStarts();
// Each visitor comes from an address of its own, as they do: no limit keeps the loads away.
const postOffice = await openPostOffice();
const benched = await startBenchedProduct({ SMTP_URL: postOffice.url, TRUST_PROXY: "1" });
try {
  await new Promise((settled) => setTimeout(settled, 3000));
  tellMemory("at start", residentMegabytes(benched), aims.atStartMegabytes);
  await soak();
} finally {
  await benched.stop();
  postOffice.close();
}

/** The second start and those after it, on their own PostgreSQL, until the home page is there. */
async function measureStarts(): Promise<void> {
  const [dataDir, port] = [makeDataDir(), String(await freePort())];
  const starts: { tookMs: number; processorMs: number }[] = [];
  for (let start = 0; start < 6; start++) {
    const began = performance.now();
    const starting = startProduct({ DATA_DIR: dataDir, PORT: port });
    await firstAnswer(`http://127.0.0.1:${port}/`);
    const tookMs = performance.now() - began;
    const product = await starting;
    starts.push({ tookMs, processorMs: processorMsOf(product) });
    await product.end("SIGTERM");
  }
  rmSync(dataDir, { recursive: true, force: true });
  const [first, ...later] = starts;
  const best = Math.min(...later.map(({ tookMs }) => tookMs));
  const middle = median(later.map(({ tookMs }) => tookMs));
  // On a machine that does other things too, this is what the start itself is to blame for.
  const processor = Math.min(...later.map(({ processorMs }) => processorMs));
  const others = `${whole(middle)} in the middle of ${later.length}, the first ${whole(first?.tookMs ?? 0)}`;
  const detail = `${whole(best)} ms at best, of which ${whole(processor)} on the processor; ${others}`;
  report("start", best / aims.startMs, `${aims.startMs} ms`, "at most 1.00", detail);
}

/** What the server's process has used of the processor; Linux only, where a tick is 10 ms. */
function processorMsOf(product: RunningProduct): number {
  const stat = readFileSync(`/proc/${product.process.pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return (Number(user) + Number(system)) * 10;
}

async function firstAnswer(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Every kind of load in turn, over and over. Flat means: the second half is not above the first. */
async function soak(): Promise<void> {
  const emails = await insertPeople(benched.database, await hashPassword(password));
  const token = await signPublicToken(benched.tokenSecret, new Date());
  const until = performance.now() + minutes * 60_000;
  const after: number[] = [];
  while (after.length < 4 || performance.now() < until) {
    await load("/blog", {});
    await load("/estimator", {});
    // Addresses without end, of which pages must not be kept without end.
    await load("/", { setupRequest: (request) => ({ ...request, path: `/blog/${randomInt(1e9)}` }) });
    await post(token, "logs", () => ({ searchQuery: "win", categories: [], startingNode: 0, limit: 10 }), 500);
    await post(token, "estimator", () => quoteRequest(), 4);
    await post(token, "auth/login", () => ({ email: emails[randomInt(emails.length)], password }), 16);
    after.push(residentMegabytes(benched));
    console.log(`           round ${after.length}: ${whole(after.at(-1) ?? 0)} MB`);
  }
  tellMemory("after loads", Math.max(...after), aims.afterLoadsMegabytes);
  const half = Math.floor(after.length / 2);
  // The first round fills what is kept on purpose.
  const growth = median(after.slice(half)) - median(after.slice(1, half + 1));
  tellMemory("growth", growth, aims.growthMegabytes);
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

function tellMemory(when: string, megabytes: number, aim: number): void {
  report("memory", megabytes / aim, `${aim} MB`, "at most 1.00", `${whole(megabytes)} MB ${when}`);
}

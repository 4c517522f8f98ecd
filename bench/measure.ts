import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Database, openDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { freePort } from "../server/database/postmaster.ts";
import { makeDataDir, type RunningProduct, startProduct } from "../tests/process/running-product.ts";
import { type FigureName, figures, judge, type Measured, written } from "./figures.ts";

// If a whole run is killed, its benchmark ends with it.
process.once("disconnect", () => process.exit(1));
process.channel?.unref();

export interface BenchedProduct {
  product: RunningProduct;
  database: Database;
  databaseUrl: string;
  tokenSecret: string;
  stop(): Promise<void>;
}

/** A PostgreSQL that the product does not start itself, and the variables of a product that runs on it. */
export async function openGivenDatabase() {
  const dataDir = makeDataDir();
  const postgres = await startEmbeddedPostgres(dataDir);
  const tokenSecret = randomBytes(32).toString("hex");
  return {
    url: postgres.url,
    tokenSecret,
    env: {
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      TOKEN_SECRET: tokenSecret,
      ALLOW_SANDBOX: "1",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Prahari <soc@prahari.example>",
      PUBLIC_URL: "http://localhost",
    },
    async close() {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The product as it runs live, in a process of its own, on a PostgreSQL of its own. */
export async function startBenchedProduct(env: Record<string, string> = {}): Promise<BenchedProduct> {
  const given = await openGivenDatabase();
  const port = String(await freePort());
  const product = await startProduct({ ...given.env, PORT: port, PUBLIC_URL: `http://localhost:${port}`, ...env });
  // Filling a long list takes longer than a request may.
  const database = openDatabase(given.url, { statementMs: 120_000 });
  return {
    product,
    database,
    databaseUrl: given.url,
    tokenSecret: given.tokenSecret,
    async stop() {
      await product.end("SIGTERM");
      await database.$client.end();
      await given.close();
    },
  };
}

/**
 * Measures ours and the baseline in turns, so that any other load on the machine affects both.
 * Answers the median of the rounds' ratios, and of each side.
 */
export async function compare(rounds: number, ours: () => Promise<number>, baseline: () => Promise<number>) {
  await ours();
  await baseline();
  const pairs: { ours: number; baseline: number }[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ ours: await ours(), baseline: await baseline() });
  return {
    ratio: median(pairs.map((pair) => pair.ours / pair.baseline)),
    ours: median(pairs.map((pair) => pair.ours)),
    baseline: median(pairs.map((pair) => pair.baseline)),
  };
}

export const median = (numbers: number[]): number => percentile(numbers, 50);

/** The value that this percentage of the numbers does not exceed; NaN without numbers. */
export function percentile(numbers: number[], percent: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Milliseconds until it is answered. */
export async function timeOf(ask: () => Promise<object>): Promise<number> {
  const started = performance.now();
  await ask();
  return performance.now() - started;
}

/** Milliseconds of processor time that a process has used; Linux only, where a tick is 10 ms. */
export function processorMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return (Number(user) + Number(system)) * 10;
}

/** Memory of the server's process, now or at its peak; Linux only. */
export function residentMegabytes({ product }: BenchedProduct, when: "now" | "at most" = "now"): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, "utf8");
  return Number((when === "now" ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status)?.[1]) / 1024;
}

/** Prints one line for a figure with its aim and its limit, and sends the figure to a run of all benchmarks. */
export function report(figure: FigureName, value: number, detail: string): void {
  const bounds = `aim ${written(figure, figures[figure].aim)}, limit ${written(figure, figures[figure].limit)}`;
  console.log(
    `${figure.padEnd(22)} ${written(figure, value).padEnd(10)} ${judge(figure, value)} (${bounds})  ${detail}`,
  );
  process.send?.({ figure, value, detail } satisfies Measured);
}

/** Prints a line about a figure without being one itself. */
export const tell = (text: string): void => console.log(`${"".padEnd(22)} ${text}`);

/** The value of `--name=` on the command line, as in `npm run bench -- --minutes=10`. */
export function option(name: "minutes" | "rows" | "bindings", otherwise: number): number {
  const { values } = parseArgs({
    options: { minutes: { type: "string" }, rows: { type: "string" }, bindings: { type: "string" } },
    strict: false,
  });
  const given = values[name];
  return typeof given === "string" ? Number(given) : otherwise;
}

/** 12345.6 → 12,346 */
export const whole = (number: number) => Math.round(number).toLocaleString("en-IN");

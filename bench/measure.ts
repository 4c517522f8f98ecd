import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Database, openDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { freePort } from "../server/database/postmaster.ts";
import { makeDataDir, type RunningProduct, startProduct } from "../tests/process/running-product.ts";
import { type FigureName, figures, judge, type Measured, written } from "./figures.ts";

// A whole run that is killed takes its benchmark along.
process.once("disconnect", () => process.exit(1));
process.channel?.unref();

export interface BenchedProduct {
  product: RunningProduct;
  database: Database;
  databaseUrl: string;
  tokenSecret: string;
  stop(): Promise<void>;
}

/** A PostgreSQL that is not the product's own, and the variables of a product that runs on it. */
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
 * Measures ours and the baseline turn by turn, so that whatever else the machine does meets both.
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

/** What so many per cent of the numbers do not exceed; NaN of none. */
export function percentile(numbers: number[], percent: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** The milliseconds until it is answered. */
export async function timeOf(ask: () => Promise<object>): Promise<number> {
  const started = performance.now();
  await ask();
  return performance.now() - started;
}

/** What a process has used of the processor; Linux only, where a tick is 10 ms. */
export function processorMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return (Number(user) + Number(system)) * 10;
}

/** What the server's process holds in memory now, or has held at most; Linux only. */
export function residentMegabytes({ product }: BenchedProduct, when: "now" | "at most" = "now"): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, "utf8");
  return Number((when === "now" ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status)?.[1]) / 1024;
}

/** One line for one figure, beside its aim and its limit; the whole run notes it. */
export function report(figure: FigureName, value: number, detail: string): void {
  const bounds = `aim ${written(figure, figures[figure].aim)}, limit ${written(figure, figures[figure].limit)}`;
  console.log(
    `${figure.padEnd(22)} ${written(figure, value).padEnd(10)} ${judge(figure, value)} (${bounds})  ${detail}`,
  );
  process.send?.({ figure, value, detail } satisfies Measured);
}

/** A line about a figure that is none itself. */
export const tell = (text: string): void => console.log(`${"".padEnd(22)} ${text}`);

/** What comes after `--name=` on the command line, as `npm run bench -- --minutes=10` gives it. */
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

import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { openDatabase, type Database, migrateDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { makeDataDir, type RunningProduct, startProduct } from "../tests/process/running-product.ts";

export interface BenchedProduct {
  product: RunningProduct;
  database: Database;
  databaseUrl: string;
  tokenSecret: string;
  stop(): Promise<void>;
}

/** The product as it runs live, in a process of its own, on a PostgreSQL of its own. */
export async function startBenchedProduct(env: Record<string, string> = {}): Promise<BenchedProduct> {
  const dataDir = makeDataDir();
  const postgres = await startEmbeddedPostgres(dataDir);
  await migrateDatabase(postgres.url);
  const tokenSecret = randomBytes(32).toString("hex");
  const product = await startProduct({
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    TOKEN_SECRET: tokenSecret,
    ALLOW_SANDBOX: "1",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "Prahari <soc@prahari.example>",
    PUBLIC_URL: "http://localhost",
    ...env,
  });
  const database = openDatabase(postgres.url);
  return {
    product,
    database,
    databaseUrl: postgres.url,
    tokenSecret,
    async stop() {
      await product.end("SIGTERM");
      await database.$client.end();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
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

export function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** What the server's process holds in memory now, or has held at most; Linux only. */
export function residentMegabytes({ product }: BenchedProduct, when: "now" | "at most" = "now"): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, "utf8");
  return Number((when === "now" ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status)?.[1]) / 1024;
}

/** One line for one figure. */
export function report(figure: string, ratio: number, baseline: string, aim: string, detail: string): void {
  console.log(`${figure.padEnd(10)} ${ratio.toFixed(2)} of ${baseline} (aim ${aim})  ${detail}`);
}

/** 12345.6 → 12,346 */
export const whole = (number: number) => Math.round(number).toLocaleString("en-IN");

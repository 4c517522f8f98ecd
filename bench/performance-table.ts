// Writes the table of docs/performance.md from bench/results.json; a run of all benchmarks does so by itself.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FigureName, figures, type Verdict, written } from "./figures.ts";

/** The results of a run of all benchmarks, and the machine that they were measured on. */
export interface Results {
  date: string;
  minutes: number;
  /** `loadBefore`: the load average of the minute before; other processes make figures worse. */
  machine: { processor: string; memoryGigabytes: number; system: string; loadBefore: number };
  versions: Record<string, string>;
  figures: Record<string, { value: number; aim: number; limit: number; verdict: Verdict; detail: string }>;
}

const [begin, end] = ["<!-- begin of the table by bench/performance-table.ts -->", "<!-- end of the table -->"];
const verdicts: Record<Verdict, string> = { met: "yes", missed: "no", "limit missed": "**no, beyond the limit**" };

/**
 * The page with the table of the results.
 * @throws when the page has no markers for it
 */
export function withPerformanceTable(page: string, results: Results): string {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The page has no place between ${begin} and ${end}.`);
  return `${page.slice(0, before)}${begin}\n\n${conditions(results)}\n\n${table(results)}\n\n${page.slice(after)}`;
}

function conditions({ date, machine, versions, minutes }: Results): string {
  const { processor, memoryGigabytes, system, loadBefore } = machine;
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured on ${date.slice(0, 10)} in ${minutes} minutes on ${processor}, ${memoryGigabytes} GB, ${system};`,
    `${software.join(", ")}. Load of the machine before: ${loadBefore.toFixed(2)}.`,
  ].join("\n");
}

/** Every figure has its row, even without a result, so that a missing measurement is visible. */
function table({ figures: measured }: Results): string {
  const rows = (Object.keys(figures) as FigureName[]).map((name) => {
    const { what, best, ...bounds } = figures[name];
    const bound = (number: number) => `${best === "high" ? "≥" : "≤"} ${written(name, number)}`;
    const result = measured[name];
    const { aim, limit } = result ?? bounds;
    const [value, verdict, detail] = result
      ? [written(name, result.value), verdicts[result.verdict], result.detail]
      : ["not measured yet", "", ""];
    return [name, what, value, bound(aim), bound(limit), verdict, detail];
  });
  const lines = [["Figure", "What", "Measured", "Aim", "Limit", "Aim met", "From"], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const drawn = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  return [drawn[0], `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...drawn.slice(1)].join("\n");
}

if (import.meta.main) {
  const page = join(import.meta.dirname, "..", "docs", "performance.md");
  const results = JSON.parse(readFileSync(join(import.meta.dirname, "results.json"), "utf8")) as Results;
  writeFileSync(page, withPerformanceTable(readFileSync(page, "utf8"), results));
}

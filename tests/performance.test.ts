import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Figure, type FigureName, figures, judge } from "../bench/figures.ts";
import { type Results, withPerformanceTable } from "../bench/performance-table.ts";

const results = JSON.parse(readFileSync("bench/results.json", "utf8")) as Results;

it("The table of docs/performance.md is what bench/results.json holds", () => {
  const page = readFileSync("docs/performance.md", "utf8");
  expect(page).toBe(withPerformanceTable(page, results));
});

it("Each figure has its row on the page, measured or not, and nothing else has", () => {
  const page = readFileSync("docs/performance.md", "utf8");
  expect(rowsOf(page).map(([name]) => name)).toEqual(Object.keys(figures));
  const [first, ...others] = Object.entries(results.figures);
  const without = withPerformanceTable(page, { ...results, figures: Object.fromEntries(others) });
  expect(rowsOf(without)).toContainEqual([first?.[0], "not measured yet"]);
  expect(rowsOf(without)).toHaveLength(Object.keys(figures).length);
});

it("What was measured is judged by the aims and limits that stand in bench/figures.ts", () => {
  for (const [name, { value, aim, limit, verdict }] of Object.entries(results.figures)) {
    expect(figures, name).toHaveProperty([name]);
    const figure = figures[name as FigureName];
    expect({ name, aim, limit, verdict }).toEqual({
      name,
      ...bounds(figure),
      verdict: judge(name as FigureName, value),
    });
  }
});

it("Every aim can be missed without its limit being missed", () => {
  for (const [name, figure] of Object.entries<Figure>(figures)) {
    const between = (figure.aim + figure.limit) / 2;
    expect([name, judge(name as FigureName, between)]).toEqual([name, "missed"]);
    expect([name, judge(name as FigureName, Number.NaN)]).toEqual([name, "limit missed"]);
  }
});

/** The name and the measured value in each row of the table. */
function rowsOf(page: string): string[][] {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const from = rows.findIndex((row) => row.startsWith("| Figure "));
  const cells = rows.slice(from + 2).map((row) => row.split("|").map((cell) => cell.trim()));
  return cells.map(([, name = "", , measured = ""]) => [name, measured]);
}

const bounds = ({ aim, limit }: Figure) => ({ aim, limit });

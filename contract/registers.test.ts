import { expect, test } from "vitest";
import { StatementRequest } from "./receivables.ts";
import { RegisterPeriod } from "./registers.ts";

const faultsOf = (from: string, to: string) =>
  [RegisterPeriod, StatementRequest].map((schema) =>
    schema
      .safeParse({ from, to, format: "csv" })
      .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
  );

test("A period without its first day is too long for nobody", () => {
  for (const [first, ...more] of faultsOf("", "2026-11-30").map((faults) => faults ?? [])) {
    expect(first).toBe("from: Please choose a day");
    expect(more.filter((fault) => fault.startsWith("to:"))).toEqual([]);
  }
  expect(faultsOf("2026-11-01", "2026-11-30")).toEqual([undefined, undefined]);
});

test("A period of too many days says so at its last one", () => {
  expect(faultsOf("2000-11-01", "2026-11-30").flat()).toEqual([
    expect.stringMatching(/^to: Please choose at most \d+ days$/),
    expect.stringMatching(/^to: Please choose at most \d+ days$/),
  ]);
});

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { sumOfProcesses } from "./sum-of-processes.ts";

it("A process that has ended stays in the counts, of which none falls, and in nothing that is of now", async () => {
  const sum = sumOfProcesses();
  const lines = async () =>
    (await sum.text()).split("\n").filter((line) => /^(refused|inside|took_seconds_count)/.test(line));
  sum.note(1, await told({ refused: 300, inside: 4 }));
  sum.note(2, await told({ refused: 100, inside: 1 }));
  const before = ['refused{gate="visitor"} 400', 'inside{gate="visitor"} 5', 'took_seconds_count{status="200"} 400'];
  expect(await lines()).toEqual(before);
  sum.end(2);
  expect(await lines()).toEqual([before[0], 'inside{gate="visitor"} 4', before[2]]);
  // The process started as its replacement ends too.
  sum.note(3, await told({ refused: 10, inside: 2 }));
  sum.end(3);
  expect(await lines()).toContain('refused{gate="visitor"} 410');
  sum.note(4, await told({ refused: 1, inside: 0 }));
  expect(await lines()).toContain('refused{gate="visitor"} 411');
  expect(await lines()).toContain('took_seconds_count{status="200"} 411');
});

it("One that ends before it has told anything changes nothing", async () => {
  const sum = sumOfProcesses();
  sum.end(1);
  sum.note(2, await told({ refused: 5, inside: 0 }));
  expect(await sum.text()).toContain('refused{gate="visitor"} 5\n');
});

/** Metrics as a process sends them: through JSON. */
async function told({ refused, inside }: { refused: number; inside: number }) {
  const registry = new Registry();
  const of = { help: "Of the test.", registers: [registry] };
  new Counter({ name: "refused", labelNames: ["gate"], ...of }).inc({ gate: "visitor" }, refused);
  new Gauge({ name: "inside", labelNames: ["gate"], ...of }).set({ gate: "visitor" }, inside);
  const took = new Histogram({ name: "took_seconds", labelNames: ["status"], buckets: [1], ...of });
  for (let count = 0; count < refused; count++) took.observe({ status: "200" }, 0.1);
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())) as Awaited<
    ReturnType<Registry["getMetricsAsJSON"]>
  >;
}

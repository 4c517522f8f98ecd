import pino from "pino";
import { expect, it } from "vitest";
import { doEach } from "./do-each.ts";

it("A row at which something fails holds up no other, and is told in the log by its ids alone", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const rows = [1, 2].map((number) => ({
    id: `row ${number}`,
    email: "asha@example.in",
    incident: { id: `incident ${number}`, title: "Of Asha Rao" },
    dueAt: new Date(),
  }));
  const done: string[] = [];
  await doEach(
    { log, jobs: { mustEnd: () => false } },
    "it failed",
    () => Promise.resolve(rows),
    async ({ id }) => {
      done.push(id);
      throw new Error("no");
    },
  );
  expect(done).toEqual(["row 1", "row 2"]);
  expect(lines.map((line) => (JSON.parse(line) as { row: unknown }).row)).toEqual(
    [1, 2].map((number) => ({ id: `row ${number}`, incident: { id: `incident ${number}` } })),
  );
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobs as declaredJobs } from "../upkeep/jobs.ts";
import { doEach, doEachOfRun } from "./do-each.ts";
import { startJobs } from "./jobs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const start = () => startJobs(server.databaseUrl, declaredJobs, null, server.services.log, server.services.tellOutage);

it("A stop lets work on many rows end after the row at hand, and the next start does the rest", async () => {
  const { log, database } = server.services;
  const rows = Array.from({ length: 99 }, (_, id) => ({ id }));
  const done: Record<string, number[]> = { daily: [], ofRun: [] };
  const after: (number | undefined)[] = [];
  const work = async (milliseconds: number) => {
    const jobs = await start();
    const doRow = (of: string) => async (row: { id: number }) => {
      await sleep(milliseconds);
      done[of]?.push(row.id);
    };
    // What was not done yet, as the rows of all such jobs say.
    const leftOf = (of: string) => () => Promise.resolve(rows.filter(({ id }) => !done[of]?.includes(id)));
    const services = { log, jobs };
    await jobs.work("remind-of-dues", () => doEach(services, "failed", leftOf("daily"), doRow("daily")));
    await jobs.work("renew-contracts", async () => {
      after.push((await doEachOfRun(services, "failed", leftOf("ofRun"), doRow("ofRun")))?.id);
    });
    return jobs;
  };

  const first = await work(150);
  await database.transaction(async (transaction) => {
    await first.add(transaction, "remind-of-dues", {});
    await first.add(transaction, "renew-contracts", {});
  });
  await expect.poll(() => Object.values(done).every((of) => of.length > 0), { timeout: 20_000 }).toBe(true);
  await first.stop();
  for (const of of Object.values(done)) expect(of.length).toBeLessThan(99);
  expect(after).toEqual([done["ofRun"]?.at(-1)]);

  const next = await work(0);
  await expect.poll(() => done["daily"]?.length, { timeout: 20_000 }).toBe(99);
  expect(new Set(done["daily"]).size).toBe(done["daily"]?.length);
  await next.stop();
});

import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobs as declaredJobs } from "../upkeep/jobs.ts";
import { startJobs } from "./jobs.ts";
import { steadyClock } from "./steady-clock.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

it("What the queue noted while the database's clock was ahead does not hold it up once the clock is right", async () => {
  const { database, jobs, log, tellOutage } = server.services;
  const ask = async (text: string) => (await database.$client.query<Record<string, unknown>>(text)).rows;
  await database.transaction(async (transaction) => {
    await jobs.add(transaction, "sweep", {}, { startAfterSeconds: 600 });
    await jobs.add(transaction, "sweep", {});
  });
  const ahead = (...columns: string[]) => columns.map((each) => `${each} = now() + interval '40 days'`).join(", ");
  await ask(`update jobs.version set ${ahead("cron_on", "bam_on")}`);
  await ask(`update jobs.queue set ${ahead("monitor_on", "monitor_claim_on", "maintain_on")}`);
  await ask(`update jobs.job set created_on = created_on + interval '40 days', start_after = start_after + interval '40 days'
    where name = 'sweep'`);
  await ask(`update jobs.job set state = 'active', ${ahead("started_on", "heartbeat_on")}
    where name = 'sweep' and start_after < created_on + interval '1 minute'`);

  const started = await startJobs(server.databaseUrl, declaredJobs, null, log, tellOutage);
  onTestFinished(() => started.stop());
  await expect.poll(() => ask("select cron_on <= now() as is from jobs.version")).toEqual([{ is: true }]);
  expect(
    await ask(`select from jobs.version where bam_on > now() union all
      select from jobs.queue where greatest(monitor_on, monitor_claim_on, maintain_on) > now() union all
      select from jobs.job where greatest(created_on, started_on, heartbeat_on) > now()`),
  ).toEqual([]);
  // One waits for as long as it was to wait.
  expect(
    await ask(`select state, start_after > now() + interval '9 minutes' as waits,
      start_after > now() + interval '10 minutes' as longer from jobs.job where name = 'sweep' and state = 'created'`),
  ).toEqual([{ state: "created", waits: true, longer: false }]);
});

it("The queue's own pace does not change where the machine's clock is set back", () => {
  const before = steadyClock.now();
  expect(Math.abs(before - Date.now())).toBeLessThan(5000);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 40 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(steadyClock.now()).toBeGreaterThanOrEqual(before);
});

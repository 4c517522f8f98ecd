import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobs as declaredJobs } from "../upkeep/jobs.ts";
import { startJobs } from "./jobs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

async function queues() {
  const { rows } = await server.services.database.$client.query<{ name: string; retryLimit: number; changed: string }>(
    `select name, retry_limit as "retryLimit", updated_on::text as changed from jobs.queue where name in ('send-mail', 'sweep')`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

it("A start gives a queue of an earlier version its options, and leaves one alone that has them", async () => {
  const before = await queues();
  await server.services.database.$client.query("update jobs.queue set retry_limit = 3 where name = 'send-mail'");
  const { log, tellOutage } = server.services;
  const jobs = await startJobs(server.databaseUrl, declaredJobs, null, log, tellOutage);
  await jobs.stop();
  const after = await queues();
  expect(after["send-mail"]?.retryLimit).toBe(before["send-mail"]?.retryLimit);
  expect(after["send-mail"]?.changed).not.toBe(before["send-mail"]?.changed);
  expect(after["sweep"]).toEqual(before["sweep"]);
});

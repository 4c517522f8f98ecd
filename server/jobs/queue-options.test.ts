import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { sendSeconds } from "../outside/mail/smtp-transport.ts";
import { jobs as declaredJobs } from "../upkeep/jobs.ts";
import { startJobs } from "./jobs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

interface Queue {
  name: string;
  retryLimit: number;
  expireSeconds: number;
  changed: string;
}
async function queues() {
  const { rows } = await server.services.database.$client.query<Queue>(
    `select name, retry_limit as "retryLimit", expire_seconds as "expireSeconds", updated_on::text as changed from jobs.queue`,
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

it("A job may take as long as its table says, and otherwise a minute", async () => {
  const { "answer-data-request": long, "mail-reset-link": short } = await queues();
  expect([long?.expireSeconds, short?.expireSeconds]).toEqual([900, 60]);
});

it("A mail is given up by its sender before the queue does, and by the queue before its transaction ends", async () => {
  const { "send-mail": queue } = await queues();
  const { rows } = await server.services.database.$client.query<{ seconds: number }>(
    "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int as seconds",
  );
  const expires = queue?.expireSeconds ?? 0;
  expect(sendSeconds).toBeGreaterThan(60);
  expect(expires).toBeGreaterThan(sendSeconds);
  expect(rows[0]?.seconds).toBeGreaterThan(expires);
});

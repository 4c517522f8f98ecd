import { randomBytes } from "node:crypto";
import { isNotNull, isNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { mails } from "../database/schema/index.ts";
import { sendQueuedMails } from "../mail/outbox.ts";

const metricsToken = randomBytes(32).toString("base64url");
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { metricsToken } });
});
afterAll(() => server.stop());

const scrape = (authorization?: string, at = server) =>
  fetch(`${at.url}/metrics`, { headers: { ...(authorization !== undefined && { authorization }) } });
const told = async () => (await scrape(`Bearer ${metricsToken}`)).text();

/** The value of a metric's line, given with its labels. */
async function valueOf(line: string): Promise<number> {
  const found = (await told()).split("\n").find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? Number.NaN);
}

it("/metrics answers in Prometheus's text format to whoever has the token, and 401 to others", async () => {
  const answer = await scrape(`Bearer ${metricsToken}`);
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  for (const wrong of [undefined, "", metricsToken, `Bearer ${metricsToken}x`, `Bearer ${metricsToken.slice(1)}`]) {
    const refused = await scrape(wrong);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await refused.text()).not.toContain("prahari_");
  }
});

it("Without a METRICS_TOKEN there is no such address", async () => {
  const without = await startTestServer({ work: false });
  onTestFinished(() => without.stop());
  expect((await scrape(`Bearer ${metricsToken}`, without)).status).toBe(404);
});

it("Requests are counted by operation and status, and made-up addresses make no lines of their own", async () => {
  const count = (operation: string, status: number) =>
    valueOf(`prahari_http_request_duration_seconds_count{operation="${operation}",status="${status}"}`);
  await server.call("blogs", { startingNode: 0, limit: 3 });
  await server.call("blogs", { startingNode: 0, limit: 3 }, null);
  await server.call("blogs/{idKey}", { idKey: "none" });
  for (let made = 0; made < 20; made++) await fetch(`${server.url}/api/made-up/${made}`);
  expect([
    await count("blogs", 200),
    await count("blogs", 401),
    await count("blogs/{idKey}", 404),
    await count("other API", 404),
  ]).toEqual([1, 1, 1, 20]);
  expect(await told()).not.toContain("made-up");
});

it("What is owed is told: jobs by queue, the oldest of them, and mails", async () => {
  const person = registration();
  await server.call("auth/register", person);
  await server.call("auth/login", { email: person.email, password: person.password });
  await expect.poll(() => valueOf("prahari_mails_unsent")).toBeGreaterThan(0);
  await server.services.database.execute(
    sql`update mails set created_at = created_at - interval '1 hour'; update jobs.job set created_on = created_on - interval '1 hour', start_after = start_after - interval '1 hour'`,
  );
  const age = (line: string) => expect.poll(() => valueOf(line)).toBeGreaterThanOrEqual(3600);
  await age("prahari_oldest_unsent_mail_age_seconds");
  await age("prahari_mail_standstill_seconds");
  await age(`prahari_oldest_job_age_seconds{queue="send-mail"}`);
  await expect.poll(() => valueOf(`prahari_jobs{queue="send-mail",state="waiting"}`)).toBeGreaterThan(0);
  await server.services.database.execute(
    sql`update jobs.job set state = 'failed', completed_on = now() where name = 'send-mail'`,
  );
  await expect.poll(() => valueOf(`prahari_jobs{queue="send-mail",state="failed"}`)).toBeGreaterThan(0);
  await expect.poll(() => valueOf(`prahari_oldest_job_age_seconds{queue="send-mail"}`)).toBe(0);
});

it("A job that is meant for later waits from then on, and one that is tried again from when it was added", async () => {
  const { database, jobs } = server.services;
  await database.transaction((transaction) => jobs.add(transaction, "follow-onboardings", {}));
  const age = () => valueOf(`prahari_oldest_job_age_seconds{queue="follow-onboardings"}`);
  const set = (values: ReturnType<typeof sql>) =>
    database.execute(sql`update jobs.job set ${values} where name = 'follow-onboardings'`);
  await set(sql`created_on = now() - interval '2 days', start_after = now() - interval '1 hour'`);
  await expect.poll(age).toBeGreaterThanOrEqual(3600);
  expect(await age()).toBeLessThan(86_400);
  await set(sql`start_after = now() + interval '1 day'`);
  await expect.poll(age).toBe(0);
  await set(sql`state = 'retry'`);
  await expect.poll(age).toBeGreaterThan(86_400);
});

it("One mail that can't be delivered is no standstill while others go out", async () => {
  const { database } = server.services;
  const waits = sql`insert into mails (event_key, recipient, content, attachments, created_at)
    values ('undeliverable', 'nobody@example.in', '{"template":"none"}', '[]', now() - interval '3 hours')`;
  const goesOut = sql`insert into mails (event_key, recipient, attachments, created_at, sent_at)
    values ('went out', 'a@example.in', '[]', now() - interval '1 minute', now())`;
  await database.execute(waits);
  await expect.poll(() => valueOf("prahari_mail_standstill_seconds")).toBeGreaterThanOrEqual(10_800);
  await database.execute(goesOut);
  await expect.poll(() => valueOf("prahari_mail_standstill_seconds")).toBe(0);
  expect(await valueOf("prahari_oldest_unsent_mail_age_seconds")).toBeGreaterThanOrEqual(10_800);
});

it("Sign-in codes that were tried in vain until they expired are a standstill, until a mail goes out again", async () => {
  const { services, mailbox } = server;
  const { database } = services;
  const person = registration();
  await server.call("auth/register", person);
  await database.execute(sql`update mails set sent_at = now(), content = null where sent_at is null`);
  await mailbox.down();
  await server.call("auth/login", { email: person.email, password: person.password });
  const [code] = await database.select({ id: mails.id }).from(mails).where(isNull(mails.sentAt));
  const tryAgain = () => sendQueuedMails(services, [code?.id ?? ""]);
  expect(await tryAgain()).toEqual([expect.any(Error)]);
  await database.execute(sql`update mails set created_at = created_at - interval '1 hour',
    useless_after = useless_after - interval '1 hour'`);
  expect(await tryAgain()).toEqual([null]);
  await expect.poll(() => valueOf("prahari_mail_standstill_seconds")).toBeGreaterThanOrEqual(3600);
  // Nobody waits for this mail any more.
  expect(await valueOf("prahari_mails_unsent")).toBe(0);
  expect(await valueOf("prahari_oldest_unsent_mail_age_seconds")).toBe(0);
  await mailbox.up();
  await server.call("auth/login", { email: person.email, password: person.password });
  const [next] = await database.select({ id: mails.id }).from(mails).where(isNotNull(mails.content));
  await sendQueuedMails(services, [next?.id ?? ""]);
  await expect.poll(() => valueOf("prahari_mail_standstill_seconds")).toBe(0);
});

it("The gates, the pools, the event loop and the memory are told", async () => {
  const { gates } = server.services;
  const { promise: inside, resolve: leave } = Promise.withResolvers<void>();
  const entered = gates.visitor({ network: "203.0.113.7" }, () => inside);
  expect(await valueOf(`prahari_gate_requests{gate="visitor",state="inside"}`)).toBe(1);
  leave();
  await entered;
  expect(await valueOf(`prahari_gate_refused_total{gate="visitor"}`)).toBe(0);
  expect(await valueOf(`prahari_database_connections{pool="requests",state="idle"}`)).toBeGreaterThan(0);
  expect(await valueOf(`prahari_database_connections{pool="jobs",state="lent"}`)).toBeGreaterThanOrEqual(0);
  expect(await valueOf("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  expect(await valueOf("process_resident_memory_bytes")).toBeGreaterThan(0);
});

it("While the database is away the process still tells of itself", async () => {
  const cut = await startTestServer({ work: false, env: { metricsToken } });
  onTestFinished(() => cut.stop());
  await cut.services.database.$client.end();
  const answer = await scrape(`Bearer ${metricsToken}`, cut);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toMatch(/^prahari_mails_unsent/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
});

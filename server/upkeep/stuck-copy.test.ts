import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { audit } from "../audit/audit.ts";
import { sealEntries } from "../audit/chain.ts";
import { ensureArticles } from "../content/articles.ts";
import { publishDue } from "../content/publish-article.ts";
import { withLockLimit } from "../database/lock-limit.ts";
import { articles, mails } from "../database/schema/index.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import { applyRetention } from "./retention.ts";

/** A copy that took locks and then hangs: it keeps them until PostgreSQL ends its transaction, two minutes later. */
let hanging: Client;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  await ensureArticles(server.services.database);
  hanging = new Client({ connectionString: server.databaseUrl });
  await hanging.connect();
});
afterAll(async () => {
  await hanging.end();
  await server.stop();
});

async function whileHanging(lock: string, work: () => Promise<void>): Promise<void> {
  await hanging.query("begin");
  try {
    await hanging.query(lock);
    await work();
  } finally {
    await hanging.query("rollback");
  }
}

/** The services of a job, with a shorter lock limit. */
const inJob = (): Services => ({ ...server.services, database: withLockLimit(server.services.database, 50) });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  );

it("Sealing is left to the copy that is at it, and made up for afterwards", async () => {
  const { database } = server.services;
  await sealEntries(database);
  await audit(database, null, "sign-in", "session:1");
  await whileHanging("select from audit_chain for update", async () => {
    expect(await sealEntries(database)).toBe(0);
  });
  expect(await sealEntries(database)).toBe(1);
});

it("A job does not wait for what a copy that hangs has locked: it fails as by an outage, and is tried again", async () => {
  const { database } = inJob();
  const [article] = await database.select({ id: articles.id }).from(articles).limit(1);
  const change = () =>
    database.transaction((transaction) =>
      transaction
        .update(articles)
        .set({ author: "A. Rao" })
        .where(eq(articles.id, article?.id ?? "")),
    );
  await whileHanging("select from articles for update", async () => {
    expect(isOutage(await failureOf(change()))).toBe(true);
  });
  await change();
  expect(await database.$count(articles, eq(articles.author, "A. Rao"))).toBe(1);
});

it("Publishing what is due ends at once while a copy that hangs holds the articles", async () => {
  const services = inJob();
  await services.database
    .update(articles)
    .set({ state: "scheduled", publishAt: services.now() })
    .where(sql`${articles.slug} in (select slug from articles order by slug limit 2)`);
  await whileHanging("select pg_advisory_xact_lock(72177260)", async () => {
    expect(isOutage(await failureOf(publishDue(services)))).toBe(true);
  });
  expect(await publishDue(services)).toBe(2);
});

it("What is past its time is deleted but for what a copy that hangs has locked", async () => {
  const services = inJob();
  const old = new Date("2020-01-01");
  const written = ["held", "free"].map((eventKey) => ({
    eventKey,
    recipient: "asha@example.in",
    attachments: [],
    createdAt: old,
  }));
  await services.database.insert(mails).values(written);
  const left = async () => (await services.database.select().from(mails)).map(({ eventKey }) => eventKey);
  await whileHanging("select from mails where event_key = 'held' for update", async () => {
    await applyRetention(services);
    expect(await left()).toEqual(["held"]);
  });
  await applyRetention(services);
  expect(await left()).toEqual([]);
});

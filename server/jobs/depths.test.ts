import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { recordStatements } from "../../tests/record-statements.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

it("The age of the oldest waiting job is read by an index, however many jobs wait", async () => {
  const { database, jobs } = server.services;
  const many = Array.from({ length: 20_000 }, (_, index) => ({ email: `${index}@example.in` }));
  await database.transaction((transaction) => jobs.addAll(transaction, "mail-reset-link", many));
  await database.$client.query("analyze jobs.job");
  const [depths, asked] = await recordStatements(jobs.pool)(() => jobs.depths());
  expect(depths.find(({ queue }) => queue === "mail-reset-link")?.oldestSeconds).toBeGreaterThan(0);
  for (const { text, values } of asked) {
    const { rows } = await database.$client.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).not.toContain("Seq Scan on job");
  }
  expect(asked).not.toEqual([]);
});

it("A job of the lowest priority counts as the oldest of its queue when it has waited longest", async () => {
  const { database, jobs } = server.services;
  await database.transaction(async (transaction) => {
    await jobs.addAll(transaction, "render-proposal", [{ quoteId: randomUUID() }], { turn: "last" });
    await jobs.addAll(transaction, "render-proposal", [{ quoteId: randomUUID() }], { turn: "first" });
  });
  await database.$client.query(
    `update jobs.job set created_on = now() - interval '1 hour', start_after = now() - interval '1 hour'
     where name = 'render-proposal' and priority < 0`,
  );
  const depth = (await jobs.depths()).find(({ queue }) => queue === "render-proposal");
  expect(depth?.oldestSeconds).toBeGreaterThanOrEqual(3600);
});

import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askApi } from "../../tests/ask-api.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { heavyConnections } from "../database/heavy-reads.ts";

let server: TestServer;
let locker: Client;
let admin: Member;
let customer: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  locker = new Client({ connectionString: server.databaseUrl });
  await locker.connect();
  admin = await member(server, "admin");
  customer = await member(server, "user");
  await insertOrder(server, customer);
});
afterAll(async () => {
  await locker.end();
  await server.stop();
});

/** Statements of the product that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const { rows } = await server.services.database.$client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'prahari' and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

it("Overviews and searches that hang hold up no customer, and take no more connections than are theirs", async () => {
  await locker.query("begin; lock table monthly_figures, orders, coverage_figures in access exclusive mode");
  const overviews = Array.from({ length: 14 }, (_, index) =>
    server.call(index % 2 ? "admin/overview" : "admin/service", {}, admin.token),
  );
  const search = { status: "success", search: "zz" } as const;
  const searches = Array.from({ length: 20 }, () =>
    server.call("admin/getPaymentDetailsByStatus", search, admin.token),
  );
  const { heavy, signedIn } = server.services.gates;
  await expect.poll(() => heavy.use()).toMatchObject({ inside: 2, waiting: overviews.length + searches.length - 2 });
  await expect.poll(waitingStatements).toBe(heavyConnections);
  expect(signedIn.use()).toMatchObject({ inside: 0, waiting: 0 });
  const asked = await Promise.all(Array.from({ length: 30 }, () => server.call("user/children", {}, customer.token)));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await waitingStatements()).toBe(heavyConnections);
  await locker.query("rollback");
  const answered = await Promise.all([...overviews, ...searches]);
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));
});

it("A search whose caller has left ends in the database too, and the next one finds a connection", async () => {
  await locker.query("begin; lock table orders in access exclusive mode");
  const leaving = new AbortController();
  const body = { status: "success", search: "zz" };
  const left = fetch(`${server.url}/api/admin/getPaymentDetailsByStatus`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  await expect.poll(waitingStatements).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow("aborted");
  await expect.poll(waitingStatements, { timeout: 1000 }).toBe(0);
  await locker.query("rollback");
  expect((await askApi(server.url, "admin/getPaymentDetailsByStatus", body, admin.token)).status).toBe(200);
  expect(server.log.filter((line) => line.includes("outage"))).toEqual([]);
});

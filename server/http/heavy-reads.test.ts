import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { OperationName } from "../../contract/operations.ts";
import { askApi } from "../../tests/ask-api.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { heavyConnections } from "../database/heavy-reads.ts";

let server: TestServer;
let locker: Client;
let admin: Member;
let partner: Member;
let customer: Member;
/** The length of the log before a test. */
let logged = 0;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  locker = new Client({ connectionString: server.databaseUrl });
  await locker.connect();
  admin = await member(server, "admin");
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId });
  await insertOrder(server, customer);
});
beforeEach(() => {
  logged = server.log.length;
});
afterEach(() => locker.query("rollback"));
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

const outages = () =>
  server.log.slice(logged).flatMap((line) => (line.includes("outage") ? [JSON.parse(line) as object] : []));

/** Each read, its caller, and a table on which it blocks here; the session and My Quotes read none of these tables. */
const reads: [operation: OperationName, input: object, who: () => Member, table: string][] = [
  ["admin/find", { words: "zz" }, () => admin, "contracts"],
  ["partner/find", { words: "zz" }, () => partner, "contracts"],
  ["admin/overview", {}, () => admin, "monthly_figures"],
  ["admin/getPartnerDashboardByEmail", { email: "" }, () => admin, "monthly_figures"],
  ["partner/get-partner-dashboard", {}, () => partner, "monthly_figures"],
  ["admin/service", {}, () => admin, "coverage_figures"],
  ["partner/service", {}, () => partner, "coverage_figures"],
  ["admin/leads/funnel", {}, () => admin, "lead_figures"],
  ["admin/receivables/ageing", {}, () => admin, "owed_figures"],
  ["admin/register", { from: "2031-05-01", to: "2031-05-31", format: "csv" }, () => admin, "credit_notes"],
  ["partner/audit", { search: "zz" }, () => partner, "audit_entries"],
  ["admin/leads", { search: "zz" }, () => admin, "leads"],
  ["partner/contracts", { search: "zz" }, () => partner, "contracts"],
];

it.each(reads)("%s ends in the database when its caller leaves, and no quotes wait for it", async (...row) => {
  const [operation, input, who, table] = row;
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  const leaving = new AbortController();
  const given = "email" in input ? { email: partner.email } : input;
  const left = askApi(server.url, operation, given, who().token, {}, leaving.signal);
  await expect.poll(waitingStatements).toBeGreaterThan(0);
  await quotesAreAnswered();
  leaving.abort();
  await expect(left).rejects.toThrow("aborted");
  await nothingIsLeft();
  await locker.query("rollback");
  expect((await askApi(server.url, operation, given, who().token)).status).toBe(200);
  expect(outages()).toEqual([]);
});

/** My Quotes are answered, and the hanging reads block nobody. */
async function quotesAreAnswered() {
  expect(server.services.gates.signedIn.use()).toMatchObject({ inside: 0, waiting: 0 });
  const { status, body } = await server.call("user/get-estimation", {}, customer.token);
  expect([status, body.estimation]).toMatchObject([200, [{}]]);
}

async function nothingIsLeft() {
  await expect.poll(waitingStatements, { timeout: 2000 }).toBe(0);
  const { heavy, palette } = server.services.gates;
  await expect.poll(() => [heavy.use().inside, palette.use().inside]).toEqual([0, 0]);
}

it("A whole list ends in the database when its caller leaves in its middle, and no quotes wait for it", async () => {
  // More than the connection between server and reader buffers.
  await locker.query(`insert into leads (user_name, user_email, phone, organization, organization_size, message)
    select 'Asha Rao', n || '@example.in', '+919876543210', 'Mills', 10, repeat('More about it. ', 80)
    from generate_series(1, 12000) as n`);
  const leaving = new AbortController();
  const accept = { accept: "application/jsonl" };
  const answer = await askApi(server.url, "admin/leads", {}, admin.token, accept, leaving.signal);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await locker.query("begin; lock table leads in access exclusive mode");
  const readOn = async () => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read());
  };
  const reading = readOn();
  await expect.poll(waitingStatements).toBe(1);
  await quotesAreAnswered();
  leaving.abort();
  await expect(reading).rejects.toThrow("aborted");
  await nothingIsLeft();
});

it("A search in the palette does not wait behind others' searches", async () => {
  await locker.query("begin; lock table audit_entries in access exclusive mode");
  const searches = Array.from({ length: 20 }, () => server.call("admin/audit", { search: "zz" }, admin.token));
  await expect.poll(waitingStatements).toBe(2);
  const typed = Array.from({ length: 6 }, () => server.call("admin/find", { words: "zz" }, admin.token));
  expect(new Set((await Promise.all(typed)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(server.services.gates.heavy.use()).toMatchObject({ inside: 2, waiting: searches.length - 2 });
  await locker.query("rollback");
  expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]));
});

it("PostgreSQL ends a read that takes too long, and the caller gets a sentence that says so", async () => {
  await locker.query("begin; lock table owed_figures in access exclusive mode");
  const { status, headers, body } = await server.call("admin/receivables/ageing", {}, admin.token);
  expect(await waitingStatements()).toBe(0);
  expect([status, body.error, headers.get("retry-after")]).toEqual([
    503,
    "The service is busy. Please try again in a moment.",
    "2",
  ]);
  expect(outages()).toMatchObject([{ code: "57014", where: "/api/admin/receivables/ageing" }]);
});

it("A caller with many open calls leaves places in the queue to others, and keeps no administrator out", async () => {
  const { signedIn } = server.services.gates;
  const stranger = await member(server, "user");
  const before = signedIn.use().refused;
  await locker.query("begin; lock table quotes in access exclusive mode");
  const flood = Array.from({ length: 100 }, () => server.call("user/get-estimation", {}, stranger.token));
  await expect.poll(() => signedIn.use()).toMatchObject({ inside: 10, waiting: 60 });
  expect((await server.call("admin/announcements", {}, admin.token)).status).toBe(200);
  await expect.poll(() => signedIn.use().refused - before).toBeGreaterThanOrEqual(30);
  await locker.query("rollback");
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200, 503]));
});

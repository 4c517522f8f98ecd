import { eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { roles } from "../../contract/roles.ts";
import { signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import {
  customerTools,
  invoices,
  mails,
  onboardingItems,
  onboardings,
  orders,
  organisations,
  people,
  quotes,
  rateLimits,
} from "../database/schema/index.ts";
import { applyRetention } from "../upkeep/retention.ts";
import { pollEngine } from "../engines/poll.ts";
import { seedDemo } from "./seed.ts";
import { demoSignIns } from "./accounts.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await Promise.all(Array.from({ length: 3 }, () => seedDemo(server.services)));
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const demoToken = (role: (typeof roles)[number]) => {
  const { email, password } = demoSignIns.find((each) => each.role === role) ?? { email: "", password: "" };
  return signIn(server, email, password);
};

it("Copies that start at once fill the demo once, and later starts leave it alone", async () => {
  const { database } = server.services;
  const counts = () =>
    Promise.all([people, organisations, quotes, customerTools].map((table) => database.$count(table)));
  const filled = await counts();
  expect(filled).toEqual([17 + roles.length, 17, 29, 9]);
  await seedDemo(server.services);
  expect(await counts()).toEqual(filled);
});

it.each(roles)("The %s of the demo signs in with the password and the mailed code", async (role) => {
  const { body } = await server.call("user/me", {}, await demoToken(role));
  expect(body.user).toMatchObject({ role, organizationName: expect.stringContaining("Sample") });
});

it("No onboarding was done at a time that is still to come", async () => {
  const { database, now } = server.services;
  const [done, items] = await Promise.all([
    database.select().from(onboardings),
    database.select().from(onboardingItems),
  ]);
  const times = [
    ...done.flatMap(({ doneAt, timeZoneSetAt }) => [doneAt, timeZoneSetAt]),
    ...items.map(({ tickedAt }) => tickedAt),
  ];
  expect(times.filter((time) => time && time > now())).toEqual([]);
});

it("The customer finds a quote whose rates wait, one to buy, an expired and a bought one, each with its proposal, and no mail went out for them", async () => {
  const token = await demoToken("user");
  const list = async () => (await server.call("user/get-estimation", {}, token)).body.estimation;
  await expect.poll(async () => (await list()).every(({ pdf_url: file }) => file !== null)).toBe(true);
  const listed = await list();
  expect(listed.map(({ state }) => state)).toEqual(["rates_to_confirm", "open", "expired", "bought"]);
  for (const { pdf_url: file, message } of listed) {
    expect(message).toMatch(/^Sample: /);
    expect((await readPdf(await server.services.files.read(String(file)))).text).toContain("SAMPLE rates");
  }
  expect(server.mailbox.mails.filter(({ subject }) => /proposal|receipt|invoice/i.test(subject ?? ""))).toEqual([]);
  const unsent = await server.services.database.select().from(mails).where(isNull(mails.sentAt));
  expect(unsent.filter(({ eventKey }) => !eventKey.startsWith("sign-in-code"))).toMatchObject([
    { eventKey: "invite:sample", content: null, lastError: expect.stringContaining("Sample") },
  ]);
});

it("The customer's paid order shows that a first try failed", async () => {
  const { body } = await server.call("user/get-payment-by-email", {}, await demoToken("user"));
  expect(body.paymentDetails.map(({ tries }) => tries)).toMatchObject([
    [
      { state: "success", started_by: "Asha Rao" },
      { state: "failure", reason: "Sample: the bank declined the card." },
    ],
  ]);
});

it("The customer's SIEM and SOAR are switched on", async () => {
  const { body } = await server.call("user/get-users-dashboard-url", {}, await demoToken("user"));
  expect(body.map(({ url }) => new URL(url).hostname)).toEqual(["siem.demo.example", "soar.demo.example"]);
});

it("What is paid says that it is a sample, and its invoices are numbered by the calendar without gaps", async () => {
  const rows = await server.services.database
    .select()
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .orderBy(orders.paidAt);
  const paid = rows.filter((row) => row.orders.state === "success");
  expect(paid).toHaveLength(15);
  for (const { orders: order } of paid) {
    expect(order.paymentId).toMatch(/^SAMPLE/);
    expect(order.billTo.organizationName).toMatch(/^Sample /);
  }
  const numbers = rows
    .flatMap(({ invoices: invoice }) => invoice ?? [])
    .toSorted((one, other) => one.issuedAt.getTime() - other.issuedAt.getTime())
    .map(({ number }) => number);
  const years = [...new Set(numbers.map((number) => number.slice(4, 9)))];
  const expected = years.flatMap((year) =>
    numbers
      .filter((number) => number.includes(year))
      .map((_, index) => `SOC/${year}/${String(index + 1).padStart(6, "0")}`),
  );
  expect(numbers).toEqual(expected);
  const unpaid = rows.filter((row) => !row.invoices).map((row) => row.orders.state);
  expect(unpaid.toSorted()).toEqual(["awaiting_transfer", "failure", "pending", "review"]);
});

it("Every screen of the administrator has something to show", async () => {
  const { body } = await server.call("admin/overview", {}, await demoToken("admin"));
  expect(body.totals).toMatchObject({ customers: 14, partners: 2, orders: 15, leads: 29 });
  expect(body.months.filter(({ orders: paid }) => paid > 0).length).toBeGreaterThan(8);
  expect(body.customersWithoutDashboards.total).toBe(5);
  const waiting = Object.fromEntries(body.actions.map(({ queue, total }) => [queue, total]));
  expect(waiting).toEqual({
    payments: 1,
    refunds: 0,
    writeOffs: 0,
    mails: 1,
    proposals: 0,
    invoices: 0,
    eInvoices: 0,
    engines: 0,
    dashboards: expect.any(Number),
  });
  expect(waiting["dashboards"]).toBeGreaterThan(0);
  const differing = await server.call("admin/reconcile", {}, await demoToken("admin"));
  expect(differing.body.findings).toMatchObject([
    { kind: "unknown transfer" },
    { kind: "amount differs", who: expect.stringMatching(/^Sample/) },
  ]);
});

it("Receivables have an invoice that is overdue, one that is not, a proforma, a certificate to come and a transfer without a match", async () => {
  const token = await demoToken("admin");
  const { body } = await server.call("admin/receivables/ageing", {}, token);
  const nothing = Object.keys(body).filter((column) => body[column as keyof typeof body] === "0.00");
  expect(nothing).toEqual(["days_31_60", "days_61_90", "over_90"]);
  expect(body.credits).toBe("1.00");
  const unmatched = await server.call("admin/transfers", { open: "true" }, token);
  expect(unmatched.body.transfers).toMatchObject([{ payer: "SAMPLE PAYER" }]);
});

it("The leads have every state, and a duplicate to join", async () => {
  const token = await demoToken("admin");
  const { body } = await server.call("admin/leads", { limit: 100 }, token);
  expect(body.total).toBe(33);
  expect(new Set(body.leads.map(({ state }) => state)).size).toBe(7);
  const dairy = body.leads.find((lead) => lead.organization_name === "Sample Dairy");
  const { body: details } = await server.call("admin/leads/lead", { id: dairy?.id ?? "" }, token);
  expect(details.duplicates).toMatchObject([{ because: ["e-mail"] }]);
});

it("The partner has six customers; those without a partner show none", async () => {
  const { body } = await server.call("partner/users", {}, await demoToken("partner"));
  expect(body.total).toBe(6);
  const all = await server.call("admin/getUserByAdmin", { role: "user" }, await demoToken("admin"));
  expect(all.body.users.filter((each) => each.partner_organization_name === null)).toHaveLength(6);
  expect(all.body.users.every((each) => each.organization_name.startsWith("Sample "))).toBe(true);
});

it("Nothing of the demo is past its time when it is made, and no customer or partner of it a year later", async () => {
  const { database } = server.services;
  const counts = () => Promise.all([people, organisations, quotes, orders].map((table) => database.$count(table)));
  const filled = await counts();
  await applyRetention(server.services);
  expect(await counts()).toEqual(filled);
  const yearLater = () => new Date(Date.now() + 366 * 24 * 3_600_000);
  await applyRetention({ ...server.services, now: yearLater });
  expect(await database.$count(organisations)).toBe(filled[1]);
});

it("The sample customer has an engine of each kind, and each answers", async () => {
  const token = await demoToken("admin");
  const engines = async () => (await server.call("admin/engines", { email: "asha@demo.example" }, token)).body.engines;
  for (const { id } of await engines()) await pollEngine(server.services, id);
  expect((await engines()).map(({ kind, state, devices }) => [kind, state, devices])).toEqual([
    ["wazuh4", "ok", 40],
    ["wazuh5", "ok", 40],
    ["iris", "ok", 0],
    ["thehive", "ok", 0],
    ["opensearch", "ok", 0],
    ["shuffle", "ok", 0],
  ]);
  const customer = await demoToken("user");
  const { lines, notContracted, unmatched } = (await server.call("user/coverage", {}, customer)).body;
  expect(lines.map(({ deviceType, connected, silent, missing }) => [deviceType, connected, silent, missing])).toEqual([
    ["Firewall", 2, 2, 0],
    ["Workstation", 22, 1, 6],
    ["Prod Server", 6, 0, 0],
  ]);
  expect([notContracted, unmatched]).toEqual([2, 4]);
  const { days } = (await server.call("user/coverage/days", {}, customer)).body;
  expect(days.filter(({ contracted }) => contracted === null)).toHaveLength(2);
});

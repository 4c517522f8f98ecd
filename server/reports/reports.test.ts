import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractNumber } from "../../contract/numbers.ts";
import { contractYear, daysAfter } from "../../contract/proration.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { contracts, customerTools, mails, organisations, quotes } from "../database/schema/index.ts";
import { lastMonths } from "./months.ts";

let server: TestServer;
let admin: Member;
let partner: Member;
let customer: Member;
const thisMonth = lastMonths(new Date())[11];
const monthBefore = lastMonths(new Date())[10];
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId });
  const older = await member(server, "user", { partnerId: partner.organisationId });
  const { database } = server.services;
  await database
    .update(organisations)
    .set({ createdAt: new Date("2024-01-01T00:00:00Z") })
    .where(eq(organisations.id, older.organisationId));
  await database.insert(customerTools).values({ organisationId: older.organisationId });
  await insertOrder(server, customer, { amountPaise: 1_00 });
  // One minute before the midnight in India with which this month began.
  const lastMinute = new Date((thisMonth?.start.getTime() ?? 0) - 60_000);
  await insertOrder(server, older, { amountPaise: 20_50, paidAt: lastMinute });
  await insertOrder(server, older, { amountPaise: 300_00, paidAt: new Date("2024-02-01T00:00:00Z") });
  await insertOrder(server, older, { amountPaise: 4000_00, state: "refunded", paidAt: new Date() });
  await insertOrder(server, older, { amountPaise: 5000_00, state: "review", reviewReason: "Paid twice." });
  await insertOrder(server, await member(server, "user"), { amountPaise: 60_000_00 });
});
afterAll(() => server.stop());

describe("The dashboard of a partner", () => {
  const expected = {
    totalUsers: 2,
    totalOrders: 3,
    totalOrderValue: "321.50",
    usersThisMonth: 1,
    ordersThisMonth: 1,
    orderValueThisMonth: "1.00",
  };
  it("counts its own customers and their paid orders, in all, this month and by month in India", async () => {
    const child = await member(server, "partnerChild", { organisationId: partner.organisationId });
    for (const { token } of [partner, child]) {
      const { status, body } = await server.call("partner/get-partner-dashboard", {}, token);
      expect(status).toBe(200);
      expect(body).toMatchObject(expected);
      expect(body.months.map(({ month }) => month)).toEqual(lastMonths(new Date()).map(({ name }) => name));
      expect(body.months.slice(10)).toEqual([
        { month: monthBefore?.name, orders: 1, value: "20.50" },
        { month: thisMonth?.name, orders: 1, value: "1.00" },
      ]);
    }
  });
  it("is empty for another partner", async () => {
    const { body } = await server.call("partner/get-partner-dashboard", {}, (await member(server, "partner")).token);
    expect(body).toMatchObject({ totalUsers: 0, totalOrders: 0, totalOrderValue: "0.00", orderValueThisMonth: "0.00" });
  });
  it("is shown to administrators by the partner's e-mail; a customer's or unknown one is not found", async () => {
    const shown = await server.call("admin/getPartnerDashboardByEmail", { email: partner.email }, admin.token);
    expect([shown.status, shown.body]).toEqual([200, expect.objectContaining(expected)]);
    for (const email of [customer.email, "nobody@example.in"])
      expect((await server.call("admin/getPartnerDashboardByEmail", { email }, admin.token)).status).toBe(404);
  });
});

/** The newest quote of all, which renews a contract. */
async function insertRenewal(): Promise<void> {
  const [contract] = await server.services.database.select().from(contracts).limit(1);
  if (!contract) throw new Error("There is no contract");
  const { from, to, days } = contractYear(daysAfter(contract.endsOn, 1));
  const contractIs = { kind: "renew" as const, contractNumber: contractNumber(contract.serial), from, to };
  const term = { ...contractIs, days, daysOfYear: days, discountBasisPoints: 0 };
  await insertQuote(server, customer, { contractId: contract.id, term, organizationName: "Renewed" });
}

describe("The overview", () => {
  it("tells an administrator how business goes and what needs a look", async () => {
    const visitor = await insertQuote(server, null, { organizationName: "Newest Lead" });
    const lines = [{ ...visitor.lines[0], subjectToConfirmation: true }] as typeof visitor.lines;
    const { database } = server.services;
    await database.update(quotes).set({ lines }).where(eq(quotes.id, visitor.id));
    const noted = { attachments: [], content: null, recipient: "asha@example.in" };
    await database.insert(mails).values([
      { ...noted, eventKey: "proposal:1", about: "Proposal", tries: 3, lastError: "connection refused" },
      { ...noted, eventKey: "invite:2", tries: 4, lastError: null, sentAt: new Date() },
      { ...noted, eventKey: "invite:3" },
    ]);
    await insertRenewal();
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { status, body } = await server.call("admin/overview", {}, child.token);
    expect(status).toBe(200);
    expect(body.totals).toEqual({
      customers: 3,
      partners: expect.any(Number),
      orders: 4,
      revenue: "60321.50",
      leads: 7,
      converted: 4,
    });
    expect(body.months).toHaveLength(12);
    expect(body.months[11]).toEqual({ month: thisMonth?.name, revenue: "60001.00", orders: 2, leads: 7, converted: 4 });
    expect(body.months[10]).toMatchObject({ month: monthBefore?.name, revenue: "20.50", orders: 1, leads: 0 });
    expect(body.latestLeads).toHaveLength(5);
    expect(body.latestLeads[0]).toMatchObject({ id: visitor.id, organization_name: "Newest Lead" });
    expect(body.quotesToConfirm).toMatchObject({ quotes: [{ id: visitor.id, state: "rates_to_confirm" }], total: 1 });
    expect(body.customersWithoutDashboards.total).toBe(2);
    expect(body.customersWithoutDashboards.customers.map(({ email }) => email)).toContain(customer.email);
    expect(body.actions).toMatchObject([
      { queue: "payments", items: [{ problem: "Paid twice." }], total: 1 },
      { queue: "refunds", total: 0 },
      { queue: "writeOffs", total: 0 },
      {
        queue: "mails",
        items: [{ who: "asha@example.in", about: "Proposal", problem: "connection refused" }],
        total: 1,
      },
      { queue: "proposals", total: 0 },
      { queue: "invoices", total: 0 },
      { queue: "eInvoices", total: 0 },
      { queue: "engines", total: 0 },
      { queue: "dashboards", total: 2 },
    ]);
  });
  it("is for nobody else", async () => {
    for (const { token } of [partner, customer])
      expect((await server.call("admin/overview", {}, token)).status).toBe(403);
  });
});

it.each([
  ["2026-01-31T18:29:59Z", "2025-02", "2026-01"],
  ["2026-01-31T18:30:00Z", "2025-03", "2026-02"],
  ["2026-12-31T20:00:00Z", "2026-02", "2027-01"],
])("At %s the twelve months go from %s to %s", (instant, first, last) => {
  const months = lastMonths(new Date(instant));
  expect([months.length, months[0]?.name, months[11]?.name]).toEqual([12, first, last]);
});

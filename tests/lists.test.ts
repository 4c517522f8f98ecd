import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actionList } from "../contract/actions.ts";
import { announcementList } from "../contract/announcements.ts";
import { auditList } from "../contract/audit-log.ts";
import { contractList } from "../contract/contracts.ts";
import { later } from "../contract/durations.ts";
import { findingList as becameList } from "../contract/incident-findings.ts";
import { incidentList } from "../contract/incidents.ts";
import { coveredDeviceList, customerCoverageList } from "../contract/coverage.ts";
import { engineList } from "../contract/engines.ts";
import { dataRequestList } from "../contract/data-requests.ts";
import { logSourceList } from "../contract/log-sources.ts";
import { tileList } from "../contract/tiles.ts";
import { leadList } from "../contract/lead-list.ts";
import { noticeList } from "../contract/notices.ts";
import { orderList } from "../contract/orders.ts";
import { certificateList, receivableList, transferList } from "../contract/receivables.ts";
import { findingList } from "../contract/reconcile.ts";
import { serviceReportList } from "../contract/service-reports.ts";
import { customerServiceList } from "../contract/service-view.ts";
import { childList, personList } from "../contract/people.ts";
import { postList } from "../contract/posts.ts";
import { quoteList } from "../contract/quotes.ts";
import {
  actionItems,
  engineBindings,
  engineFindings,
  findings,
  incidents,
  coverageFigures,
  deviceDecisions,
  engineDevices,
  leads,
  ledgerEntries,
  notices,
  taxDeductions,
  transfers,
} from "../server/database/schema/index.ts";
import { invitationList, memberList } from "../contract/staff-people.ts";
import { closeMonth } from "../server/service-reports/close-month.ts";
import { keepReport } from "../server/service-reports/make-reports.ts";
import { monthOf } from "../server/service-reports/month-of.ts";
import { article } from "./articles.ts";
import { announcement } from "./factories.ts";
import { startTestServer, type TestServer } from "./harness.ts";
import { insertOrder, insertQuote } from "./paid-order.ts";
import { member, type Member, organisation } from "./people.ts";

type Row = Record<string, string | number | null>;
interface Query {
  sort?: string;
  search?: string;
}

/** No two columns sort these names in the same order, so that a sort by the wrong column shows. */
const names = [
  { firstName: "Bina", lastName: "Rao", email: "zeta@example.in", phone: "+919000000002", company: "Cauvery" },
  { firstName: "Anil", lastName: "Das", email: "mira@example.in", phone: "+919000000003", company: "Narmada" },
  { firstName: "Chitra", lastName: "Sen", email: "anna@example.in", phone: "+919000000001", company: "Betwa" },
];

let server: TestServer;
let admin: Member;
let partner: Member;
let customer: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  partner = await member(server, "partner", { organizationName: "Malabar" });
  for (const [index, { company, ...person }] of names.entries()) {
    const partnerId = index === 1 ? undefined : partner.organisationId;
    const made = await member(server, "user", {
      ...person,
      organizationName: company,
      ...(partnerId && { partnerId }),
    });
    if (index === 0) customer = made;
    const paymentId = ["beta", "gamma", "alpha"][index];
    const amountPaise = [300_00, 100_50, 200_00][index];
    const paid = { state: "success", paidAt: dayOf(index), amountPaise, paymentId } as const;
    const order = await insertOrder(server, made, paid);
    const owed = {
      orderId: order.id,
      kind: "invoice",
      eventId: randomUUID(),
      about: "Invoice",
      at: dayOf(index),
    } as const;
    const dueOn = ["2026-11-02", "2026-11-01", "2026-11-03"][index];
    await server.services.database.insert(ledgerEntries).values({ ...owed, amountPaise: amountPaise ?? 0, dueOn });
    await insertMoney(order, company, index);
    const { firstName: userName, email: userEmail, phone: phoneNumber } = person;
    const about = { userName, userEmail, phoneNumber, organizationName: company };
    const figures = { numberOfUsers: [30, 10, 20][index], message: `message ${index}`, createdAt: dayOf(index) };
    await insertQuote(server, null, { ...about, ...figures });
    await server.call("user/create-child-user", childOf(index), customer.token);
    const request = { id: randomUUID(), kind: "export", email: person.email } as const;
    await server.call("admin/people/request-data", request, admin.token);
    await server.call("admin/posts/add", articleOf(index), admin.token);
  }
  for (const [index, { company, email }] of names.entries()) {
    const about = ["receipt", "invite", "welcome"][index] ?? "";
    const told = { about, who: email, problem: `Greylisted ${index}`, resolution: `Told ${company}` };
    const times = { since: dayOf(index), closedAt: dayOf((index + 1) % 3) };
    const subjectId = customer.id.replace(/.$/, String(index));
    await server.services.database.insert(actionItems).values({ queue: "mails", subjectId, ...told, ...times });
    const { problem: says, resolution } = told;
    const differs = { kind: "unknown payment", key: about, about, who: company, says, resolution } as const;
    await server.services.database
      .insert(findings)
      .values({ ...differs, foundAt: dayOf(index), resolvedAt: times.closedAt });
  }
  await fillIncidents();
  for (const [index, title] of ["Maintenance", "Holidays", "New office"].entries()) {
    const shown_from = new Date(Date.now() + (index + 1) * 3_600_000).toISOString();
    const shown_until = new Date(Date.now() + 86_400_000).toISOString();
    const about = announcement({ title, text: `Text ${index}`, shown_from, shown_until });
    await server.call("admin/announcements/add", { ...about, id: randomUUID() }, admin.token);
    const told = { kind: "announcement", eventKey: title, title, text: `Text ${index}`, link: "" };
    await server.services.database.insert(notices).values({ ...told, personId: customer.id, createdAt: dayOf(index) });
  }
  for (const [index, { company }] of names.entries()) await insertCoverage(company, index);
  for (const source of logSources) await server.call("admin/log-sources/add", source, admin.token);
  for (const tile of tiles) await server.call("admin/tiles/add", tile, admin.token);
  await server.services.database.update(leads).set({
    nextStep: "Call",
    nextStepOn: sql`date '2026-12-01' + (${leads.serial} * 7 % 11)::int`,
  });
});
afterAll(() => server.stop());

/** A transfer for an order, and tax that was deducted from it. */
async function insertMoney(
  { id: orderId, amountPaise }: { id: string; amountPaise: number },
  payer: string,
  index: number,
) {
  const { database } = server.services;
  const utr = ["TESTNBETA", "TESTNZETA", "TESTNANNA"][index] ?? "";
  const receivedOn = ["2026-01-02", "2026-01-01", "2026-01-03"][index] ?? "";
  const came = { utr, payer, receivedOn, narration: `NEFT ${index}`, amountPaise };
  await database.insert(transfers).values({ ...came, state: "seen", orderId });
  const certificate = { certificateNumber: `CERT${index}`, quarter: `2025-26 Q${index + 1}` };
  // The uploaded certificate is the oldest claim, yet has to come before the others.
  const state = index === 0 ? "uploaded" : "awaited";
  const claimedAt = new Date(["2025-04-15", "2025-07-15", "2025-10-15"][index] ?? "");
  await database
    .insert(taxDeductions)
    .values({ ...certificate, orderId, section: "194J", basisPoints: 1000, amountPaise, state, claimedAt });
}

/** A customer whose figures differ from the next one's, and a device of the asking customer. */
async function insertCoverage(company: string, index: number) {
  const { database, now } = server.services;
  const home = await organisation(server, "user", company);
  const held = { countedAt: now(), nextCountAt: later(now(), { minutes: 50 }), lines: [], additions: [] };
  const counts = {
    contracted: 10,
    silent: 0,
    neverConnected: 0,
    unknown: 0,
    missing: 0,
    notContracted: 0,
    unmatched: 0,
  };
  const share = [3000, 1000, 2000][index] ?? 0;
  await database.insert(coverageFigures).values({ organisationId: home, ...held, ...counts, connected: index, share });
  const month = monthOf(2026, [3, 1, 2][index] ?? 0, "Asia/Kolkata");
  await database.transaction(async (transaction) => {
    const closed = await closeMonth(transaction, { id: home, name: company, partner: null }, month);
    await keepReport(server.services, transaction, home, month, closed);
  });
  const own = { kind: "iris" as const, address: `https://iris-${index}.example.in`, nextPollAt: now() };
  await database
    .insert(engineBindings)
    .values({ organisationId: home, ...own, ...(index === 1 && { troubledSince: now(), trouble: "It is down." }) });
  const { organisationId } = customer;
  const [binding] = await database
    .insert(engineBindings)
    .values({ organisationId, kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: now() })
    .returning();
  const about = { name: company, address: `10.0.0.${index}` };
  await database.insert(engineDevices).values({
    ...about,
    bindingId: binding?.id ?? "",
    organisationId,
    externalId: company,
    identity: company,
    groups: [],
    state: "active",
  });
  const deviceType = ["Prod Server", "Firewall", "Workstation"][index] ?? "";
  const type = { service: "Server", deviceType };
  await database.insert(deviceDecisions).values({ organisationId, identity: company, ...type, decidedAt: now() });
}

const logSources = [
  { product: "Narmada Mail", category: "Storage", label: "ALPHA_MAIL", format: "JSON" },
  { product: "betwa Door", category: "Doors", label: "ZETA_DOOR", format: "SYSLOG" },
  { product: "Cauvery Gate", category: "Mail", label: "MIRA_GATE", format: "CEF" },
];
const tiles = logSources.map(({ product, category }, index) => ({
  email: null,
  title: product,
  text: category,
  icon: "report" as const,
  url: `https://${["mira", "anna", "zeta"][index]}.example.in/`,
  place: [30, 10, 20][index] ?? 0,
  shown: true,
}));
// Findings are listed by the day of their arrival, and this file may run over midnight.
const dayOfArrival = "2026-03-02";
/** Here severities sort as their letters do, except the unknown one. */
async function fillIncidents() {
  const { database, now } = server.services;
  const [binding] = await database
    .insert(engineBindings)
    .values({
      organisationId: customer.organisationId,
      kind: "wazuh4",
      address: "https://e.example.in",
      nextPollAt: now(),
    })
    .returning();
  for (const index of names.keys()) {
    const owner = await member(server, "user", { organizationName: ["Tapti", "Beas", "Kosi"][index] });
    const title = ["Beacon", "Sign-in", "Malware"][index] ?? "";
    const severity = (["P2", "P3", "P1"] as const)[index] ?? "P1";
    const times = { openedAt: dayOf(index), changedAt: dayOf((index + 1) % 3) };
    await database.insert(incidents).values({
      organisationId: owner.organisationId,
      title,
      source: "analyst",
      severity,
      rank: ["P1", "P2", "P3"].indexOf(severity),
      ...times,
    });
    const received = new Date(Date.parse(`${dayOfArrival}T12:00Z`) + index * 1000);
    await database.insert(engineFindings).values({
      bindingId: binding?.id ?? "",
      organisationId: customer.organisationId,
      externalId: String(index),
      title,
      severity: "low",
      rawSeverity: "3",
      state: "open",
      at: received,
      attack: [],
      createdAt: received,
    });
  }
}
// Recent, so that what was bought then is under contract now.
const firstDay = Math.floor(Date.now() / 86_400_000) - 50;
const dayOf = (index: number) => new Date((firstDay + ([2, 3, 1][index] ?? 0)) * 86_400_000);
const childOf = (index: number) => {
  const { firstName = "", lastName = "", email = "", phone = "" } = names[index] ?? {};
  return { firstName, lastName, email: `child-${email}`, phoneNo: phone };
};

const articleOf = (index: number) => {
  const title = ["Beta", "gamma", "Alpha"][index];
  return article({ title, slug: ["zeta", "mira", "anna"][index], author: names[index]?.firstName });
};

// The loop takes names that are only known at run time, so each call is typed loosely.
const lists = [
  ["orders", orderList, (query: Query) => ask("admin/getPaymentDetailsByStatus", query, admin)],
  ["quotes", quoteList, (query: Query) => ask("admin/getEstimationByAdmin", query, admin)],
  ["coverage", customerCoverageList, (query: Query) => ask("admin/coverage/customers", query, admin)],
  ["engines", engineList, (query: Query) => ask("admin/engines/all", query, admin)],
  ["devices", coveredDeviceList, (query: Query) => ask("user/coverage/devices", query, customer)],
  ["reports of months", serviceReportList, (query: Query) => ask("admin/reports", query, admin)],
  ["service", customerServiceList, (query: Query) => ask("admin/service", query, admin)],
  ["contracts", contractList, (query: Query) => ask("admin/contracts", query, admin)],
  ["customers", personList, (query: Query) => ask("admin/getUserByAdmin", { ...query, role: "user" }, admin)],
  ["actions", actionList, (query: Query) => ask("admin/actions", { ...query, queue: "mails", state: "closed" }, admin)],
  ["audit entries", auditList, (query: Query) => ask("admin/audit", query, admin)],
  ["announcements", announcementList, (query: Query) => ask("admin/announcements", query, admin)],
  ["notices", noticeList, (query: Query) => ask("notices", query, customer)],
  ["leads", leadList, (query: Query) => ask("admin/leads", query, admin)],
  ["people", memberList, (query: Query) => ask("admin/people", { ...query, email: customer.email }, admin)],
  ["invitations", invitationList, (query: Query) => ask("admin/people/invitations", query, admin)],
  ["data requests", dataRequestList, (query: Query) => ask("admin/people/data-requests", query, admin)],
  ["log sources", logSourceList, (query: Query) => ask("admin/log-sources", query, admin)],
  ["tiles", tileList, (query: Query) => ask("admin/tiles", query, admin)],
  ["articles", postList, (query: Query) => ask("admin/posts", query, admin)],
  ["receivables", receivableList, (query: Query) => ask("admin/receivables", query, admin)],
  ["transfers", transferList, (query: Query) => ask("admin/transfers", query, admin)],
  [
    "transfers without a match",
    transferList,
    (query: Query) => ask("admin/transfers", { ...query, open: "true" }, admin),
  ],
  ["certificates", certificateList, (query: Query) => ask("admin/certificates", query, admin)],
  ["incidents", incidentList, (query: Query) => ask("admin/incidents", query, admin)],
  [
    "what became of findings",
    becameList,
    (query: Query) => ask("user/findings", { ...query, day: dayOfArrival }, customer),
  ],
  ["findings", findingList, (query: Query) => ask("admin/reconcile", { ...query, state: "resolved" }, admin)],
  ["child users", childList, (query: Query) => ask("user/children", query, customer)],
] as const;

async function ask(name: Parameters<TestServer["send"]>[0], query: object, { token }: Member): Promise<Row[]> {
  const { status, body } = await server.send(name, query, token);
  expect([status, body.fields]).toEqual([200, undefined]);
  return Object.values(body as object).find((part): part is Row[] => Array.isArray(part)) ?? [];
}

describe.each(lists)("The list of %s", (_name, { fieldsOfSort, searched }, list) => {
  it.each(Object.entries(fieldsOfSort))("goes by %s up and down", async (sort, fields) => {
    const values = (rows: Row[]) => rows.map((row) => valueOf(row, fields));
    const sorted = values(await list({})).toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    expect(sorted.length).toBeGreaterThan(2);
    expect(values(await list({ sort }))).toEqual(sorted);
    expect(values(await list({ sort: `-${sort}` }))).toEqual(sorted.toReversed());
  });

  it.each(searched)("is searched by %s", async (field) => {
    for (const row of await list({})) {
      const value = row[field] ?? null;
      if (value === null) continue;
      const found = await list({ search: String(value) });
      expect(found.map(({ id }) => id)).toContain(row.id);
    }
  });
});

/** A row's sort value: a number where its fields hold one, otherwise lower-cased text. */
function valueOf(row: Row, fields: readonly string[]): number | string {
  const text = fields.map((field) => row[field] ?? "").join(" ");
  return /^[\d.]+$/.test(text) ? Number(text) : text.toLowerCase();
}

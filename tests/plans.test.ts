import { Client, escapeLiteral } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actionList } from "../contract/actions.ts";
import { type LeadFilters, leadList } from "../contract/lead-list.ts";
import { logSourceList } from "../contract/log-sources.ts";
import { noticeList } from "../contract/notices.ts";
import { tileList } from "../contract/tiles.ts";
import { listAllLogSources } from "../server/content/edit-log-sources.ts";
import { findTiles, listTiles } from "../server/tools/tiles.ts";
import { listNotices, readNews } from "../server/notices/queries.ts";
import { findForCustomer, findForPartner, findForProvider } from "../server/palette/find.ts";
import { contractList } from "../contract/contracts.ts";
import { coveredDeviceList, customerCoverageList } from "../contract/coverage.ts";
import { customerServiceList } from "../contract/service-view.ts";
import { findingList as becameList } from "../contract/incident-findings.ts";
import { incidentList } from "../contract/incidents.ts";
import { dataRequestList } from "../contract/data-requests.ts";
import { orderList } from "../contract/orders.ts";
import { certificateList, receivableList, transferList } from "../contract/receivables.ts";
import { findingList } from "../contract/reconcile.ts";
import { auditList } from "../contract/audit-log.ts";
import { personList } from "../contract/people.ts";
import { postList } from "../contract/posts.ts";
import { quoteList } from "../contract/quotes.ts";
import { invitationList } from "../contract/staff-people.ts";
import { findOrganisationOf } from "../server/access/reach.ts";
import { listDataRequests } from "../server/data-requests/queries.ts";
import { listAllContracts, listContractsOfPartner } from "../server/contracts/queries.ts";
import { readContracts } from "../server/contracts/read-contract.ts";
import { readCoverage, readCoverageDays } from "../server/coverage/coverage-of.ts";
import { listAllCoverage, listCoverageOfPartner } from "../server/coverage/list-customers.ts";
import { listDevices } from "../server/coverage/list-devices.ts";
import { countActions, listActions } from "../server/actions/queries.ts";
import { listArticles } from "../server/content/find-article.ts";
import { walkedMax } from "../server/database/list-statements.ts";
import { readOrderAsStaff } from "../server/order-history/read-order.ts";
import { listFindings as listBecame } from "../server/incidents/findings.ts";
import { listAllIncidents, listIncidents, listIncidentsOfPartner } from "../server/incidents/queries.ts";
import { listCertificates } from "../server/ledger/list-certificates.ts";
import { listReceivables } from "../server/ledger/receivables.ts";
import { listTransfers } from "../server/ledger/list-transfers.ts";
import { listFindings } from "../server/reconcile/queries.ts";
import { listOrders, listOrdersInState, listOrdersOfPartner } from "../server/orders/queries.ts";
import { listEntries, listEntriesOfPartner } from "../server/audit-log/queries.ts";
import { findOrganisation, listInvitations, listMembers } from "../server/people/members.ts";
import { findFirstPerson, listByRole, listChildren, listCustomers } from "../server/people/queries.ts";
import { listAllQuotes, listQuotes, listQuotesToConfirm } from "../server/quotes/queries.ts";
import { findLead } from "../server/leads/find-lead.ts";
import { readFunnel } from "../server/leads/funnel.ts";
import { listLeads } from "../server/leads/queries.ts";
import { foldCoverageSums } from "../server/coverage/sums.ts";
import { foldFigures } from "../server/reports/figures.ts";
import { findOverview } from "../server/reports/overview.ts";
import { findPartnerDashboard } from "../server/reports/partner-dashboard.ts";
import { readServiceOfAll, readServiceOfPartner } from "../server/service-reports/service-of-customers.ts";
import { fillLists, largePartnerId, smallPartnerId } from "./fill-lists.ts";
import { startTestServer, type TestServer } from "./harness.ts";
import { member, scopeFor } from "./people.ts";

/** A statement as the driver got it: one with a name is planned once, for whatever values come. */
interface Asked {
  name?: string;
  text: string;
  values: (string | number | Date | readonly string[] | null)[];
}
interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "CTE Name"?: string;
  "Parent Relationship"?: string;
  "Actual Loops": number;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
}
interface Query {
  limit: number;
  sort?: never;
  search?: string;
  cursor?: string;
}
type List = (query: Query) => Promise<{ nextCursor: string | null }>;

const rows = 20_000;
/** Of rows that a page or a few hundred of them are taken from. */
const removedMax = 600;
const bigTables = new Set([
  "people",
  "organisations",
  "quotes",
  "orders",
  "mails",
  "customer_tools",
  "leads",
  "action_items",
  "articles",
  "invoices",
  "notices",
  "log_sources",
  "tiles",
  "findings",
  "contracts",
  "contract_lines",
  "covered_devices",
  "engine_devices",
  "coverage_figures",
  "incidents",
  "incident_facts",
  "engine_findings",
  "audit_entries",
  "transfers",
  "tax_deductions",
]);
/** Of the large partner every customer is one of "kaveri" or "yamuna", and none one of "ganga". */
const searches = ["textiles", "kaveri", "ganga", "10077", "no such thing", "ka", "zz", "7b", "q", "4.5"];
/** Of many rows, of none, and too short for trigrams: an order other than the list's own changes how these are found. */
const searchesInEachOrder = ["textiles", "no such thing", "ka"];

let server: TestServer;
let client: Client;
let recorded: Asked[] | null = null;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  await fillLists([client], rows);
  await foldFigures(server.services.database);
  await client.query("vacuum analyze");
  const pool = server.services.database.$client;
  const query = pool.query.bind(pool) as (asked: Asked, values?: Asked["values"]) => unknown;
  const recording = (asked: Asked, values?: Asked["values"]) => {
    recorded?.push({ ...asked, values: values ?? asked.values ?? [] });
    return query(asked, values);
  };
  pool.query = recording as typeof pool.query;
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** What of a plan grows with the table. */
function faultsOf(plan: Plan, max: number): string[] {
  const { "Relation Name": table, "CTE Name": walked } = plan;
  const kinds = ["Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck"] as const;
  return [
    ...(plan["Node Type"] === "Seq Scan" && table && bigTables.has(table) ? [`Seq Scan on ${table}`] : []),
    // What is asked of each row of a page reads a few rows: one that is answered for all rows at once reads them all.
    ...(plan["Parent Relationship"] === "SubPlan" && plan["Actual Rows"] * plan["Actual Loops"] > max
      ? [`SubPlan with ${plan["Actual Rows"]} rows on ${table}`]
      : []),
    ...kinds
      .filter((kind) => (plan[kind] ?? 0) * plan["Actual Loops"] > max)
      .map((kind) => `${kind}: ${(plan[kind] ?? 0) * plan["Actual Loops"]} at ${plan["Node Type"]} ${table ?? walked}`),
    ...(plan.Plans ?? []).flatMap((part) => faultsOf(part, max)),
  ];
}

function writtenAs(value: string | number | Date | readonly string[]): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? `{${value.map((each) => JSON.stringify(each)).join(",")}}` : String(value);
}

async function explain({ name, text, values }: Asked): Promise<string[]> {
  await client.query(`set plan_cache_mode = ${name ? "force_generic_plan" : "force_custom_plan"}`);
  await client.query(`prepare asked as ${text}`);
  const literals = values.map((value) => (value === null ? "null" : escapeLiteral(writtenAs(value))));
  const { rows: explained } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (analyze, format json, timing off) execute asked${values.length > 0 ? `(${literals.join(", ")})` : ""}`,
  );
  await client.query("deallocate asked");
  // A search walks so many rows, and passes over as many of others, in each of its steps at most.
  const max = text.startsWith("with walked") ? 2 * walkedMax : removedMax;
  return explained.flatMap((row) => faultsOf(row["QUERY PLAN"][0].Plan, max));
}

/** The faults of every statement that this asks, each with what was asked. */
async function faultsIn(what: string, ask: () => Promise<unknown>): Promise<string[]> {
  recorded = [];
  await ask();
  const asked = recorded;
  recorded = null;
  expect(asked.length).toBeGreaterThan(0);
  const faults: string[] = [];
  // One after the other: they share the connection, and the name of the statement.
  for (const statement of asked)
    faults.push(...(await explain(statement)).map((fault) => `${what}: ${fault} in ${statement.text.slice(0, 80)}`));
  return faults;
}

async function faultsOfList(list: List, { fieldsOfSort }: { fieldsOfSort: object }): Promise<string[]> {
  const faults: string[] = [];
  for (const sort of [undefined, ...Object.keys(fieldsOfSort).flatMap((name) => [name, `-${name}`])]) {
    const by = sort ? { sort: sort as never } : {};
    const { nextCursor } = await list({ limit: 50, ...by });
    const pages: [string, Query][] = [
      ["first page", { limit: 50, ...by }],
      ...(nextCursor ? [["second page", { limit: 50, ...by, cursor: nextCursor }] as [string, Query]] : []),
      ...(sort ? searchesInEachOrder : searches).map((search): [string, Query] => [
        `search ${search}`,
        { limit: 50, ...by, search },
      ]),
    ];
    for (const [page, query] of pages) {
      faults.push(...(await faultsIn(`${page} by ${sort ?? "its own order"}`, () => list(query))));
    }
  }
  return faults;
}

describe("With many rows, no statement reads a table from end to end", () => {
  it.each(["user", "partner"] as const)("of the list of all with the role %s", async (role) => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    const list: List = (query) => listByRole(server.services, scope, role, query);
    expect(await faultsOfList(list, personList)).toEqual([]);
  });

  it.each([
    ["many", largePartnerId],
    ["few", smallPartnerId],
  ])("of the lists of a partner with %s customers", async (_, organisationId) => {
    const scope = await scopeFor(server, "partner/users", await member(server, "partner", { organisationId }));
    const customers: List = (query) => listCustomers(server.services, scope, query);
    const orders: List = (query) => listOrdersOfPartner(server.services, scope, query);
    expect(await faultsOfList(customers, personList)).toEqual([]);
    expect(await faultsOfList(orders, orderList)).toEqual([]);
    expect(await faultsIn("dashboard", () => findPartnerDashboard(server.services, scope))).toEqual([]);
  });

  it("of a partner's customers by the partner that they share, whatever index there is for it", async () => {
    await client.query("drop index customers_of_partner_by_partner");
    const scope = await scopeFor(
      server,
      "partner/users",
      await member(server, "partner", { organisationId: largePartnerId }),
    );
    const customers: List = (query) => listCustomers(server.services, scope, query);
    expect(await faultsOfList(customers, { fieldsOfSort: { partner_organization_name: [] } })).toEqual([]);
  });

  it.each(["success", "failure", "review", "refunded"] as const)("of the list of orders in state %s", async (state) => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    expect(await faultsOfList((query) => listOrdersInState(server.services, scope, state, query), orderList)).toEqual(
      [],
    );
  });

  it("of the lists of all quotes and of those to confirm", async () => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    expect(await faultsOfList((query) => listAllQuotes(server.services, scope, query), quoteList)).toEqual([]);
    expect(await faultsOfList((query) => listQuotesToConfirm(server.services, scope, query), quoteList)).toEqual([]);
  });

  it("of the leads, however they are narrowed", async () => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    expect(await faultsOfList((query) => listLeads(server.services, scope, query), leadList)).toEqual([]);
    const { rows: owned } = await client.query<{ id: string }>(
      "select owner_id as id from leads where owner_id is not null limit 1",
    );
    const narrowed: LeadFilters[] = [
      { state: "open" },
      { state: "negotiation" },
      { state: "won" },
      { owner: owned[0]?.id ?? "" },
      { owner: "nobody", state: "new" },
      { source: "contact" },
      { due: "today" },
      { rates: "waiting" },
      { from: "2026-01-01", to: "2026-12-31" },
    ];
    for (const filters of narrowed) {
      const ask = () => listLeads(server.services, scope, { limit: 50, ...filters });
      expect(await faultsIn(JSON.stringify(filters), ask)).toEqual([]);
    }
  });

  it("of a lead with its history and duplicates, and of the funnel", async () => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    for (const serial of [2, 20, 3]) {
      const { rows: found } = await client.query<{ id: string }>("select id from leads where serial = $1", [serial]);
      expect(await faultsIn(`lead ${serial}`, () => findLead(server.services, scope, found[0]?.id ?? ""))).toEqual([]);
    }
    expect(await faultsIn("funnel", () => readFunnel(server.services, scope))).toEqual([]);
  });

  it("of an organisation's people, and of all invitations and data requests", async () => {
    const scope = await scopeFor(server, "admin/people", await member(server, "admin"));
    const { rows: found } = await client.query<{ email: string }>(
      "select email from people where role = 'user' limit 1",
    );
    const organisation = await findOrganisationOf(server.services.database, scope, found[0]?.email ?? "");
    expect(await faultsIn("people", () => listMembers(server.services, organisation, { limit: 50 }))).toEqual([]);
    expect(await faultsIn("organisation", () => findOrganisation(server.services, organisation))).toEqual([]);
    const invitations: List = (query) => listInvitations(server.services, scope, query);
    expect(await faultsOfList(invitations, invitationList)).toEqual([]);
    const requests: List = (query) => listDataRequests(server.services, scope, query);
    expect(await faultsOfList(requests, dataRequestList)).toEqual([]);
  });
  it.each(["open", "closed"] as const)("of the action queues, %s, and of their counts", async (state) => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    const items: List = (query) => listActions(server.services, scope, { queue: "payments", state, ...query });
    expect(await faultsOfList(items, actionList)).toEqual([]);
    expect(await faultsIn("counts", () => countActions(server.services, scope))).toEqual([]);
  });
  it("of what is owed, of transfers and of certificates", async () => {
    const scope = await scopeFor(server, "admin/receivables", await member(server, "admin"));
    // Without the triggers of orders, which would write every row's copies anew.
    await client.query(`set session_replication_role = replica`);
    await client.query(`update orders set owed_paise = amount_paise, due_on = (created_at + interval '30 days')::date
      where serial % 2 = 0`);
    await client.query(`insert into transfers (utr, state, order_id, amount_paise, received_on, payer, narration, order_number)
      select 'TESTN' || lpad(serial::text, 10, '0'), case when serial % 20 = 0 then 'seen' else 'matched' end, id, amount_paise,
        created_at::date, organisation_name, 'NEFT ' || left(md5(serial::text), 7), called_order(serial) from orders order by serial`);
    await client.query(`insert into tax_deductions (order_id, section, basis_points, amount_paise, state, claimed_at,
        certificate_number, quarter, organisation_name, order_number, invoice_number)
      select id, '194J', 1000, amount_paise / 10,
        case when serial % 100 = 0 then 'uploaded' when serial % 7 = 0 then 'awaited' else 'matched' end, created_at,
        left(md5(serial::text), 7), '2026-27 Q3', organisation_name, called_order(serial), invoice_number
      from orders order by serial`);
    await client.query(`set session_replication_role = origin`);
    await client.query("vacuum analyze orders, transfers, tax_deductions");
    const list: List = (query) => listReceivables(server.services, scope, query);
    expect(await faultsOfList(list, receivableList)).toEqual([]);
    for (const open of ["true", "false"] as const) {
      const moved: List = (query) => listTransfers(server.services, scope, { open, ...query });
      expect(await faultsOfList(moved, transferList)).toEqual([]);
    }
    const certificates: List = (query) => listCertificates(server.services, scope, query);
    expect(await faultsOfList(certificates, certificateList)).toEqual([]);
    await client.query("update orders set owed_paise = 0, due_on = null where owed_paise <> 0");
    await client.query("vacuum analyze orders");
  });
  it.each(["open", "resolved"] as const)(
    "of what differs from the gateway's books, %s, and of an order's history",
    async (state) => {
      const scope = await scopeFor(server, "admin/reconcile", await member(server, "admin"));
      await client.query(`insert into findings (kind, key, about, who, says, found_at, resolved_at, resolution)
        select 'not settled', '${state}' || n, 'O-' || n, left(md5(n::text), 7) || ' Textiles', 'The gateway settled a payment that is in none of our orders, as line ' || n || ' of the file of Kaveri says.',
          now() - n * interval '1 hour', case when n % 20 > 0 then now() end, '' from generate_series(1, 12000) as n`);
      await client.query("vacuum analyze findings");
      const list: List = (query) => listFindings(server.services, scope, { state, ...query });
      expect(await faultsOfList(list, findingList)).toEqual([]);
      const { rows: found } = await client.query<{ id: string }>("select id from orders limit 1");
      const read = () => readOrderAsStaff(server.services, scope, found[0]?.id ?? "");
      expect(await faultsIn("history", read)).toEqual([]);
    },
  );
  it("of contracts, everybody's, a partner's and a customer's", async () => {
    const scope = await scopeFor(server, "admin/contracts", await member(server, "admin"));
    expect(await faultsOfList((query) => listAllContracts(server.services, scope, query), contractList)).toEqual([]);
    for (const show of ["to_decide", "ends_soon"] as const)
      expect(await faultsIn(show, () => listAllContracts(server.services, scope, { limit: 50, show }))).toEqual([]);
    for (const organisationId of [largePartnerId, smallPartnerId]) {
      const own = await scopeFor(server, "partner/contracts", await member(server, "partner", { organisationId }));
      const list: List = (query) => listContractsOfPartner(server.services, own, query);
      expect(await faultsOfList(list, contractList)).toEqual([]);
    }
    const { rows: found } = await client.query<{ id: string }>("select organisation_id as id from contracts limit 1");
    const customer = await member(server, "user", { organisationId: found[0]?.id ?? "" });
    const mine = await scopeFor(server, "user/contracts", customer);
    expect(await faultsIn("contract", () => readContracts(server.services, mine))).toEqual([]);
  });
  it("of a large fleet, however it is narrowed, and of the coverage of all customers", async () => {
    const { rows: found } = await client.query<{ id: string }>(
      "select id from organisations where kind = 'customer' limit 1",
    );
    const organisationId = found[0]?.id ?? "";
    await client.query(
      `with binding as (insert into engine_bindings (organisation_id, kind, address, next_poll_at)
          values ($1, 'wazuh4', 'https://wazuh.example.in', now() + interval '1 day') returning id),
        stream as (insert into engine_streams (binding_id, stream, last_answer_at) select id, 'devices', now() from binding),
        device as (insert into engine_devices (binding_id, organisation_id, external_id, identity, name, address, os, groups, state, last_seen_at)
          select binding.id, $1, n::text, 'd' || n, left(md5(n::text), 7) || ' textiles ' || n, '10.0.' || n % 250 || '.1', 'Ubuntu', '{}', 'active', now()
          from binding, generate_series(1, ${rows}) as n returning id, identity, name, address)
      insert into covered_devices (organisation_id, identity, device_id, name, address, state, place, service, device_type, silence_minutes)
        select $1, identity, id, name, address,
          (array['silent', 'never', 'unknown', 'connected', 'connected', 'connected'])[1 + least(5, substr(identity, 2)::int % 1000)],
          (array['unmatched', 'beyond', 'not_ours', 'line'])[1 + least(3, substr(identity, 2)::int % 500)],
          'Server', case when substr(identity, 2)::int % 2 = 0 then 'Prod Server' else 'Kaveri' end, 60
        from device`,
      [organisationId],
    );
    await client.query(`insert into coverage_figures (organisation_id, counted_at, next_count_at, contracted, connected, silent,
        never_connected, unknown, missing, not_contracted, unmatched, share, lines, additions)
      select id, now(), now() + interval '1 day', 10, 5, 1, 1, 1, 2, 0, 0, ('x' || left(md5(id::text), 4))::bit(16)::int % 10002,
        jsonb_build_array(jsonb_build_object('name', repeat(md5(id::text), 45))), '[]'
      from organisations where kind = 'customer'`);
    await foldCoverageSums(server.services.database);
    await client.query(
      "vacuum analyze covered_devices, engine_devices, coverage_figures, coverage_sums, coverage_days",
    );
    const mine = await scopeFor(server, "user/coverage", await member(server, "user", { organisationId }));
    const devices: List = (query) => listDevices(server.services, mine, query);
    // What is counted anew reads the whole fleet, and then each page reads a page.
    await devices({ limit: 1 });
    const held = "update coverage_figures set counted_at = now(), next_count_at = now() + interval '1 day'";
    await client.query(held);
    // As autovacuum would: every row was just written anew.
    await client.query("vacuum analyze coverage_figures");
    expect(await faultsOfList(devices, coveredDeviceList)).toEqual([]);
    const narrowed = [{ state: "silent" }, { state: "connected" }, { place: "unmatched" }, { place: "line" }] as const;
    for (const by of narrowed)
      expect(
        await faultsIn(JSON.stringify(by), () => listDevices(server.services, mine, { limit: 50, ...by })),
      ).toEqual([]);
    expect(await faultsIn("coverage", () => readCoverage(server.services, mine))).toEqual([]);
    expect(await faultsIn("days", () => readCoverageDays(server.services, mine))).toEqual([]);
    const all = await scopeFor(server, "admin/coverage", await member(server, "admin"));
    expect(await faultsOfList((query) => listAllCoverage(server.services, all, query), customerCoverageList)).toEqual(
      [],
    );
    const service: List = (query) => readServiceOfAll(server.services, all, query);
    expect(await faultsOfList(service, customerServiceList)).toEqual([]);
    for (const partnerId of [largePartnerId, smallPartnerId]) {
      const own = await member(server, "partner", { organisationId: partnerId });
      const scope = await scopeFor(server, "partner/coverage", own);
      expect(await faultsIn("service", () => readServiceOfPartner(server.services, scope, { limit: 50 }))).toEqual([]);
      for (const query of [{}, { sort: "organization_name" as const }, { search: "textiles" }, { search: "ka" }]) {
        const list = () => listCoverageOfPartner(server.services, scope, { limit: 50, ...query });
        expect(await faultsIn(JSON.stringify(query), list)).toEqual([]);
      }
    }
  });
  it("of incidents and of findings, everybody's, a partner's and a customer's", async () => {
    const scope = await scopeFor(server, "admin/incidents", await member(server, "admin"));
    const all: List = (query) => listAllIncidents(server.services, scope, query);
    expect(await faultsOfList(all, incidentList)).toEqual([]);
    for (const show of ["open", "ended"] as const)
      expect(await faultsIn(show, () => listAllIncidents(server.services, scope, { limit: 50, show }))).toEqual([]);
    for (const organisationId of [largePartnerId, smallPartnerId]) {
      const own = await scopeFor(server, "partner/incidents", await member(server, "partner", { organisationId }));
      const list: List = (query) => listIncidentsOfPartner(server.services, own, query);
      expect(await faultsOfList(list, incidentList)).toEqual([]);
    }
    const { rows: found } = await client.query<{ id: string }>(
      "select organisation_id as id from engine_findings limit 1",
    );
    const customer = await member(server, "user", { organisationId: found[0]?.id ?? "" });
    const mine = await scopeFor(server, "user/incidents", customer);
    expect(await faultsOfList((query) => listIncidents(server.services, mine, query), incidentList)).toEqual([]);
    const became: List = (query) => listBecame(server.services, mine, query);
    expect(await faultsOfList(became, becameList)).toEqual([]);
  });
  it("of what was done, by whomever and to whomever", async () => {
    const all = await scopeFor(server, "admin/audit", await member(server, "admin"));
    const entries: List = (query) => listEntries(server.services, all, query);
    expect(await faultsOfList(entries, auditList)).toEqual([]);
    for (const filters of [
      { action: "sign-in" as const },
      { from: "2026-01-01" },
      { subject: "nobody" },
      { search: "sign-in" },
    ]) {
      const ask = () => listEntries(server.services, all, { limit: 50, ...filters });
      expect(await faultsIn(JSON.stringify(filters), ask)).toEqual([]);
    }
    for (const organisationId of [largePartnerId, smallPartnerId]) {
      const own = await scopeFor(server, "partner/audit", await member(server, "partner", { organisationId }));
      const list: List = (query) => listEntriesOfPartner(server.services, own, query);
      expect(await faultsOfList(list, auditList)).toEqual([]);
    }
  });
  it("of the articles, however they are narrowed", async () => {
    const scope = await scopeFor(server, "admin/posts", await member(server, "admin"));
    expect(await faultsOfList((query) => listArticles(server.services, scope, query), postList)).toEqual([]);
    for (const filters of [{ state: "draft" as const }, { tag: "SOC" }, { tag: "T7" }, { tag: "none" }]) {
      const ask = () => listArticles(server.services, scope, { limit: 50, ...filters });
      expect(await faultsIn(JSON.stringify(filters), ask)).toEqual([]);
    }
  });

  it("of the log sources and tiles, however they are narrowed", async () => {
    const scope = await scopeFor(server, "admin/log-sources", await member(server, "admin"));
    await client.query(`insert into log_sources (product, category, label, format, retired)
      select initcap(left(md5(n::text), 7)) || ' textiles ' || n, 'Kaveri ' || n % 40, 'LABEL_' || n,
        (array['JSON', 'CEF', 'Syslog'])[1 + n % 3], n % 500 = 0
      from generate_series(1, ${rows}) as n`);
    await client.query(`insert into tiles (organisation_id, title, text, icon, url, place, shown)
      select id, left(md5(id::text), 7) || ' textiles', 'Kaveri reports ' || left(md5(name), 5), 'siem',
        'https://tiles.example.in/' || id, row_number() over () % 100, true
      from organisations where kind = 'customer'`);
    await client.query("vacuum analyze log_sources, tiles");
    const sources: List = (query) => listAllLogSources(server.services, scope, query);
    expect(await faultsOfList(sources, logSourceList)).toEqual([]);
    for (const state of ["offered", "retired"] as const)
      expect(await faultsIn(state, () => listAllLogSources(server.services, scope, { limit: 50, state }))).toEqual([]);
    expect(await faultsOfList((query) => listTiles(server.services, scope, query), tileList)).toEqual([]);
    const { rows: found } = await client.query<{ id: string }>("select organisation_id as id from tiles limit 1");
    const customer = await member(server, "user", { organisationId: found[0]?.id ?? "" });
    const own = await scopeFor(server, "user/get-users-dashboard-url", customer);
    expect(await faultsIn("dashboard", () => findTiles(server.services, own))).toEqual([]);
  });

  it("of a customer's lists", async () => {
    const { rows: found } = await client.query<{ id: string }>(
      "select id from organisations where kind = 'customer' limit 1",
    );
    const customer = await member(server, "user", { organisationId: found[0]?.id ?? "" });
    const scope = await scopeFor(server, "user/get-estimation", customer);
    expect(await faultsOfList((query) => listQuotes(server.services, scope, query), quoteList)).toEqual([]);
    expect(await faultsOfList((query) => listOrders(server.services, scope, query), orderList)).toEqual([]);
    expect(await faultsIn("children", () => listChildren(server.services, scope, { limit: 50 }))).toEqual([]);
    expect(await faultsIn("first person", () => findFirstPerson(server.services, scope))).toEqual([]);
  });

  it("of the command palette, whoever looks for whatever", async () => {
    const all = await scopeFor(server, "admin/find", await member(server, "admin"));
    const large = await member(server, "partner", { organisationId: largePartnerId });
    const small = await member(server, "partner", { organisationId: smallPartnerId });
    const partners = [await scopeFor(server, "partner/find", large), await scopeFor(server, "partner/find", small)];
    const { rows: found } = await client.query<{ id: string }>(
      "select id from organisations where kind = 'customer' limit 1",
    );
    const customer = await member(server, "user", { organisationId: found[0]?.id ?? "" });
    const own = await scopeFor(server, "user/find", customer);
    for (const words of [
      ...searches,
      "Q-000077",
      "O-77",
      "L-5",
      "C-77",
      "PF2627000077",
      "PF/26-27/0077",
      "12345",
      "SOC/26-27/000005",
      "asha",
      "1@",
    ]) {
      expect(await faultsIn(words, () => findForProvider(server.services, all, words))).toEqual([]);
      // The number of a lead is nothing that others could find: they ask nothing.
      if (words === "L-5") continue;
      for (const scope of partners)
        expect(await faultsIn(words, () => findForPartner(server.services, scope, words))).toEqual([]);
      expect(await faultsIn(words, () => findForCustomer(server.services, own, words))).toEqual([]);
    }
  });

  it("of somebody's notices, and of what the bell asks", async () => {
    const reader = await member(server, "user");
    const scope = await scopeFor(server, "notices", reader);
    await client.query(
      `insert into notices (person_id, kind, event_key, title, text, link, created_at, read_at)
       select $1, 'quote made', n, 'Quote ' || n, 'Kaveri', '', now() - n * interval '1 hour', case when n % 3 > 0 then now() end
       from generate_series(1, 400) as n`,
      [reader.id],
    );
    await client.query(`insert into notices (person_id, kind, event_key, title, text, link)
      select id, 'quote made', 'one', 'Quote', 'Made', '' from people where role = 'user' on conflict do nothing`);
    await client.query(`insert into announcements (title, text, audience, shown_from, shown_until, mailed, delivered_at)
      select 'Maintenance ' || n, 'On a Sunday', 'all', now() - n * interval '1 day', now() - n * interval '1 day' + interval '5 hours',
        false, now() from generate_series(1, 2000) as n`);
    await client.query("vacuum analyze notices, announcements");
    for (const show of [{}, { show: "unread" as const }])
      expect(
        await faultsOfList((query) => listNotices(server.services, scope, { ...query, ...show }), noticeList),
      ).toEqual([]);
    expect(await faultsIn("news", () => readNews(server.services, scope))).toEqual([]);
  });

  it("of the overview", async () => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    expect(await faultsIn("overview", () => findOverview(server.services, scope))).toEqual([]);
  });
});

/** The statements that this asks, by their first two words. */
async function stepsOf<Answer>(ask: () => Promise<Answer>): Promise<[answer: Answer, steps: string[]]> {
  recorded = [];
  const answer = await ask();
  const steps = recorded.map(({ text }) => text.split(" ", 2).join(" "));
  recorded = null;
  return [answer, steps];
}

it("A search looks further on in the list, where by the index of words it would read tens of thousands", async () => {
  const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
  const ask = (cursor?: string) => () =>
    listAllQuotes(server.services, scope, { limit: 50, search: "7b", ...(cursor && { cursor }) });
  const [byIndex, few] = await stepsOf(ask());
  expect(few).toEqual(["with walked", "with found"]);
  expect([byIndex.estimation.length, byIndex.totalIsCapped]).toEqual([50, false]);
  const [nextByIndex] = await stepsOf(ask(byIndex.nextCursor ?? ""));
  await client.query("update pg_class set reltuples = 1000000 where relname = 'quotes'");
  try {
    const [walked, many] = await stepsOf(ask());
    expect(many).toEqual(["with walked", "with walked"]);
    expect(walked.estimation).toEqual(byIndex.estimation);
    expect([walked.totalIsCapped, walked.total < byIndex.total]).toEqual([true, true]);
    const [next] = await stepsOf(ask(walked.nextCursor ?? ""));
    expect(next.estimation).toEqual(nextByIndex.estimation);
    // Of what hardly any row has, the first rows of the list say too little.
    const [, rare] = await stepsOf(() => listAllQuotes(server.services, scope, { limit: 50, search: "zz" }));
    expect(rare).toEqual(["with walked", "with found"]);
  } finally {
    await client.query("vacuum analyze quotes");
  }
});

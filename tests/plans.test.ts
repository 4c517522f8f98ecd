import { Client, escapeLiteral } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writtenDay } from "../contract/india-time.ts";
import { limits } from "../contract/limits.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import { readContracts } from "../server/contracts/read-contract.ts";
import { walkedMax } from "../server/database/list-statements.ts";
import { findLead } from "../server/leads/find-lead.ts";
import { readOrderAsStaff } from "../server/order-history/read-order.ts";
import { findForCustomer, findForPartner, findForProvider } from "../server/palette/find.ts";
import { findFirstPerson } from "../server/people/queries.ts";
import { listAllQuotes } from "../server/quotes/queries.ts";
import { fillLists } from "./fill-lists.ts";
import { startTestServer, type TestServer } from "./harness.ts";
import {
  figureCalls,
  type ListCall,
  listCalls,
  type ListOperation,
  listOperations,
  nameOf,
  openCall,
  sortsOf,
} from "./list-calls.ts";
import { askers } from "./list-rows.ts";
import { member, scopeFor } from "./people.ts";
import { type Asked, recordStatements } from "./record-statements.ts";

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
  sort?: string;
  search?: string;
  cursor?: string;
}
type List = (query: Query) => Promise<{ nextCursor: string | null }>;

const defaultRows = 20_000;
/** With more rows the planner decides differently: PLANS_ROWS=200000 tests that too, which takes five minutes. */
const rows = Number(process.env["PLANS_ROWS"] ?? defaultRows);
/** Limit of rows removed to find a page or a few hundred rows. */
const removedMax = 600;
/** Limit of rows read by a subquery for one row of a page. */
const askedOfRowMax = 100;
/** Limit of rows that a search walks in its second step. */
const walkedAtMost = 8 * walkedMax;
/** Limit of rows from one scan that no LIMIT ends: what a search finds before it is sorted. */
const scannedMax = 3 * walkedMax;
/** A count up to its limit may read and sort the whole table where that has hardly more rows. */
const countedMax = 1.25 * limits.countedMax;
/** The planner rightly reads a smaller table as a whole. */
const bigTableRows = 5000;
const bigTables = new Set<string>();
/** Calls that may read more: the beginning of their fault, and why. */
const readsMore: readonly [question: RegExp, why: string][] = [
  [
    /^\w+\/coverage\/devices.*: search ka by -deviceType/,
    "a word that many rows have, by a column that puts them last",
  ],
  [/^admin\/register/, "it reads the financial years of its days, and all invoices here are of one"],
];
/** Further ones when there are more rows than by default. */
const readsMoreOfMany: typeof readsMore = [
  [
    /^admin\/getUserByAdmin user: search ka by partner_organization_name/,
    "the same: customers without a partner come first",
  ],
  [
    /^admin\/getPaymentDetailsByPartnerId .*: search ka by status/,
    "the same: half of all orders are this partner’s, and the first states have none of that word",
  ],
  [
    /^(partner\/users|admin\/getUsersByPartnerEmail)\b.* by partner_organization_name/,
    "every second customer on the way is another’s, as this partner has half of all",
  ],
  [/^admin\/leads: {"due"/, "of those that are due half have ended"],
];
/** Each of the large partner's customers matches "kaveri" or "yamuna", and none "ganga". */
const searches = ["textiles", "kaveri", "ganga", "10077", "no such thing", "ka", "zz", "7b", "q", "4.5"];
/**
 * Matching many rows, none, and too short for trigrams: another sort than the list's own changes how these are found.
 */
const searchesInEachOrder = ["textiles", "no such thing", "ka"];

let server: TestServer;
let client: Client;
let record: ReturnType<typeof recordStatements>;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  await fillLists([client], rows);
  await client.query("vacuum analyze");
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and reltuples >= ${bigTableRows}`,
  );
  for (const { name } of tables) bigTables.add(name);
  record = recordStatements(server.services.database.$client);
}, 600_000);
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** The parts of a plan whose cost grows with the table. `isCut`: a LIMIT right above ends the node. */
function faultsOf(plan: Plan, max: number, readMax = scannedMax, isCut = false): string[] {
  const { "Node Type": node, "Relation Name": table, "CTE Name": walked } = plan;
  const kinds = ["Rows Removed by Filter", "Rows Removed by Join Filter", "Rows Removed by Index Recheck"] as const;
  const read = plan["Actual Rows"] * plan["Actual Loops"];
  const isBig = table !== undefined && bigTables.has(table);
  const isSmall = table !== undefined && !isBig;
  return [
    // A node that is never executed was only planned.
    // A count that wants nearly all rows reads the table itself, up to its limit.
    ...(node === "Seq Scan" && isBig && plan["Actual Loops"] > 0 && !(isCut && read <= countedMax)
      ? [`Seq Scan on ${table}`]
      : []),
    ...(isBig && !isCut && read > readMax ? [`${read} rows of ${table} by ${node}`] : []),
    // A subquery for each row of a page reads a few rows; one that serves all rows at once reads them all.
    ...(plan["Parent Relationship"] === "SubPlan" && (read > max || plan["Actual Rows"] > askedOfRowMax)
      ? [`SubPlan with ${plan["Actual Rows"]} rows on ${table}`]
      : []),
    ...kinds
      .filter((kind) => !isSmall && (plan[kind] ?? 0) * plan["Actual Loops"] > max)
      .map((kind) => `${kind}: ${(plan[kind] ?? 0) * plan["Actual Loops"]} at ${node} ${table ?? walked}`),
    ...(plan.Plans ?? []).flatMap((part) =>
      faultsOf(part, max, part["Parent Relationship"] === "InitPlan" ? countedMax : readMax, node === "Limit"),
    ),
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
  // A search walks as many matching rows as its limit says, and skips as many others.
  const [, walked] = /^with walked\b[^]*? limit (\d+)\s+\), found\b/.exec(text) ?? [];
  const max = walked ? 2 * Number(walked) : removedMax;
  if (Number(walked ?? 0) > walkedAtMost) return [`${walked} rows are walked`];
  return explained.flatMap((row) => faultsOf(row["QUERY PLAN"][0].Plan, max));
}

/** The faults of every statement that `ask` sends, each with its call. */
async function faultsIn(what: string, ask: () => Promise<unknown>): Promise<string[]> {
  const [, asked] = await record(ask);
  expect(asked.length).toBeGreaterThan(0);
  const faults: string[] = [];
  // In sequence: the statements share the connection and the prepared statement's name.
  for (const statement of asked)
    faults.push(...(await explain(statement)).map((fault) => `${what}: ${fault} in ${statement.text.slice(0, 80)}`));
  return faults;
}

async function faultsOfList(list: List, sorts: string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const sort of [undefined, ...sorts.flatMap((name) => [name, `-${name}`])]) {
    const by = sort ? { sort } : {};
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

const excused = [...readsMore, ...(rows > defaultRows ? readsMoreOfMany : [])];
const unlessMore = (name: string, faults: string[]) =>
  faults.map((fault) => `${name}: ${fault}`).filter((fault) => !excused.some(([question]) => question.test(fault)));

it("Every operation that answers a page of a list is asked below", () => {
  const answersPage = (name: OperationName) => {
    const { answer } = operations[name];
    return "shape" in answer && "nextCursor" in answer.shape;
  };
  const known = new Set<OperationName>(listOperations.filter((name) => listCalls[name].length > 0));
  const lists = (Object.keys(operations) as OperationName[]).filter(answersPage);
  expect(lists.length).toBeGreaterThan(40);
  expect(lists.filter((name) => !known.has(name))).toEqual([]);
});

describe("With many rows, no statement reads a table from end to end", () => {
  it("of which there are many", () => {
    const filled = [
      "quotes",
      "orders",
      "invoices",
      "people",
      "audit_entries",
      "leads",
      "engine_findings",
      "service_reports",
    ];
    expect(filled.filter((table) => !bigTables.has(table))).toEqual([]);
  });

  it.each(
    listOperations.flatMap((name) =>
      listCalls[name].map((call): [string, ListOperation, ListCall] => [nameOf(name, call), name, call]),
    ),
  )("of the list %s", async (called, name, { narrowed = [], ...asking }) => {
    const list: List = await openCall(server.services, name, asking);
    const faults = await faultsOfList(list, sortsOf(name));
    for (const by of narrowed) faults.push(...(await faultsIn(JSON.stringify(by), () => list({ limit: 50, ...by }))));
    expect(unlessMore(called, faults)).toEqual([]);
  });

  it.each(figureCalls.map(([name, asking]) => [nameOf(name, asking), name, asking] as const))(
    "of the cards and charts of %s",
    async (called, name, asking) => {
      const ask = await openCall(server.services, name, asking);
      expect(unlessMore(called, await faultsIn("figures", () => ask()))).toEqual([]);
    },
  );

  it("of the invoice register of a day", async () => {
    const day = writtenDay(new Date(Date.now() - 6 * 86_400_000));
    const ofDay = { from: day, to: day, format: "csv" };
    const ask = await openCall(server.services, "admin/register", { as: "provider", with: ofDay });
    expect(unlessMore("admin/register", await faultsIn("register", () => ask()))).toEqual([]);
  });

  it.runIf(rows === defaultRows)(
    "of a partner's customers by the partner that they share, whatever index there is for it",
    async () => {
      await client.query("drop index customers_of_partner_by_partner");
      const customers: List = await openCall(server.services, "partner/users", { as: "largePartner" });
      expect(await faultsOfList(customers, ["partner_organization_name"])).toEqual([]);
    },
  );

  it("of a lead with its history and duplicates", async () => {
    const scope = await scopeFor(server, "admin/overview", await member(server, "admin"));
    for (const serial of [10_002, 10_020, 10_003]) {
      const { rows: found } = await client.query<{ id: string }>("select id from leads where serial = $1", [serial]);
      expect(await faultsIn(`lead ${serial}`, () => findLead(server.services, scope, found[0]?.id ?? ""))).toEqual([]);
    }
  });

  it("of one organisation, customer, contract and order", async () => {
    const { rows: found } = await client.query<{ organisation: string; order: string; email: string }>(
      `select people.organisation_id as organisation, orders.id as order, email from orders
       join people on people.id = orders.buyer_id where state = 'success' and serial = 10001`,
    );
    const { organisation = "", order = "", email = "" } = found[0] ?? {};
    const ask = await openCall(server.services, "admin/people/organization", { as: "provider", with: { email } });
    expect(await faultsIn("organisation", () => ask())).toEqual([]);
    const customer = await member(server, "user", { organisationId: organisation });
    const mine = await scopeFor(server, "user/contracts", customer);
    expect(await faultsIn("contract", () => readContracts(server.services, mine))).toEqual([]);
    expect(await faultsIn("first person", () => findFirstPerson(server.services, mine))).toEqual([]);
    const staff = await scopeFor(server, "admin/reconcile", await member(server, "admin"));
    expect(await faultsIn("history", () => readOrderAsStaff(server.services, staff, order))).toEqual([]);
  });

  it("of the command palette, whoever looks for whatever", async () => {
    const all = await scopeFor(server, "admin/find", await member(server, "admin"));
    const large = await member(server, "partner", { organisationId: askers.largePartner.organisationId });
    const small = await member(server, "partner", { organisationId: askers.smallPartner.organisationId });
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
      "I-77",
      "PF2627000077",
      "PF/26-27/0077",
      "12345",
      "SOC/26-27/000005",
      "asha",
      "1@",
    ]) {
      expect(await faultsIn(words, () => findForProvider(server.services, all, words))).toEqual([]);
      // Partners and customers can't find leads by number, so no statement is sent.
      if (words === "L-5") continue;
      for (const scope of partners)
        expect(await faultsIn(words, () => findForPartner(server.services, scope, words))).toEqual([]);
      expect(await faultsIn(words, () => findForCustomer(server.services, own, words))).toEqual([]);
    }
  });
});

/** The first two words of each statement that `ask` sends. */
async function stepsOf<Answer>(ask: () => Promise<Answer>): Promise<[answer: Answer, steps: string[]]> {
  const [answer, asked] = await record(ask);
  return [answer, asked.map(({ text }) => text.split(" ", 2).join(" "))];
}

it.runIf(rows === defaultRows)(
  "A search looks further on in the list, where by the index of words it would read tens of thousands",
  async () => {
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
      // For a rare word, the first rows of the list are not enough.
      const [, rare] = await stepsOf(() => listAllQuotes(server.services, scope, { limit: 50, search: "zz" }));
      expect(rare).toEqual(["with walked", "with found"]);
    } finally {
      await client.query("vacuum analyze quotes");
    }
  },
);

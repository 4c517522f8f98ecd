import { actionList } from "../contract/actions.ts";
import { auditList } from "../contract/audit-log.ts";
import { contractList } from "../contract/contracts.ts";
import { incidentList } from "../contract/incidents.ts";
import { leadList } from "../contract/lead-list.ts";
import type { ListQuery } from "../contract/lists.ts";
import { orderList } from "../contract/orders.ts";
import { personList } from "../contract/people.ts";
import { postList } from "../contract/posts.ts";
import { quoteList } from "../contract/quotes.ts";
import { listActions } from "../server/actions/queries.ts";
import { listEntries } from "../server/audit-log/queries.ts";
import { listArticles } from "../server/content/find-article.ts";
import { listAllContracts, listContractsOfPartner } from "../server/contracts/queries.ts";
import { listAllIncidents, listIncidentsOfPartner } from "../server/incidents/queries.ts";
import { listLeads } from "../server/leads/queries.ts";
import { listOrdersInState, listOrdersOfPartner } from "../server/orders/queries.ts";
import { listByRole, listCustomers } from "../server/people/queries.ts";
import { listAllQuotes } from "../server/quotes/queries.ts";
import { foldFigures } from "../server/reports/figures.ts";
import { findOverview } from "../server/reports/overview.ts";
import { findPartnerDashboard } from "../server/reports/partner-dashboard.ts";
import type { Services } from "../server/services.ts";
import { largePartnerId } from "../tests/fill-lists.ts";
import { insertProvider, scopeFor, withFilledLists } from "./filled-lists.ts";
import { median, option, percentile, report, tell, whole } from "./measure.ts";

/**
 * Every long list of the portals, its sorts and searches, and the dashboards: first with 10,000 rows, then with as many as
 * `--rows=` says (100,000 without it). A cost that does not grow with the rows is aimed at.
 */

const fewRows = 10_000;
const manyRows = option("rows", 100_000);
/** Of every fourth row, of one, of none, and of about one in a hundred, two hundred and five thousand. */
const searches = ["kaveri", "ganga", "77123", "ka", "no such thing", "zz", "7b", "7b3", "c0ff"];
/** How often each is asked. */
const rounds = 40;

const few = await measureWith(fewRows);
const many = await measureWith(manyRows);
reportGrowth();

/** The milliseconds of everything that is asked, by the list or dashboard and by the page, sort or search of it. */
type Measured = Map<string, Map<string, number[]>>;

/** Asks everything, in a database with so many rows. */
function measureWith(rows: number): Promise<Measured> {
  const started = performance.now();
  return withFilledLists(rows, async (services) => {
    tell(`${whole(rows)} rows of each list filled in ${whole((performance.now() - started) / 1000)} s`);
    await foldFigures(services.database);
    // As PostgreSQL does by itself soon after so many rows are gone.
    await services.database.$client.query("vacuum analyze monthly_figures");
    return measureAll(services);
  });
}

async function measureAll(services: Services): Promise<Measured> {
  const measured: Measured = new Map();
  const measure: Measure = async (list, what, ask) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    measured.set(list, (measured.get(list) ?? new Map<string, number[]>()).set(what, times));
  };
  const all = await scopeFor(services, "admin/overview", "admin", await insertProvider(services));
  const partners = await scopeFor(services, "partner/users", "partner", largePartnerId);
  await measureList(measure, "customers", personList, (query) => listByRole(services, all, "user", query));
  await measureList(measure, "partner's customers", personList, (query) => listCustomers(services, partners, query));
  for (const state of ["success", "failure"] as const)
    await measureList(measure, `orders, ${state}`, orderList, (query) =>
      listOrdersInState(services, all, state, query),
    );
  await measureList(measure, "partner's orders", orderList, (query) => listOrdersOfPartner(services, partners, query));
  await measureList(measure, "quotes", quoteList, (query) => listAllQuotes(services, all, query));
  await measureList(measure, "leads", leadList, (query) => listLeads(services, all, query));
  await measureList(measure, "contracts", contractList, (query) => listAllContracts(services, all, query));
  await measureList(measure, "partner's contracts", contractList, (query) =>
    listContractsOfPartner(services, partners, query),
  );
  await measureList(measure, "incidents", incidentList, (query) => listAllIncidents(services, all, query));
  await measureList(measure, "partner's incidents", incidentList, (query) =>
    listIncidentsOfPartner(services, partners, query),
  );
  await measureList(measure, "audit", auditList, (query) => listEntries(services, all, query));
  for (const state of ["open", "closed"] as const)
    await measureList(measure, `actions, ${state}`, actionList, (query) =>
      listActions(services, all, { queue: "payments", state, ...query }),
    );
  await measureList(measure, "articles", postList, (query) => listArticles(services, all, query));
  await measure("dashboards", "partner's", () => findPartnerDashboard(services, partners));
  await measure("dashboards", "overview", () => findOverview(services, all));
  return measured;
}

type Measure = (list: string, what: string, ask: () => Promise<object>) => Promise<void>;

async function measureList<Sort extends string>(
  measure: Measure,
  name: string,
  declared: { fieldsOfSort: Readonly<Record<Sort, readonly string[]>> },
  list: (query: ListQuery<Sort>) => Promise<{ nextCursor: string | null; total: number }>,
): Promise<void> {
  const limit = 50;
  const sorts = Object.keys(declared.fieldsOfSort) as Sort[];
  await measure(name, "first page", () => list({ limit }));
  let cursor = "";
  for (let page = 0; page < 200; page++)
    cursor = (await list({ limit: 100, ...(cursor && { cursor }) })).nextCursor ?? "";
  if (cursor) await measure(name, "page 400", () => list({ limit, cursor }));
  for (const sort of sorts) {
    await measure(name, `by ${sort}`, () => list({ limit, sort }));
    const { nextCursor } = await list({ limit, sort: `-${sort}` });
    if (nextCursor)
      await measure(name, `by ${sort} downwards, page 2`, () => list({ limit, sort: `-${sort}`, cursor: nextCursor }));
  }
  for (const search of searches) {
    await measure(name, `search ${search}`, () => list({ limit, search }));
    await measure(name, `search ${search}, by ${sorts[0]}`, () => list({ limit, search, sort: sorts[0] }));
  }
}

function reportGrowth(): void {
  const compared = [...many].flatMap(([list, asked]) =>
    [...asked].flatMap(([what, times]) => {
      const before = few.get(list)?.get(what);
      // A page that one of the two has not got is not compared.
      return before ? [{ list, what, times, before }] : [];
    }),
  );
  const middles = grown(
    compared.map(({ list, what, ...times }) => ({ what: `${list}, ${what}`, ...times })),
    median,
  );
  const sizes = `from ${whole(fewRows)} to ${whole(manyRows)} rows`;
  const typical = `${median(middles.map(({ ratio }) => ratio)).toFixed(2)} times in the middle of ${middles.length}`;
  report("growth", middles[0]?.ratio ?? Number.NaN, `${middles[0]?.told} ${sizes}; ${typical}`);
  for (const { told } of middles.slice(1, 8)) tell(told);
  const slowest = grown(
    [...Map.groupBy(compared, ({ list }) => list)].map(([what, asked]) => ({
      what,
      times: asked.flatMap(({ times }) => times),
      before: asked.flatMap(({ before }) => before),
    })),
    (times) => percentile(times, 99),
  );
  report("growth, slowest", slowest[0]?.ratio ?? Number.NaN, `${slowest[0]?.told}, of ${slowest.length} lists`);
  for (const { told } of slowest.slice(1)) tell(told);
}

/** What has grown most comes first. */
function grown(compared: { what: string; times: number[]; before: number[] }[], of: (times: number[]) => number) {
  return compared
    .map(({ what, times, before }) => {
      const [ms, msBefore] = [of(times), of(before)];
      const ratio = ms / msBefore;
      return { ratio, told: `“${what}” ${ratio.toFixed(2)}: ${msBefore.toFixed(1)} to ${ms.toFixed(1)} ms` };
    })
    .toSorted((one, other) => other.ratio - one.ratio);
}

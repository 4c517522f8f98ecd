import type { ListQuery } from "../contract/lists.ts";
import { orderList } from "../contract/orders.ts";
import { personList } from "../contract/people.ts";
import { quoteList } from "../contract/quotes.ts";
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

const few = await measureWith(fewRows);
const many = await measureWith(manyRows);
reportGrowth();

interface Times {
  middle: number;
  /** The 99th percentile. */
  slow: number;
}

/** The milliseconds of everything that is asked, in a database with so many rows. */
function measureWith(rows: number): Promise<Map<string, Times>> {
  const started = performance.now();
  return withFilledLists(rows, async (services) => {
    tell(`${whole(rows)} rows of each list filled in ${whole((performance.now() - started) / 1000)} s`);
    await foldFigures(services.database);
    // As PostgreSQL does by itself soon after so many rows are gone.
    await services.database.$client.query("vacuum analyze monthly_figures");
    return measureAll(services);
  });
}

async function measureAll(services: Services): Promise<Map<string, Times>> {
  const measured = new Map<string, Times>();
  const measure: Measure = async (what, ask) => {
    const times: number[] = [];
    for (let round = 0; round < 100; round++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    measured.set(what, { middle: median(times), slow: percentile(times, 99) });
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
  await measure("partner dashboard", () => findPartnerDashboard(services, partners));
  await measure("overview", () => findOverview(services, all));
  return measured;
}

type Measure = (what: string, ask: () => Promise<object>) => Promise<void>;

async function measureList<Sort extends string>(
  measure: Measure,
  name: string,
  declared: { fieldsOfSort: Readonly<Record<Sort, readonly string[]>> },
  list: (query: ListQuery<Sort>) => Promise<{ nextCursor: string | null; total: number }>,
): Promise<void> {
  const limit = 50;
  const sorts = Object.keys(declared.fieldsOfSort) as Sort[];
  await measure(`${name}, first page`, () => list({ limit }));
  let cursor = "";
  for (let page = 0; page < 200; page++)
    cursor = (await list({ limit: 100, ...(cursor && { cursor }) })).nextCursor ?? "";
  if (cursor) await measure(`${name}, page 400`, () => list({ limit, cursor: cursor }));
  for (const sort of sorts) {
    await measure(`${name}, by ${sort}`, () => list({ limit, sort }));
    const { nextCursor } = await list({ limit, sort: `-${sort}` });
    if (nextCursor)
      await measure(`${name}, by ${sort} downwards, page 2`, () =>
        list({ limit, sort: `-${sort}`, cursor: nextCursor }),
      );
  }
  for (const search of ["kaveri", "77123", "ka", "no such thing", "zz"]) {
    await measure(`${name}, search ${search}`, () => list({ limit, search }));
    await measure(`${name}, search ${search}, by ${sorts[0]}`, () => list({ limit, search, sort: sorts[0] }));
  }
}

function reportGrowth(): void {
  // A page that one of the two has not got is not compared.
  const compared = [...many].flatMap(([what, times]) => {
    const before = few.get(what);
    return before ? [{ what, times, before }] : [];
  });
  const grown = (of: keyof Times) => compared.map(({ times, before }) => times[of] / before[of]);
  const worst = compared.toSorted(
    (one, other) => other.times.slow / other.before.slow - one.times.slow / one.before.slow,
  );
  const typical = median(compared.map(({ times }) => times.middle));
  const sizes = `from ${whole(fewRows)} to ${whole(manyRows)} rows`;
  const middle = `${median(grown("slow")).toFixed(2)} times and ${typical.toFixed(1)} ms in the middle of ${compared.length}`;
  const medians = `medians at most ${Math.max(...grown("middle")).toFixed(2)} times`;
  report("growth", Math.max(...grown("slow")), `“${worst[0]?.what}” ${sizes}; ${middle}; ${medians}`);
  for (const { what, times, before } of worst.slice(0, 12)) {
    const from = `${before.slow.toFixed(1)} to ${times.slow.toFixed(1)} ms`;
    tell(
      `${(times.slow / before.slow).toFixed(2)}: ${from}, medians ${before.middle.toFixed(1)} to ${times.middle.toFixed(1)} ms ${what}`,
    );
  }
}

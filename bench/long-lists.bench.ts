import { rmSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { ListQuery } from "../contract/lists.ts";
import type { OperationName } from "../contract/operations.ts";
import { orderList } from "../contract/orders.ts";
import { personList } from "../contract/people.ts";
import { quoteList } from "../contract/quotes.ts";
import type { Role } from "../contract/roles.ts";
import type { Scope } from "../server/access/scope.ts";
import { migrateDatabase, openDatabase } from "../server/database/database.ts";
import { startEmbeddedPostgres } from "../server/database/embedded.ts";
import { organisations, people, sessions } from "../server/database/schema/index.ts";
import { authorise } from "../server/http/authenticate.ts";
import { listOrdersInState, listOrdersOfPartner } from "../server/orders/queries.ts";
import { listByRole, listCustomers } from "../server/people/queries.ts";
import { listAllQuotes } from "../server/quotes/queries.ts";
import { ensureRateCard } from "../server/rates/rate-card.ts";
import { findOverview } from "../server/reports/overview.ts";
import { findPartnerDashboard } from "../server/reports/partner-dashboard.ts";
import type { Services } from "../server/services.ts";
import { makeDataDir } from "../tests/process/running-product.ts";
import { median } from "./measure.ts";

/** Every long list of the portals with 100,000 rows: first page, deep page, each sort, each kind of search. Aim: 50 ms. */

const rows = Number(process.argv[2] ?? 100_000);
const aimMs = 50;
const measured: { what: string; ms: number }[] = [];
const partnerId = "00000000-0000-7000-8000-000000000001";

const dataDir = makeDataDir();
const postgres = await startEmbeddedPostgres(dataDir);
await migrateDatabase(postgres.url);
const database = openDatabase(postgres.url);
try {
  await ensureRateCard(database, () => new Date());
  await fill(postgres.url);
  const services = { database, now: () => new Date() } as Services;
  const everybodys = await scopeFor(services, "admin/overview", "admin", await insertProvider());
  const partners = await scopeFor(services, "partner/users", "partner", partnerId);
  await measureLists(services, everybodys, partners);
  await measure("partner dashboard", () => findPartnerDashboard(services, partners));
  await measure("overview", () => findOverview(services, everybodys));
  reportAll();
} finally {
  await database.$client.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measureLists(services: Services, all: Scope<"any">, partners: Scope<"customers">): Promise<void> {
  await measureList("customers", personList, (query) => listByRole(services, all, "user", query));
  await measureList("partner's customers", personList, (query) => listCustomers(services, partners, query));
  await measureList("orders", orderList, (query) => listOrdersInState(services, all, "success", query));
  await measureList("partner's orders", orderList, (query) => listOrdersOfPartner(services, partners, query));
  await measureList("quotes", quoteList, (query) => listAllQuotes(services, all, query));
}

async function measureList<Sort extends string>(
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

async function measure(what: string, ask: () => Promise<object>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  measured.push({ what, ms: median(times) });
}

function reportAll(): void {
  const worst = measured.toSorted((one, other) => other.ms - one.ms).slice(0, 5);
  const typical = median(measured.map(({ ms }) => ms));
  console.log(
    `long lists ${typical.toFixed(1)} ms for a page of ${rows} rows, median of ${measured.length} (aim ${aimMs})`,
  );
  for (const { what, ms } of worst) console.log(`           ${ms.toFixed(1)} ms ${what}`);
}

async function insertProvider(): Promise<string> {
  const id = randomUUID();
  await database.insert(organisations).values({ id, kind: "provider", name: "Sample Provider" });
  return id;
}

/** The scope of an operation for somebody new, as a call would get it. */
async function scopeFor<Name extends OperationName>(
  services: Services,
  name: Name,
  role: Role,
  organisationId: string,
) {
  const [personId, sessionId] = [randomUUID(), randomUUID()];
  const joinedAt = new Date();
  const email = `${role}@example.in`;
  const person = { firstName: "Asha", lastName: "Rao", phone: "+919876543210", joinedAt };
  await database.insert(people).values({ id: personId, organisationId, role, email, ...person });
  const expiresAt = new Date(joinedAt.getTime() + 3_600_000);
  await database.insert(sessions).values({ id: sessionId, personId, expiresAt });
  return (await authorise(services, name, { sessionId })).scope;
}

/** Half of the customers belong to one partner; each has a quote, and nine of ten have paid for it. */
async function fill(databaseUrl: string): Promise<void> {
  // Without the time limit of the product's own connections.
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await fillWith(client);
  } finally {
    await client.end();
  }
}

async function fillWith(client: Client): Promise<void> {
  await client.query(
    `insert into organisations (id, kind, name) values ('${partnerId}', 'partner', 'Sample Networks')`,
  );
  await client.query(`insert into organisations (kind, name, partner_id, created_at)
    select 'customer', (array['Kaveri','Ganga','Yamuna','Godavari'])[1 + n % 4] || ' Textiles ' || md5(n::text),
      case when n % 2 = 0 then '${partnerId}'::uuid end, now() - n * interval '5 minutes'
    from generate_series(1, ${rows}) as n`);
  await client.query(`insert into people (organisation_id, role, first_name, last_name, email, phone, created_at, joined_at)
    select id, 'user', 'Asha ' || left(md5(id::text), 4), 'Rao ' || right(md5(id::text), 6),
      row_number() over () || '@' || left(md5(name), 8) || '.example.in', '+9198' || lpad((row_number() over ())::text, 8, '0'), created_at, created_at
    from organisations where kind = 'customer'`);
  await client.query(`insert into quotes (organisation_id, organization_name, user_name, user_email, phone_number,
      number_of_users, message, rate_card_id, sample_rates, lines, subtotal_paise, discount_basis_points, discount_paise,
      gst_paise, total_paise, created_at, valid_until)
    select organisation_id, organisation_name, first_name || ' ' || last_name, email, phone, 1 + n % 900,
      'Two plants and a head office.', (select id from rate_cards limit 1), true, '[]', 100 * n, 0, 0, 18 * n, 118 * n,
      created_at, created_at + interval '30 days'
    from (select *, row_number() over () as n from people where role = 'user') as people`);
  await client.query(`insert into orders (quote_id, organisation_id, buyer_id, bill_to, amount_paise, state, payment_id,
      created_at, paid_at)
    select quotes.id, quotes.organisation_id, people.id, '{}', total_paise,
      case when serial % 10 = 0 then 'failure' else 'success' end,
      case when serial % 10 > 0 then (400000000 + serial)::text end, quotes.created_at,
      case when serial % 10 > 0 then quotes.created_at end
    from quotes join people on people.organisation_id = quotes.organisation_id`);
  await client.query("vacuum analyze");
}

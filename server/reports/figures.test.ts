import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contractNumber } from "../../contract/numbers.ts";
import { contractYear, daysAfter } from "../../contract/proration.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member, scopeFor } from "../../tests/people.ts";
import { readMigrations } from "../database/database.ts";
import { contracts, monthlyFigures, orders, organisations, people, quotes } from "../database/schema/index.ts";
import { foldFigures, readFigures } from "./figures.ts";

let server: TestServer;
let partner: Member;
let customer: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  partner = await member(server, "partner");
  customer = await member(server, "user", { partnerId: partner.organisationId });
});
afterAll(() => server.stop());

const month = "to_char(instant at time zone 'Asia/Kolkata', 'YYYY-MM')";
const all = "select null::uuid as partner_id";

const isPaid = "state in ('success', 'refund_pending', 'partially_refunded')";

/** The same figures, computed from the records themselves. */
const counted = `select partner_id, month, sum(orders)::int as orders, sum(paise)::bigint as paise,
    sum(leads)::int as leads, sum(converted)::int as converted, sum(customers)::int as customers,
    sum(partners)::int as partners
  from (
    select whose.partner_id, ${month} as month, 1 as orders, amount_paise as paise, 0 as leads, 0 as converted,
        0 as customers, 0 as partners
      from (select *, coalesce(paid_at, created_at) as instant from orders where ${isPaid}) as paid
        cross join lateral (${all} union all select paid.partner_id where paid.partner_id is not null) as whose
    union all
    select null, ${month}, 0, 0, 1, paid, 0, 0 from (select created_at as instant,
        (select count(*) from orders where quote_id = quotes.id and ${isPaid}) as paid
      from quotes where contract_id is null) as sent
    union all
    select null, ${month}, 0, 0, 0, 0, (role = 'user')::int, (role = 'partner')::int
      from (select role, created_at as instant from people where role in ('user', 'partner')) as joined
    union all
    select partner_id, ${month}, 0, 0, 0, 0, 1, 0 from (select partner_id, created_at as instant
      from organisations where kind = 'customer' and partner_id is not null) as brought
  ) as facts group by 1, 2 order by 1 nulls first, 2`;
const kept = `select partner_id, month, sum(orders)::int as orders, sum(paise)::bigint as paise,
    sum(leads)::int as leads, sum(converted)::int as converted, sum(customers)::int as customers,
    sum(partners)::int as partners
  from monthly_figures group by 1, 2
  having (sum(orders), sum(paise), sum(leads), sum(converted), sum(customers), sum(partners)) <> (0, 0, 0, 0, 0, 0)
  order by 1 nulls first, 2`;

/** The differences between both, read in one snapshot, so that no change comes in between. */
async function differences(): Promise<string[]> {
  const { rows } = await server.services.database.$client.query<{ kept: object[]; counted: object[] }>(
    `select (select json_agg(kept) from (${kept}) as kept) as kept,
      (select json_agg(counted) from (${counted}) as counted) as counted`,
  );
  const [inFigures = [], inBooks = []] = [rows[0]?.kept, rows[0]?.counted].map((some) =>
    some?.map((row) => JSON.stringify(row)),
  );
  if (inBooks.length === 0) throw new Error("The books are empty");
  return [
    ...inFigures.filter((row) => !inBooks.includes(row)).map((row) => `only in the figures: ${row}`),
    ...inBooks.filter((row) => !inFigures.includes(row)).map((row) => `only in the books: ${row}`),
  ];
}

it("The figures of each month are those of the books, whatever is paid, given back, moved or deleted", async () => {
  const { database } = server.services;
  const order = await insertOrder(server, customer);
  expect(await differences()).toEqual([]);
  const set = (change: Partial<typeof orders.$inferInsert>) =>
    database.update(orders).set(change).where(eq(orders.id, order.id));
  for (const change of [
    { state: "refund_pending" },
    { state: "partially_refunded" },
    { state: "success" },
    { amountPaise: 12_34 },
    { paidAt: new Date("2026-01-31T18:29:59Z") },
    { paidAt: new Date("2026-01-31T18:30:00Z") },
    { state: "refunded" },
    { reviewReason: "Looked at." },
    { state: "success" },
  ] satisfies Partial<typeof orders.$inferInsert>[]) {
    await set(change);
    expect(await differences()).toEqual([]);
  }
  const lead = await insertQuote(server, null, { createdAt: new Date("2025-12-31T18:30:00Z") });
  expect(await differences()).toEqual([]);
  await database
    .update(quotes)
    .set({ createdAt: new Date("2025-01-01") })
    .where(eq(quotes.id, order.quoteId));
  await database.update(organisations).set({ createdAt: new Date("2025-02-01") });
  await database.update(people).set({ createdAt: new Date("2025-03-01") });
  expect(await differences()).toEqual([]);
  const other = await member(server, "partner");
  await database
    .update(organisations)
    .set({ partnerId: other.organisationId })
    .where(eq(organisations.id, customer.organisationId));
  expect(await differences()).toEqual([]);
  await database.delete(quotes).where(eq(quotes.id, lead.id));
  expect(await differences()).toEqual([]);
});

/** What follows from a customer's contract, and an order for it. */
async function insertRenewal() {
  const { database } = server.services;
  const { id: orderId } = await insertOrder(server, customer, { paidAt: new Date("2025-07-01T00:00:00Z") });
  const [contract] = await database.select().from(contracts).where(eq(contracts.orderId, orderId));
  if (!contract) throw new Error("There is no contract");
  const term = {
    kind: "renew" as const,
    contractNumber: contractNumber(contract.serial),
    ...contractYear(daysAfter(contract.endsOn, 1)),
    discountBasisPoints: 0,
  };
  const renewal = { contractId: contract.id, term: { ...term, daysOfYear: term.days } };
  const quote = await insertQuote(server, customer, { ...renewal, createdAt: new Date("2025-08-01T00:00:00Z") });
  const order = await insertOrder(server, customer, { quoteId: quote.id, state: "pending" });
  return { quote, order };
}

const figuresOf = async (month: string) => {
  const everything = await scopeFor(server, "admin/overview", await member(server, "admin"));
  const { byMonth } = await readFigures(server.services, [{ name: month, start: new Date() }], everything);
  return byMonth[0];
};

it("What follows from a contract is no estimate sent and none converted, though its order counts", async () => {
  const { database } = server.services;
  const { quote, order } = await insertRenewal();
  expect(await figuresOf("2025-08")).toMatchObject({ leads: 0, converted: 0, orders: 0 });
  const paid = { state: "success" as const, paidAt: new Date("2025-08-02T00:00:00Z") };
  await database.update(orders).set(paid).where(eq(orders.id, order.id));
  const { amountPaise } = order;
  expect(await figuresOf("2025-08")).toMatchObject({ leads: 0, converted: 0, orders: 1, paise: amountPaise });
  expect(await differences()).toEqual([]);
  await database.update(quotes).set({ contractId: null, term: null }).where(eq(quotes.id, quote.id));
  expect(await figuresOf("2025-08")).toMatchObject({ leads: 1, converted: 1 });
  await database.update(quotes).set({ contractId: quote.contractId, term: quote.term }).where(eq(quotes.id, quote.id));
  expect(await differences()).toEqual([]);
});

it("An order of which a part went back, or is about to, counts in full; one of which all went back does not", async () => {
  const order = await insertOrder(server, customer, { paidAt: new Date("2025-05-01T00:00:00Z") });
  const counts = { orders: 1, paise: order.amountPaise };
  const told = [];
  for (const state of ["refund_pending", "partially_refunded", "refund_pending", "refunded"] as const) {
    await server.services.database.update(orders).set({ state }).where(eq(orders.id, order.id));
    told.push(await figuresOf("2025-05"));
  }
  expect(told).toMatchObject([counts, counts, counts, { orders: 0, paise: 0 }]);
});

it("The migrations leave the figures of the books to who has contracts and refunds already", async () => {
  const { database } = server.services;
  const { quote } = await insertRenewal();
  await database.update(orders).set({ state: "success" }).where(eq(orders.quoteId, quote.id));
  for (const state of ["refund_pending", "partially_refunded"] as const) {
    await insertOrder(server, customer, { state });
    const { order } = await insertRenewal();
    await database.update(orders).set({ state }).where(eq(orders.id, order.id));
  }
  await database.delete(monthlyFigures);
  const kept = readMigrations().flatMap(({ sql: statements }) => statements);
  for (const statement of kept.filter((each) => /^\s*(--.*\s+)*insert into monthly_figures/.test(each)))
    await database.$client.query(statement);
  expect(await differences()).toEqual([]);
});

it("What is undone with its transaction is not counted", async () => {
  const { database } = server.services;
  const undone = database.transaction(async (transaction) => {
    await transaction.update(orders).set({ amountPaise: 99_00, state: "success" });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await differences()).toEqual([]);
});

it("Parallel payments, refunds and folds neither wait for each other for good nor lose a figure", async () => {
  const { database } = server.services;
  const made = await Promise.all(Array.from({ length: 12 }, () => insertOrder(server, customer, { state: "pending" })));
  const pay = (ids: string[], state: "success" | "refunded") =>
    database.transaction(async (transaction) => {
      for (const id of ids)
        await transaction.update(orders).set({ state, paidAt: new Date() }).where(eq(orders.id, id));
    });
  const ids = made.map(({ id }) => id);
  const looked: Promise<string[]>[] = [];
  const changed: Promise<void>[] = [];
  // Half of them in reverse order: with one stored row per month, such transactions would deadlock.
  for (let at = 0; at < ids.length; at += 3) {
    const some = ids.slice(at, at + 3);
    changed.push(pay(at % 2 ? some.toReversed() : some, "success"), foldFigures(database));
    looked.push(differences());
  }
  await Promise.all(changed);
  expect((await Promise.all(looked)).flat()).toEqual([]);
  await Promise.all([pay(ids.slice(0, 5), "refunded"), foldFigures(database), foldFigures(database)]);
  expect(await differences()).toEqual([]);
});

it("A fold leaves one row for each month", async () => {
  const { database } = server.services;
  await foldFigures(database);
  const { rows } = await database.execute<{ rows: number }>(
    sql`select count(*)::int as rows from monthly_figures group by partner_id, month order by 1 desc limit 1`,
  );
  expect(rows).toEqual([{ rows: 1 }]);
  expect(await differences()).toEqual([]);
});

import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { contractOf } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { bankOfTests, bankStatement, newUtr, seenCertificate, transferBuyer, today } from "../../tests/transfers.ts";
import { deliverCreditNote } from "../billing/credit-notes.ts";
import { deliverInvoice } from "../billing/invoices.ts";
import { deliverProforma } from "../billing/proformas.ts";
import { deliverReceipt } from "../billing/receipts.ts";
import { deliverRefundVoucher } from "../billing/refund-vouchers.ts";
import { quotes, rateLimits } from "../database/schema/index.ts";
import { isOutage } from "../failures/outage.ts";

/**
 * Operations on money by transfer, with the database session of the caller killed before its first write, before its
 * second and so on, until the call goes through; then the call is made once more, as by somebody who never got the
 * response. The books have to equal those of a customer for whom nothing ever failed: no entry twice, no document
 * missing or doubled, no number left out.
 */
let server: TestServer;
let admin: Member;
let second: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 0 } });
  admin = await member(server, "admin");
  second = await member(server, "admin", { organisationId: admin.organisationId });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
  // How documents look is tested elsewhere: here it matters only that each is made.
  server.services.documents.render = async () => new TextEncoder().encode("%PDF");
  await layMines();
});
afterAll(() => server.stop());

const db = () => server.services.database;

/**
 * Counts each statement that writes; the one whose turn it is kills its own session. A sequence keeps counting even
 * when everything else is rolled back.
 */
async function layMines(): Promise<void> {
  await db().$client.query(`
    create schema mines;
    create sequence mines.written;
    create table mines.armed (at bigint not null);
    insert into mines.armed values (0);
    create function mines.step() returns trigger language plpgsql as $$ begin
      -- The queue looks after its own rows at any time.
      if current_setting('application_name') = 'prahari-jobs' then return null; end if;
      if (select at from mines.armed) > 0 and nextval('mines.written') = (select at from mines.armed) then
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(5);
      end if;
      return null;
    end $$;
    do $$ declare name text; begin
      for name in select format('%I.%I', schemaname, tablename) from pg_tables
          where schemaname = 'public' and tablename <> 'rate_limits' loop
        execute format('create trigger mine before insert or update or delete on %s for each statement execute function mines.step()', name);
      end loop;
    end $$;
    create trigger mine before insert on jobs.job_common for each statement execute function mines.step()`);
}

async function arm(at: number): Promise<void> {
  await db().delete(rateLimits);
  await db().$client.query("select setval('mines.written', 1, false)");
  await db().$client.query(`update mines.armed set at = ${at}`);
}
const isBlown = async (at: number) => {
  const { rows } = await db().$client.query<{ blown: boolean }>(
    `select last_value >= ${at} and is_called as blown from mines.written`,
  );
  return rows[0]?.blown === true;
};

/** How often sessions were killed. */
let crashes = 0;

const saysOutage = (reply: unknown) => (reply as { status?: number } | undefined)?.status === 503;

/** Runs `act` with a crash at every possible place before it goes through; then once more. */
async function throughCrashes(act: () => Promise<unknown>): Promise<void> {
  for (let at = 1; ; at++) {
    // oxlint-disable-next-line no-await-in-loop -- one crash place at a time
    await arm(at);
    // oxlint-disable-next-line no-await-in-loop
    const isTurnedAway = await act().then(saysOutage, isOutage);
    // oxlint-disable-next-line no-await-in-loop
    if (await isBlown(at)) crashes++;
    // The database recovered too late for this try: the same place again.
    else if (isTurnedAway) at--;
    else break;
  }
  await arm(0);
  await act().catch(() => {});
}

type Doing = (act: () => Promise<unknown>) => Promise<unknown>;
const once: Doing = (act) => act();

const deducts = { section: "194J", percent: 10 };
const own = async <Row>(query: ReturnType<typeof sql>) => (await db().execute(query)).rows as Row[];
const record = (utr: string, amount: string, pays: string) =>
  server.call(
    "admin/transfers/record",
    { utr, received_on: today(server), payer: "Periyar", amount, pays },
    admin.token,
  );

/** Requests a refund, approves it where needed, and pays it out. */
async function giveBack(doing: Doing, payment: string, amount: string): Promise<void> {
  const [id, reference] = [randomUUID(), newUtr()];
  await doing(() => server.call("admin/refunds/ask", { id, payment, amount, reason: "Called off" }, admin.token));
  await payOut(doing, id, reference);
}

async function payOut(doing: Doing, id: string, bank_reference = newUtr()): Promise<void> {
  await doing(() => server.call("admin/refunds/approve", { id }, second.token));
  await doing(() => server.call("admin/refunds/paid-out", { id, bank_reference, paid_on: today(server) }, admin.token));
}

/** Does all pending document jobs, as a worker or the sweep would. */
async function makePapers(doing: Doing): Promise<void> {
  for (const [table, deliver] of [
    ["invoices", deliverInvoice],
    ["credit_notes", deliverCreditNote],
    ["proformas", deliverProforma],
    ["receipts", deliverReceipt],
    ["refund_vouchers", deliverRefundVoucher],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    for (const { id } of await own<{ id: string }>(sql`select id from ${sql.raw(table)} where file is null`))
      // oxlint-disable-next-line no-await-in-loop
      await doing(() => deliver(server.services, id));
}

/**
 * By proforma: a part payment, a refund of some of it, the rest by a bank statement, a refund, money that belongs to
 * another order, the certificate, and its tax owed again.
 */
async function byProforma(doing: Doing): Promise<string> {
  const { choose, person } = await transferBuyer(server);
  await doing(() => choose({ deducts }));
  const [order] = await own<{ id: string; document: string; pay: string }>(
    sql`select orders.id, proformas.reference as document, proformas.pay_paise as pay from orders
      join proformas on proformas.order_id = orders.id where organisation_id = ${person.organisationId}`,
  );
  if (!order) throw new Error("There is no order");
  const utr = newUtr();
  await doing(() => record(utr, "118.00", order.document));
  await giveBack(doing, order.id, "59.00");
  const rest = rupees(Number(order.pay) - 59_00 + 5_00);
  const file = bankStatement([{ utr: newUtr(), credit: rest, narration: order.document }]);
  await doing(() => server.call("admin/transfers/import", { file, name: "january.csv" }, admin.token));
  await giveBack(doing, order.id, "100.00");
  const wrong = randomUUID();
  const moved = { id: wrong, payment: order.id, amount: "60.00", reason: "Of another order" };
  await doing(() => server.call("admin/refunds/ask", moved, admin.token));
  await doing(() => server.call("admin/refunds/approve", { id: wrong }, second.token));
  await doing(() => server.call("admin/transfers/enter-again", { refund: wrong }, admin.token));
  const [claim] = await own<{ id: string; paise: string }>(
    sql`update tax_deductions set claimed_at = claimed_at - interval '1 year' where order_id = ${order.id}
      returning id, amount_paise as paise`,
  );
  const id = claim?.id ?? "";
  await doing(() => server.call("admin/certificates/owe-again", { id, reason: "None came" }, admin.token));
  const pdf = Buffer.from("%PDF-1.7").toString("base64");
  const sent = { id, number: "A", quarter: "2026-27 Q3", amount: rupees(Number(claim?.paise)), file: pdf };
  await doing(() => server.call("user/certificates/upload", sent, person.token));
  const seen = await seenCertificate(server, id);
  await doing(() => server.call("admin/certificates/decide", { ...seen, decision: "matched" }, admin.token));
  await makePapers(doing);
  return order.id;
}

/** Against invoice: a part payment, the rest written off by two people, fewer devices, and money that comes after all. */
async function againstInvoice(doing: Doing): Promise<string> {
  const { choose, person, quote } = await transferBuyer(server);
  await db().update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
  await doing(() => choose({ way: "invoice" }));
  const [order] = await own<{ id: string; document: string; owed: string }>(
    sql`select id, invoice_number as document, owed_paise as owed from orders
      where organisation_id = ${person.organisationId}`,
  );
  if (!order) throw new Error("There is no order");
  const [part, late] = [newUtr(), newUtr()];
  await doing(() => record(part, rupees(Number(order.owed) - 200_00), order.document));
  const writeOff = { id: randomUUID(), order_id: order.id, kind: "write-off" as const, reason: "Insolvent" };
  await doing(() => server.call("admin/receivables/settle", { ...writeOff, amount: "200.00" }, admin.token));
  await doing(() => server.call("admin/write-offs/agree", { id: writeOff.id }, second.token));
  const contract = await contractOf(server, person);
  const less = {
    id: randomUUID(),
    contract_id: contract.id,
    series: contract.lines[0]?.series ?? 0,
    quantity: 1,
    wished_on: "2099-01-01",
    reason: "One was switched off",
  };
  const today = contract.starts_on;
  await doing(() => server.call("user/contracts/ask-less", { ...less, wished_on: today }, person.token));
  const decision = { id: less.id, effective_on: today, agreed: true, answer: "As you wish" };
  await doing(() => server.call("admin/contracts/decide-less", decision, admin.token));
  const refunds = await own<{ id: string }>(sql`select id from refunds where order_id = ${order.id}`);
  // oxlint-disable-next-line no-await-in-loop -- in sequence
  for (const { id } of refunds) await payOut(doing, id);
  await doing(() => record(late, "30.00", order.document));
  await makePapers(doing);
  return order.id;
}

/** Everything stored about an order, without ids and numbers. */
async function booksOf(orderId: string) {
  const [books] = await own<Record<string, unknown>>(sql`select
    (select json_agg(json_build_array(kind, amount_paise) order by at, id) from ledger_entries where order_id = orders.id) as ledger,
    (select json_agg(json_build_array(state, file is not null) order by id) from proformas where order_id = orders.id) as proformas,
    (select json_agg(json_build_array(content->>'totalPaise', file is not null) order by id) from receipts where order_id = orders.id) as receipts,
    (select json_agg(json_build_array(content->>'totalPaise', file is not null) order by id) from refund_vouchers where order_id = orders.id) as vouchers,
    (select json_agg(json_build_array(content->>'totalPaise', file is not null) order by id) from invoices where order_id = orders.id) as invoices,
    (select json_agg(json_build_array(amount_paise, credit_notes.file is not null) order by credit_notes.id) from credit_notes
      join invoices on invoices.id = invoice_id where order_id = orders.id) as credit_notes,
    (select json_agg(json_build_array(amount_paise, state) order by id) from transfers where order_id = orders.id) as transfers,
    (select json_agg(json_build_array(amount_paise, state) order by asked_at) from refunds where order_id = orders.id) as refunds,
    (select json_agg(json_build_array(again.amount_paise, again.state)) from refunds join transfers again on again.utr = bank_reference
      where refunds.order_id = orders.id and moved_from is not null) as entered_again,
    (select json_agg(json_build_array(amount_paise, state)) from write_off_requests where order_id = orders.id) as write_offs,
    (select json_agg(json_build_array(amount_paise, state, debt_since is not null)) from tax_deductions where order_id = orders.id) as deductions,
    (select json_agg(json_build_array(kind, resolved_at is not null) order by id) from findings where order_id = orders.id) as findings,
    (select json_agg(template order by template) from (select content->>'template' as template from mails
      where recipient = orders.buyer_email) as told) as mails,
    (select json_agg(kind order by kind) from notices join people on people.id = person_id
      where people.organisation_id = orders.organisation_id) as notices,
    state, owed_paise, expected_paise, tax_open_paise, payment_id is not null as is_paid
    from orders where id = ${orderId}`);
  return books;
}

/** Serial numbers of a table that are missing or used twice. */
const gapsOf = (table: string) =>
  own(
    sql`select serial from (select serial, row_number() over (partition by financial_year order by serial) as place
      from ${sql.raw(table)}) as numbered where serial <> place`,
  );

describe("A session that ends before any of its writes leaves the books as if it never had", () => {
  it.each([
    ["by a proforma", byProforma],
    ["against invoice", againstInvoice],
  ])(
    "of an order that is paid %s",
    async (_way, live) => {
      const before = crashes;
      const expected = await booksOf(await live(once));
      expect(await booksOf(await live(throughCrashes))).toEqual(expected);
      expect(crashes - before).toBeGreaterThan(75);
      const numbered = ["invoices", "credit_notes", "proformas", "receipts", "refund_vouchers"];
      expect((await Promise.all(numbered.map(gapsOf))).flat()).toEqual([]);
      const { rows } = await db().$client.query("select 1 from ledger_entries where amount_paise = 0");
      expect(rows).toEqual([]);
    },
    600_000,
  );
});

it("The books of both ways are those that the ledger adds up to", async () => {
  expect(
    await own(sql`select orders.id from orders where owed_paise <>
      (select coalesce(sum(amount_paise), 0) from ledger_entries where order_id = orders.id)`),
  ).toEqual([]);
});

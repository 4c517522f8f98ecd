import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { sellerIs } from "../../tests/billing.ts";
import { answerTo, comeBack } from "../../tests/buyer.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { randomFrom } from "../../tests/random.ts";
import { bankOfTests, bankStatement, newUtr, seenCertificate, transferBuyer, today } from "../../tests/transfers.ts";
import { quotes, rateLimits } from "../database/schema/index.ts";
import { foldOwedFigures } from "./receivables.ts";

const histories = Number(process.env["HISTORIES"] ?? 25);
const seed = Number(process.env["HISTORY_SEED"] ?? Date.now() % 1_000_000);

let server: TestServer;
let admin: Member;
let second: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 2_000_00 } });
  admin = await member(server, "admin");
  second = await member(server, "admin", { organisationId: admin.organisationId });
  await sellerIs(server, { bank: bankOfTests, creditDays: 30 });
});
afterAll(() => server.stop());

interface Order {
  id: string;
  document: string;
  owed: number;
  expected: number;
}

/** The present state of the customer's order. */
async function orderOf(organisationId: string): Promise<Order | undefined> {
  const { rows } = await server.services.database.execute<{
    id: string;
    document: string | null;
    owed: string;
    expected: string;
  }>(
    sql`select id, owed_paise as owed, expected_paise as expected, coalesce(nullif(invoice_number, ''),
        (select number from proformas where order_id = orders.id order by serial desc limit 1)) as document
      from orders where organisation_id = ${organisationId}`,
  );
  const [found] = rows;
  return (
    found && {
      id: found.id,
      document: found.document ?? "",
      owed: Number(found.owed),
      expected: Number(found.expected),
    }
  );
}

/** Each organisation's balance in the ledger, and the sums of its documents and payments. */
async function compare() {
  const { rows } = await server.services.database.execute<Record<"ledger" | "shown" | "documents", string>>(sql`
    select
      (select coalesce(sum(ledger_entries.amount_paise), 0) from ledger_entries join orders on orders.id = order_id
        where orders.organisation_id = organisations.id) as ledger,
      (select coalesce(sum(owed_paise), 0) from orders where orders.organisation_id = organisations.id) as shown,
      (select coalesce(sum((invoices.content->>'totalPaise')::bigint), 0) from invoices join orders on orders.id = order_id
        where orders.organisation_id = organisations.id)
      - (select coalesce(sum(credit_notes.amount_paise), 0) from credit_notes join invoices on invoices.id = invoice_id
          join orders on orders.id = order_id where orders.organisation_id = organisations.id)
      - (select coalesce(sum(captured_paise), 0) from attempts join orders on orders.id = order_id
        where orders.organisation_id = organisations.id)
      - (select coalesce(sum(transfers.amount_paise), 0) from transfers join orders on orders.id = order_id
        where orders.organisation_id = organisations.id and transfers.state in ('matched', 'partly_matched'))
      + (select coalesce(sum(refunds.amount_paise), 0) from refunds join orders on orders.id = order_id
        where orders.organisation_id = organisations.id and refunds.state = 'done')
      - (select coalesce(sum(tax_deductions.amount_paise), 0) from tax_deductions join orders on orders.id = order_id
        where orders.organisation_id = organisations.id)
      + (select coalesce(sum(ledger_entries.amount_paise), 0) from ledger_entries join orders on orders.id = order_id
        where orders.organisation_id = organisations.id and reason <> '') as documents
    from organisations where kind = 'customer'`);
  return rows.filter(({ ledger, shown, documents }) => ledger !== shown || ledger !== documents);
}

async function live(random: (below: number) => number): Promise<string[]> {
  const { choose, start, person, quote } = await transferBuyer(server);
  const told: string[] = [];
  const deducts = { section: "194J", percent: 10 };
  const record = async (paise: number, document: string | null, utr = newUtr()) => {
    if (paise <= 0) return;
    const transfer = { utr, amount: rupees(paise), received_on: today(server), payer: "Somebody", pays: document };
    await Promise.all([
      server.call("admin/transfers/record", transfer, admin.token),
      server.call("admin/transfers/record", transfer, admin.token),
    ]);
  };
  const writeOff = (order: Order) =>
    server.call(
      "admin/receivables/settle",
      {
        id: randomUUID(),
        order_id: order.id,
        kind: "write-off",
        amount: rupees(order.owed + order.expected),
        reason: "History",
      },
      admin.token,
    );
  /** Takes a refund's money off its order, twice at once, and matches it with the order again. */
  const enterAgain = async (refund: string, pays: string) => {
    await Promise.all([1, 2].map(() => server.call("admin/transfers/enter-again", { refund }, admin.token)));
    const [waits] = (await server.call("admin/transfers", { open: "true", search: "/2" }, admin.token)).body.transfers;
    if (waits) await server.call("admin/transfers/match", { id: waits.id, pays, is_meant: true }, admin.token);
  };
  const steps: Record<string, () => Promise<unknown>> = {
    "choose transfer": () => choose({ takeOver: true, ...(random(2) && { deducts }) }),
    "against invoice": async () => {
      await server.services.database.update(quotes).set({ decision: "accepted" }).where(eq(quotes.id, quote.id));
      return choose({ way: "invoice", takeOver: true, ...(random(2) && { deducts }) });
    },
    "pay online": async () => {
      const form = await start({ takeOver: true });
      if (form.status === 200) await comeBack(server, answerTo(server, form.body));
    },
    "transfer a part": async () => {
      const order = await orderOf(person.organisationId);
      if (order) await record(1 + random(100_000), order.document || null);
    },
    "transfer the rest": async () => {
      const order = await orderOf(person.organisationId);
      if (order) await record(order.owed + order.expected, order.document || null);
    },
    "transfer too much by statement": async () => {
      const order = await orderOf(person.organisationId);
      const [proforma] = (await server.call("user/payments-due", {}, person.token)).body.documents;
      if (!order || !proforma) return;
      const file = bankStatement([
        {
          utr: newUtr(),
          credit: rupees(Math.max(1, order.owed + order.expected) + random(500)),
          narration: proforma.reference,
        },
        { utr: newUtr(), credit: "3.00", narration: "somebody" },
      ]);
      await Promise.all(
        [1, 2].map(() => server.call("admin/transfers/import", { file, name: "history.csv" }, admin.token)),
      );
    },
    "write off": async () => {
      const order = await orderOf(person.organisationId);
      if (!order || order.owed + order.expected <= 0) return;
      await Promise.all([writeOff(order), writeOff(order)]);
      const { write_off } = (await server.call("admin/order", { id: order.id }, admin.token)).body;
      const end = random(3);
      if (!write_off || end === 0) return;
      const name = end === 1 ? "admin/write-offs/decline" : "admin/write-offs/agree";
      await Promise.all([1, 2].map(() => server.call(name, { id: write_off.id }, second.token)));
    },
    "give back": async () => {
      const order = await orderOf(person.organisationId);
      if (!order) return;
      const { payments } = (await server.call("admin/order", { id: order.id }, admin.token)).body;
      const came = payments.find(({ by, refundable }) => by === "transfer" && Number(refundable) > 0);
      if (!came) return;
      const amount = rupees(1 + random(paiseFrom(came.refundable)));
      const id = randomUUID();
      await Promise.all(
        [id, randomUUID()].map((each) =>
          server.call("admin/refunds/ask", { id: each, payment: came.id, amount, reason: "History" }, admin.token),
        ),
      );
      const { refunds } = (await server.call("admin/order", { id: order.id }, admin.token)).body;
      for (const refund of refunds) {
        // oxlint-disable-next-line no-await-in-loop -- in sequence
        if (refund.state === "asked") await server.call("admin/refunds/approve", { id: refund.id }, second.token);
        const paidOut = { id: refund.id, bank_reference: newUtr(), paid_on: today(server) };
        const end = random(4);
        // oxlint-disable-next-line no-await-in-loop
        if (end > 1) await server.call("admin/refunds/paid-out", paidOut, admin.token);
        // oxlint-disable-next-line no-await-in-loop
        if (end === 1) await enterAgain(refund.id, order.document);
      }
    },
    "owe deducted tax again": async () => {
      await server.services.database.execute(
        sql`update tax_deductions set claimed_at = claimed_at - interval '1 year'`,
      );
      const [claim] = (await server.call("user/payments-due", {}, person.token)).body.certificates;
      if (!claim) return;
      const owed = { id: claim.id, reason: "History" };
      await Promise.all([1, 2].map(() => server.call("admin/certificates/owe-again", owed, admin.token)));
    },
    "certify deducted tax": async () => {
      const [claim] = (await server.call("user/payments-due", {}, person.token)).body.certificates;
      if (!claim) return;
      const file = Buffer.from("%PDF-1.7").toString("base64");
      const sent = { id: claim.id, number: "A", quarter: "2026-27 Q3", amount: claim.amount, file };
      await server.call("user/certificates/upload", sent, person.token);
      const matched = { ...(await seenCertificate(server, claim.id)), decision: "matched" as const };
      await Promise.all([1, 2].map(() => server.call("admin/certificates/decide", matched, admin.token)));
    },
  };
  const names = Object.keys(steps);
  for (let step = 0; step < 8; step++) {
    const name = names[random(names.length)] ?? "";
    told.push(name);
    // oxlint-disable-next-line no-await-in-loop -- a history is a sequence
    await steps[name]?.();
  }
  return told;
}

/** The sums owed by due day, as stored and as computed from the orders. */
async function owedByDay(): Promise<Record<"kept" | "counted", unknown[]>> {
  const sums = sql`sum(owed_paise)::float8 as owed, sum(credit_paise)::float8 as credit,
    sum(expected_paise)::float8 as expected, sum(tax_open_paise)::float8 as certificates`;
  const { rows: kept } = await server.services.database.execute(
    sql`select * from (select due_on::text, ${sums} from owed_figures group by due_on) as kept
      where (owed, credit, expected, certificates) <> (0, 0, 0, 0) order by due_on`,
  );
  const { rows: counted } = await server.services.database.execute(
    sql`select due_on::text, ${sums} from (
        select due_on, asked.owed_paise, asked.expected_paise, tax_open_paise,
          asked.owed_paise + asked.expected_paise - orders.owed_paise - orders.expected_paise as credit_paise
          from orders cross join lateral (
            select greatest(orders.owed_paise + amiss_paise, 0) as owed_paise,
              greatest(orders.expected_paise + least(orders.owed_paise + amiss_paise, 0), 0) as expected_paise
          ) as asked
          where is_unsettled
      ) as unsettled group by due_on order by due_on`,
  );
  return { kept, counted };
}

it(
  `After ${histories} random histories every balance is the sum over documents and payments (seed ${seed})`,
  async () => {
    const random = randomFrom(seed).below;
    for (let history = 0; history < histories; history++) {
      // oxlint-disable-next-line no-await-in-loop -- one order per seed
      const told = await live(random);
      // oxlint-disable-next-line no-await-in-loop
      await server.services.database.delete(rateLimits);
      // oxlint-disable-next-line no-await-in-loop
      expect(await compare(), told.join(", ")).toEqual([]);
    }
    const { rows } = await server.services.database.execute<{ kind: string }>(
      sql`select distinct kind from ledger_entries`,
    );
    expect(rows.length).toBeGreaterThan(2);
    // The due day alone seldom changes.
    await server.services.database.execute(sql`update orders set due_on = due_on + 1 where is_unsettled`);
    const figures = await owedByDay();
    expect(figures.counted.length).toBeGreaterThan(0);
    expect(figures.kept).toEqual(figures.counted);
    await foldOwedFigures(server.services.database);
    expect(await owedByDay()).toEqual(figures);
  },
  30_000 + histories * 2000,
);

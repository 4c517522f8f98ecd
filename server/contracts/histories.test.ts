import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writtenDay } from "../../contract/india-time.ts";
import { again, buyQuote, contractHolder, contractOf } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { randomFrom } from "../../tests/random.ts";
import { contractChanges, contractLines, creditNotes, invoices } from "../database/schema/index.ts";
import { settleRefunds } from "../refunds/settle-refunds.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { refundApprovalPaise: 10_000_00 } });
});
afterAll(() => server.stop());

const day = 24 * 3600;
const types = ["Prod Server", "Hypervisor", "Web Servers"];
const today = () => writtenDay(server.services.now());
const device = (random: (below: number) => number, most: number) => ({
  service: "Server",
  deviceType: types[random(types.length)] ?? "",
  number: 1 + random(most),
});

/**
 * One customer's year: devices are added, requested to be removed and removed, while time passes and calls are refused
 * or repeated.
 */
async function liveThrough(random: (below: number) => number) {
  const { person, contract } = await contractHolder(server, [device(random, 200)]);
  for (let step = 0; step < 2 + random(4); step++) {
    server.passTime(random(40) * day + random(24) * 3600);
    const { token } = await again(server, person);
    if (random(2) === 0) {
      const asked = { contract_id: contract.id, selectedDevices: [device(random, 60)], from: today() };
      const { body } = await server.call("user/contracts/price-addition", asked, token);
      const made = { ...asked, quote_id: randomUUID(), total_cost: body.total };
      await server.call("user/contracts/add-devices", made, token);
      server.passTime(random(4) * day);
      await buyQuote(server, person, made.quote_id);
    } else await takeAway(random, token, (await contractOf(server, person)).id, await contractOf(server, person));
  }
  return contract.id;
}

async function takeAway(
  random: (below: number) => number,
  token: string,
  contract_id: string,
  { lines, ends_on }: Awaited<ReturnType<typeof contractOf>>,
) {
  const lasting = lines.filter(({ to }) => to === ends_on);
  const line = lasting[random(lasting.length)];
  if (!line) return;
  const [one, two] = [await member(server, "admin"), await member(server, "admin")];
  const on = line.from > today() ? line.from : today();
  const id = randomUUID();
  const asked = {
    id,
    contract_id,
    series: line.series,
    quantity: 1 + random(line.quantity),
    wished_on: on,
    reason: "Fewer",
  };
  await server.call("user/contracts/ask-less", asked, token);
  const decision = { id, agreed: random(5) > 0, effective_on: on, answer: "Decided" };
  await Promise.all([1, 2].map(() => server.call("admin/contracts/decide-less", decision, one.token)));
  const { rows } = await server.services.database.$client.query<{ id: string }>(
    "select id from refunds where state = 'asked'",
  );
  for (const refund of rows) {
    if (random(2) === 0) await server.call("admin/refunds/approve", { id: refund.id }, two.token);
    else await server.call("admin/refunds/decline", { id: refund.id, reason: "Not now" }, two.token);
  }
  server.passTime(3600);
  await settleRefunds(server.services);
}

/** The unrounded cost of a contract, added up day by day from its rows by the database itself. */
const dayByDay = async (contractId: string) => {
  const { rows } = await server.services.database.$client.query<{ exact: string }>(
    `select sum(quantity * rate_paise * (10000 - discount_basis_points)::numeric / 10000 / (contracts.ends_on - contracts.starts_on + 1)) as exact
     from contracts
       cross join lateral generate_series(contracts.starts_on, contracts.ends_on, interval '1 day') as each (day)
       join contract_lines on contract_lines.contract_id = contracts.id
         and each.day::date between contract_lines.starts_on and contract_lines.ends_on
     where contracts.id = $1`,
    [contractId],
  );
  return Number(rows[0]?.exact ?? 0);
};

const histories = Math.min(Number(process.env["HISTORIES"] ?? 20), 200);

it(`Invoices less credit notes come to what a contract had day by day, after ${histories} random years through the server`, async () => {
  const { database } = server.services;
  for (let seed = 1; seed <= histories; seed++) {
    const contractId = await liveThrough(randomFrom(seed).below);
    const changes = await database
      .select({ change: contractChanges, invoice: invoices.content, note: creditNotes.content })
      .from(contractChanges)
      .leftJoin(invoices, eq(invoices.orderId, contractChanges.orderId))
      .leftJoin(creditNotes, eq(creditNotes.id, contractChanges.creditNoteId))
      .where(eq(contractChanges.contractId, contractId));
    const papersPaise = changes.reduce(
      (sum, { invoice, note }) => sum + (invoice?.taxablePaise ?? 0) - (note?.taxablePaise ?? 0),
      0,
    );
    const lines = await database.select().from(contractLines).where(eq(contractLines.contractId, contractId));
    const keptPaise =
      lines.reduce((sum, { invoicedPaise }) => sum + invoicedPaise, 0) -
      changes.reduce((sum, { change }) => sum + change.creditedPaise, 0);
    const off = Math.abs(papersPaise - (await dayByDay(contractId)));
    expect({ seed, papersPaise, isWithin: off <= changes.length }).toEqual({
      seed,
      papersPaise: keptPaise,
      isWithin: true,
    });
  }
  // No credit note was made twice, by a refund or a second decision.
  const { rows } = await database.$client.query<{ notes: string; changes: string }>(
    `select (select count(*) from credit_notes) as notes,
       (select count(*) from contract_changes where credit_note_id is not null) as changes`,
  );
  expect(rows[0]?.notes).toBe(rows[0]?.changes);
});

import type { Client } from "pg";
import { askers, firstRows, laterRows, sizesOf } from "./list-rows.ts";

/** The partner of half of the customers. */
export const largePartnerId = askers.largePartner.organisationId;

/**
 * Fills long lists: this many quotes, nine of ten paid for and invoiced, as many audit entries, and up to 100,000
 * customers. Needs a rate card. The clients share the work.
 */
export async function fillLists(clients: readonly [Client, ...Client[]], rows: number): Promise<void> {
  const [client] = clients;
  const sizes = sizesOf(rows);
  for (const each of clients) {
    // Rows are inserted in the order of their time, as if they had come one after the other; this much memory sorts
    // them without files.
    await each.query("set work_mem = '512MB'");
    // Turns off triggers and foreign keys, which would look at row after row: statements below write what the triggers
    // would.
    await each.query("set session_replication_role = replica");
  }
  // Updating indexes row by row would take most of the time, so all that no constraint needs are dropped.
  const { rows: droppable } = await client.query<{ name: string; definition: string }>(
    `select format('%I', indexname) as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and indexdef !~ '^CREATE UNIQUE'
       and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass)`,
  );
  for (const { name } of droppable) await client.query(`drop index ${name}`);
  const {
    rows: [exclusion],
  } = await client.query<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'contract_lines_never_overlap'",
  );
  const neverOverlap = `alter table contract_lines add constraint contract_lines_never_overlap ${exclusion?.definition}`;
  await client.query("alter table contract_lines drop constraint contract_lines_never_overlap");
  await runChains(clients, firstRows(sizes));
  await runChains(clients, laterRows(sizes));
  for (const each of clients) await each.query("set maintenance_work_mem = '1500MB'");
  await runChains(
    clients,
    [...droppable.map(({ definition }) => definition), neverOverlap].map((definition) => [definition]).toReversed(),
  );
  await countFigures(client);
  for (const each of clients) await each.query("set session_replication_role = origin");
}

/** Runs chains of statements: each chain on one client and in order, as many chains at once as there are clients. */
async function runChains(clients: readonly Client[], chains: readonly (readonly string[])[]): Promise<void> {
  const left = [...chains];
  await Promise.all(
    clients.map(async (client) => {
      for (let chain = left.shift(); chain; chain = left.shift())
        for (const statement of chain) await client.query(statement);
    }),
  );
}

/** Computes the figures that the disabled triggers would have kept. */
async function countFigures(client: Client): Promise<void> {
  await client.query("truncate monthly_figures, lead_figures, owed_figures, coverage_sums");
  await client.query(`insert into monthly_figures (partner_id, month, orders, paise)
    select counted, month_in_india(dated_at), count(*), sum(amount_paise)
    from orders cross join lateral (values (null::uuid, true), (partner_id, partner_id is not null)) as kinds (counted, counts)
    where state = 'success' and counts group by 1, 2`);
  await client.query(`insert into monthly_figures (month, leads, converted)
    select month_in_india(quotes.created_at), count(*), count(orders.id)
    from quotes left join orders on orders.quote_id = quotes.id and orders.state = 'success' group by 1`);
  await client.query(`insert into monthly_figures (month, customers, partners)
    select month_in_india(created_at), count(*) filter (where role = 'user'), count(*) filter (where role = 'partner')
    from people where role in ('user', 'partner') group by 1`);
  await client.query(`insert into monthly_figures (partner_id, month, customers)
    select partner_id, month_in_india(created_at), count(*) from organisations
    where kind = 'customer' and partner_id is not null group by 1, 2`);
  await client.query(`insert into lead_figures (month, source, came, contacted, proposal_sent, negotiation, won, lost, junk)
    select month_in_india(created_at), source, count(*), count(*) filter (where furthest >= 1),
      count(*) filter (where furthest >= 2), count(*) filter (where furthest >= 3), count(*) filter (where furthest >= 4),
      count(*) filter (where state = 'lost'), count(*) filter (where state = 'junk')
    from leads where joined_to is null group by 1, 2`);
  await client.query(`insert into owed_figures (due_on, owed_paise, credit_paise, expected_paise, tax_open_paise)
    select due_on, sum(greatest(owed_paise, 0)), sum(greatest(-owed_paise, 0)), sum(expected_paise), sum(tax_open_paise)
    from orders where is_unsettled group by due_on`);
  await client.query(`insert into coverage_sums (partner_id, customers, unknown_customers, contracted, connected, silent,
      never_connected, missing, unknown)
    select counted, count(*), count(unknown_since), sum(contracted), sum(connected), sum(silent), sum(never_connected),
      sum(missing), sum(unknown)
    from coverage_figures
      cross join lateral (values (null::uuid, true), (partner_id, partner_id is not null)) as kinds (counted, counts)
    where counts group by 1`);
}

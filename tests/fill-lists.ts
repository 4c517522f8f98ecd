import type { Client } from "pg";

/** The partner of half of the customers, and one of a few. */
export const largePartnerId = "00000000-0000-7000-8000-000000000001";
export const smallPartnerId = "00000000-0000-7000-8000-000000000002";

/** What is counted, copied and checked for each row; what of it a list shows is written by the statements below. */
const rowByRow = [
  ["organisations", "keep_figures"],
  ["people", "copy_organisation"],
  ["orders", "copy_buyer"],
  ["contracts", "copy_organisation"],
  ["incidents", "copy_organisation"],
  ["people", "keep_figures"],
  ["quotes", "keep_figures"],
  ["orders", "keep_figures"],
  ["contract_lines", "contract_lines_guarded"],
  ["quotes", "make_lead"],
  ["orders", "win_lead"],
  ["orders", "show_paid"],
  ["customer_tools", "settle_customer"],
  ["customer_tools", "renew_copies"],
  ["invoices", "copy_invoice"],
] as const;

/**
 * Fills long lists: so many customers with a quote each, nine of ten paid for and invoiced. Words that many rows share stand in the
 * middle of a name, so that no order of the list brings them together. Needs a rate card. The clients share the work.
 */
export async function fillLists(clients: readonly [Client, ...Client[]], rows: number): Promise<void> {
  const [client] = clients;
  // Rows stand in the order of their time, as if they had come one after the other; sorting them needs no files.
  for (const each of clients) await each.query("set work_mem = '512MB'");
  // Row by row they would take most of the time, and so would the rules between tables and all indexes that no rule rests on.
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of tables)
    await client.query(`alter table ${name} disable trigger all; alter table ${name} enable trigger user`);
  for (const [table, trigger] of rowByRow) await client.query(`alter table ${table} disable trigger ${trigger}`);
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
  await runChains(clients, [
    [
      `insert into organisations (id, kind, name) values
        ('${largePartnerId}', 'partner', 'Sample Networks'), ('${smallPartnerId}', 'partner', 'Few Networks')`,
      `insert into organisations (kind, name, partner_id, created_at)
        select 'customer',
          initcap(left(md5(n::text), 7)) || (array[' Kaveri',' Ganga',' Yamuna',' Godavari'])[1 + n % 4] || ' Textiles',
          case when n % 200 = 1 then '${smallPartnerId}'::uuid when n % 2 = 0 then '${largePartnerId}'::uuid end,
          now() - n * interval '5 minutes'
        from generate_series(${rows}, 1, -1) as n`,
      `insert into customer_tools (organisation_id)
        select id from (select id, row_number() over () as n from organisations where kind = 'customer') as customers
        where n % 1000 > 0`,
      `insert into people (organisation_id, role, first_name, last_name, email, phone, created_at, joined_at,
          organisation_name, partner_id, partner_name, has_dashboards)
        select owner.id, 'user', 'Asha ' || left(md5(owner.id::text), 4), 'Rao ' || right(md5(owner.id::text), 6),
          n || '@' || left(md5(owner.name), 8) || '.example.in', '+9198' || lpad(n::text, 8, '0'), owner.created_at, owner.created_at,
          owner.name, owner.partner_id, coalesce(partner.name, ''), customer_tools.organisation_id is not null
        from (select *, row_number() over () as n from organisations where kind = 'customer') as owner
          left join organisations as partner on partner.id = owner.partner_id
          left join customer_tools on customer_tools.organisation_id = owner.id
        order by n`,
      `insert into quotes (organisation_id, organization_name, user_name, user_email, phone_number,
          number_of_users, message, rate_card_id, sample_rates, lines, subtotal_paise, discount_basis_points, discount_paise,
          gst_paise, total_paise, created_at, valid_until, partner_id)
        select organisation_id, organisation_name, first_name || ' ' || last_name, email, phone, 1 + n % 900,
          'Two plants and a head office.', (select id from rate_cards limit 1), true,
          case when n % 100 = 0 then '[{"subjectToConfirmation": true}]'::jsonb else '[]' end,
          100 * n, 0, 0, 18 * n, 118 * n, created_at, created_at + interval '30 days', case when n % 3 > 0 then partner_id end
        from (select *, row_number() over () as n from people where role = 'user') as people`,
    ],
    [
      // Before there are actions, for which each mail that failed would look.
      `insert into mails (event_key, recipient, attachments, created_at, sent_at, tries, last_error)
        select 'receipt:' || n, 'asha@example.in', '[]', now() - n * interval '1 minute',
          case when n % 1000 > 0 then now() end, 1, case when n % 1000 = 0 then 'connection refused' end
        from generate_series(1, ${rows}) as n`,
      `insert into articles (slug, title, author, tags, content, state, updated_at)
        select 'article-' || n, initcap(left(md5(n::text), 7)) || ' textiles', 'Asha ' || left(md5(n::text), 4),
          array['SOC', 'T' || n % 400], '{}', (array['draft','published','unpublished'])[1 + n % 3],
          now() - n * interval '1 hour'
        from generate_series(1, ${rows}) as n`,
    ],
  ]);
  await runChains(clients, [
    [
      `insert into orders (quote_id, organisation_id, buyer_id, bill_to, amount_paise, state, payment_id,
          created_at, paid_at, review_reason, invoice_number, organisation_name, partner_id, buyer_name, buyer_email)
        select quotes.id, quotes.organisation_id, people.id, '{}', total_paise,
          case when serial % 1000 = 0 then 'review' when serial % 10 = 0 then 'failure' else 'success' end,
          case when serial % 10 > 0 then (400000000 + serial)::text end, quotes.created_at,
          case when serial % 10 > 0 then quotes.created_at end, case when serial % 1000 = 0 then 'Paid twice.' end,
          case when serial % 10 > 0 then 'SOC/26-27/' || lpad(serial::text, 6, '0') else '' end,
          people.organisation_name, people.partner_id, people.first_name || ' ' || people.last_name, people.email
        from quotes join people on people.organisation_id = quotes.organisation_id order by serial`,
      `insert into invoices (order_id, financial_year, serial, number, content, issued_at)
        select id, '26-27', right(invoice_number, 6)::int, invoice_number, '{}', created_at from orders where invoice_number <> ''`,
      `insert into contracts (organisation_id, order_id, starts_on, ends_on, created_at, organisation_name, partner_id)
        select organisation_id, id, day, (day + interval '1 year')::date - 1, now(), organisation_name, partner_id
        from (select *, current_date - (row_number() over ())::int % 400 as day from orders where state = 'success') as paid`,
      `insert into contract_changes (contract_id, kind, effective_on, order_id)
        select id, 'start', starts_on, order_id from contracts`,
      `insert into contract_lines (contract_id, change_id, key, service, device_type, unit, quantity,
          rate_paise, discount_basis_points, starts_on, ends_on)
        select contracts.id, contract_changes.id, '{}', 'Server', 'Prod Server', 'device', 3, 100, 0, starts_on, ends_on
        from contracts join contract_changes on contract_id = contracts.id`,
    ],
    [
      // One for each quote and some that only asked to be contacted: owned, with a next step, in every state, joined.
      `insert into leads (user_name, user_email, phone, organization, organization_size, message, created_at,
          source, quote_id, quote_number, total_paise, rates_to_confirm_until, state, furthest, gstin)
        select user_name, user_email, phone_number, organization_name, number_of_users, message, created_at,
          case when is_contact then 'contact' else 'estimate' end, case when not is_contact then id end,
          case when is_contact then '' else 'Q-' || lpad(serial::text, 6, '0') end, total_paise,
          case when rates_to_confirm and not is_contact then valid_until end,
          (array['won','new','contacted','proposal_sent','negotiation','lost','junk'])[1 + serial % 7], serial % 5,
          case when serial % 3 = 0 then '29AAGCB7383J1Z4' end
        from quotes cross join (values (true), (false)) as kinds (is_contact) where not is_contact or serial % 20 = 0`,
      `update leads set owner_id = (select id from people order by id limit 1),
          next_step = 'Call', next_step_on = (created_at + interval '9 days')::date where serial % 50 = 0`,
      `update leads set joined_to = (select id from leads where serial = 1) where serial % 500 = 7`,
    ],
    [
      `insert into incidents (organisation_id, title, source, severity, state, opened_at, changed_at, rank,
          organisation_name, partner_id)
        select organisation_id, left(md5(serial::text), 7) || ' textiles ' || serial, 'analyst',
          (array['P1', 'P2', 'P3', 'P4'])[1 + serial % 4], case when is_open then 'new' else 'closed' end,
          quotes.created_at, quotes.created_at, case when is_open then serial % 9 else 200 + serial % 9 end,
          organisations.name, organisations.partner_id
        from (select *, serial > ${rows} - ${rows} / 100 as is_open from quotes) as quotes
          join organisations on organisations.id = organisation_id order by serial`,
    ],
    [
      `insert into action_items (queue, subject_id, about, who, problem, since, taken_by, closed_at, resolution)
        select queue, id, 'O-' || n, organization_name, 'Paid twice for ' || n, created_at,
          case when n % 7 = 0 then id end, case when n % 3 = 0 then created_at + interval '1 day' end,
          case when n % 3 = 0 then 'Looked up at the gateway' else '' end
        from (select *, row_number() over () as n from quotes) as quotes
          cross join (values ('payments'), ('proposals')) as queues (queue)`,
    ],
    [
      `with binding as (
          insert into engine_bindings (organisation_id, kind, address, next_poll_at)
            select id, 'wazuh4', 'https://engine.example.in', now() from organisations where kind = 'customer' order by id limit 20
            returning id, organisation_id)
        insert into engine_findings (binding_id, organisation_id, external_id, title, severity, raw_severity, state, at, attack, created_at)
          select binding.id, organisation_id, number, left(md5(number::text), 7) || ' kaveri', 'low', '3', 'open', now(), '{}',
            now() - number * interval '10 minutes'
          from binding, generate_series(1, 3000) as number`,
    ],
    [
      `insert into audit_entries (at, actor_id, action, subject, customer_id, partner_id, number, previous_hash, hash)
        select created_at, id, (array['sign-in', 'sign-out', 'refuse password', 'change profile'])[1 + n % 4], 'person:' || id,
          organisation_id, partner_id, n, md5(n::text), md5(id::text)
        from (select *, row_number() over () as n from people where role = 'user') as people`,
    ],
    [`insert into invoice_series (financial_year, last_serial) values ('26-27', ${rows})`],
  ]);
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger all`);
  for (const each of clients) await each.query("set maintenance_work_mem = '1500MB'");
  await runChains(
    clients,
    [...droppable.map(({ definition }) => definition), neverOverlap].map((definition) => [definition]).toReversed(),
  );
  await countFigures(client);
}

/** Runs chains of statements: each by one client in its order, as many at once as there are clients. */
async function runChains(clients: readonly Client[], chains: readonly (readonly string[])[]): Promise<void> {
  const left = [...chains];
  await Promise.all(
    clients.map(async (client) => {
      for (let chain = left.shift(); chain; chain = left.shift())
        for (const statement of chain) await client.query(statement);
    }),
  );
}

/** Counts what stands in the tables, as the triggers that were off would have. */
async function countFigures(client: Client): Promise<void> {
  await client.query("truncate monthly_figures");
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
}

import { escapeLiteral } from "pg";
import { shippedBrand } from "../contract/brand.ts";
import type { CoverageLine } from "../contract/coverage.ts";
import type { CertificateData, ReportData } from "../contract/report-data.ts";
import type { BillTo } from "../server/database/schema/bill-to.ts";
import type { TaxSplit } from "../server/database/schema/billing.ts";
import type { InvoiceContent } from "../server/database/schema/invoices.ts";
import type { QuoteLine } from "../server/database/schema/quotes.ts";

/**
 * A person who reads lists: of the operator, of a partner with half of the customers, of a partner with a few, or of a
 * customer.
 */
export type Asker = "provider" | "largePartner" | "smallPartner" | "customer";

const known = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, "0")}`;

/** Their ids and e-mails; the customer has a large fleet and a long history. */
export const askers: Record<Asker, { organisationId: string; personId: string; email: string }> = {
  largePartner: { organisationId: known(1), personId: known(11), email: "large@sample.example.in" },
  smallPartner: { organisationId: known(2), personId: known(12), email: "small@sample.example.in" },
  customer: { organisationId: known(3), personId: known(13), email: "customer@sample.example.in" },
  provider: { organisationId: known(4), personId: known(14), email: "provider@sample.example.in" },
};
const { customer, largePartner, provider, smallPartner } = askers;
const isAsker = `in (${Object.values(askers)
  .map(({ personId }) => `'${personId}'`)
  .join(", ")})`;

/** How many there are of everything that does not grow with quotes, orders and audit entries. */
export function sizesOf(rows: number) {
  const customers = Math.min(rows, 100_000);
  return {
    rows,
    customers,
    partners: Math.floor(customers / 50),
    /** Devices of one customer, and its engine's findings. */
    fleet: customers,
    /** Quotes of one customer, and their orders. */
    history: 120,
    /** One in this many orders is not settled. */
    unsettledEach: Math.max(2, Math.floor(rows / 10_000)),
    // Nobody writes or reads through a million articles, log sources, tiles, announcements, data requests or
    // reconciliation findings, and no month has more reports than there are customers.
    written: Math.min(rows, 20_000),
  };
}
type Sizes = ReturnType<typeof sizesOf>;

/** Words that many rows share are in the middle of a name, so that no sort of the list brings them together. */
const ofRivers = "(array[' Kaveri',' Ganga',' Yamuna',' Godavari'])[1 + n % 4] || ' Textiles'";

/** Customers, their people and quotes, and mails. */
export const firstRows = (sizes: Sizes): string[][] => [[...organisations(sizes), ...quotes(sizes)], mails(sizes)];

/** What follows from quotes, in chains that are independent of each other. */
export const laterRows = (sizes: Sizes): string[][] => [
  [...orders(sizes), ...contracts, ...transfers],
  leads,
  incidents(sizes),
  actions,
  engines(sizes),
  auditEntries(sizes),
  [...services, ...notices],
  writtenRows(sizes),
  [`insert into invoice_series (financial_year, last_serial) values ('26-27', ${sizes.rows})`],
];

const organisations = ({ customers, partners }: Sizes) => [
  `insert into organisations (id, kind, name) values
    ('${largePartner.organisationId}', 'partner', 'Sample Networks'),
    ('${smallPartner.organisationId}', 'partner', 'Few Networks'),
    ('${provider.organisationId}', 'provider', 'Sample Provider')`,
  `insert into organisations (kind, name, created_at)
    select 'partner', initcap(left(md5('partner ' || n), 7)) || ${ofRivers}, now() - n * interval '1 hour'
    from generate_series(${partners}, 1, -1) as n`,
  `insert into organisations (id, kind, name, partner_id, created_at)
    select case when n = ${customers} then '${customer.organisationId}' else uuidv7() end, 'customer',
      initcap(left(md5(n::text), 7)) || ${ofRivers},
      case when n % 200 = 1 then '${smallPartner.organisationId}'::uuid
        when n % 2 = 0 then '${largePartner.organisationId}'::uuid end,
      now() - n * interval '5 minutes'
    from generate_series(${customers}, 1, -1) as n`,
  `insert into customer_tools (organisation_id)
    select id from (select id, row_number() over () as n from organisations where kind = 'customer') as customers
    where n % 1000 > 0`,
  // One in twenty was invited and has not joined yet.
  `insert into people (id, organisation_id, role, first_name, last_name, email, phone, created_at, joined_at, invited_until,
      organisation_name, partner_id, partner_name, has_dashboards)
    select coalesce(known.person_id::uuid, uuidv7()), owner.id,
      case owner.kind when 'customer' then 'user' when 'partner' then 'partner' else 'admin' end,
      'Asha ' || left(md5(owner.id::text), 4), 'Rao ' || right(md5(owner.id::text), 6),
      coalesce(known.email, n || '@' || left(md5(owner.name), 8) || '.example.in'), '+9198' || lpad(n::text, 8, '0'),
      owner.created_at, case when n % 20 <> 7 or known.email is not null then owner.created_at end,
      owner.created_at + interval '7 days', owner.name, owner.partner_id, coalesce(partner.name, ''),
      customer_tools.organisation_id is not null
    from (select *, row_number() over () as n from organisations) as owner
      left join organisations as partner on partner.id = owner.partner_id
      left join customer_tools on customer_tools.organisation_id = owner.id
      left join (values ${Object.values(askers)
        .map(({ organisationId, personId, email }) => `('${organisationId}', '${personId}', '${email}')`)
        .join(", ")}) as known (organisation_id, person_id, email) on known.organisation_id::uuid = owner.id
    order by n`,
  `insert into people (organisation_id, role, first_name, last_name, email, phone, joined_at, organisation_name, partner_id,
      partner_name, has_dashboards)
    select organisation_id, role || 'Child', 'Ravi ' || left(md5(n::text), 4), 'Rao ' || right(md5(n::text), 6),
      n || '@' || left(md5(email::text), 8) || '.example.in', '+9197' || lpad(n::text, 8, '0'), now(), organisation_name,
      partner_id, partner_name, has_dashboards
    from people cross join generate_series(1, 60) as n where people.id ${isAsker}`,
];

const lines: QuoteLine[] = ["Firewall", "Router", "Switch", "Prod Server", "Domain Controller", "Web Application"].map(
  (deviceType, at) => ({
    key: { service: "Network & Security Solutions", deviceType },
    service: "Network & Security Solutions",
    deviceType,
    number: 4 + at,
    unit: "device",
    ratePaise: 1_250_000,
    amountPaise: 1_250_000 * (4 + at),
    subjectToConfirmation: false,
  }),
);
const linesToConfirm = lines.map((line, at) => ({ ...line, subjectToConfirmation: at === 0 }));
const json = (content: object) => `${escapeLiteral(JSON.stringify(content))}::jsonb`;

/** The times are five minutes apart. */
const quotesOf = (source: string, rows: number) =>
  `insert into quotes (organisation_id, organization_name, user_name, user_email, phone_number,
      number_of_users, message, rate_card_id, sample_rates, lines, subtotal_paise, discount_basis_points, discount_paise,
      gst_paise, total_paise, created_at, valid_until, partner_id)
    select organisation_id, organisation_name, first_name || ' ' || last_name, email, phone, 1 + n % 900,
      'Two plants and a head office.', (select id from rate_cards limit 1), true,
      case when n % 100 = 0 then ${json(linesToConfirm)} else ${json(lines)} end,
      100 * n, 0, 0, 18 * n, 118 * n, now() - (${rows} - n) * interval '5 minutes',
      now() - (${rows} - n) * interval '5 minutes' + interval '30 days', case when n % 3 > 0 then partner_id end
    from (${source}) as people`;

/** A long history of one customer, then all customers in turn. */
function quotes({ rows, customers, history }: Sizes): string[] {
  const own = `select people.*, n from people cross join generate_series(1, ${history}) as n
    where people.id = '${customer.personId}'`;
  const turns = Array.from({ length: Math.ceil((rows - history) / customers) }, (_, turn) => {
    const before = history + turn * customers;
    return `select *, ${before} + row_number() over () as n from people where role = 'user' limit ${Math.min(customers, rows - before)}`;
  });
  return [own, ...turns].map((source) => quotesOf(source, rows));
}

const mails = ({ rows }: Sizes) => [
  `insert into mails (event_key, recipient, attachments, created_at, sent_at, tries, last_error)
    select 'receipt:' || n, 'asha@example.in', '[]', now() - n * interval '1 minute',
      case when n % 1000 > 0 then now() end, 1, case when n % 1000 = 0 then 'connection refused' end
    from generate_series(1, ${rows}) as n`,
];

const billTo: BillTo = {
  organizationName: "Kaveri Textiles Private Limited",
  name: "Asha Rao",
  email: "accounts@kaveri.example.in",
  phone: "+919876543210",
  kind: "registered",
  gstin: "29AAGCB7383J1Z4",
  pan: "AAGCB7383J",
  address: "Survey No. 12, Peenya Industrial Area, Second Phase, Bengaluru",
  pinCode: "560058",
  state: "29",
  purchaseOrder: "PO/2026/00417",
};
const tax: TaxSplit = {
  treatment: "within the state",
  placeOfSupply: "29",
  taxablePaise: 48_750_000,
  taxes: [
    { name: "CGST", basisPoints: 900, amountPaise: 4_387_500 },
    { name: "SGST", basisPoints: 900, amountPaise: 4_387_500 },
  ],
  roundOffPaise: 0,
  totalPaise: 57_525_000,
  sentences: [],
};
const invoice: InvoiceContent = {
  supplier: shippedBrand,
  billTo,
  placeOfSupply: tax.placeOfSupply,
  treatment: tax.treatment,
  sentences: tax.sentences,
  period: { from: "2026-11-22", to: "2027-11-21" },
  quoteNumber: "Q-000123",
  orderNumber: "O-000123",
  roundOffPaise: 0,
  lines: lines.map(({ deviceType, number: quantity, ratePaise, amountPaise }) => ({
    description: `24 × 7 monitoring, ${deviceType}`,
    sac: "998319",
    quantity,
    ratePaise,
    amountPaise,
  })),
  subtotalPaise: tax.taxablePaise,
  discountPaise: 0,
  taxablePaise: tax.taxablePaise,
  taxes: tax.taxes,
  totalPaise: tax.totalPaise,
  paymentId: "403993715529889123",
};

/** Nine of ten are paid; half of them, or ten thousand, still owe something in the books, whoever bought them. */
const orders = ({ unsettledEach }: Sizes) => [
  `insert into orders (quote_id, organisation_id, buyer_id, bill_to, tax, amount_paise, state, payment_id,
      created_at, paid_at, review_reason, invoice_number, organisation_name, partner_id, buyer_name, buyer_email, owed_paise, due_on)
    select quotes.id, quotes.organisation_id, people.id, ${json(billTo)}, ${json(tax)}, total_paise,
      case when serial % 100 = 0 then 'review' when serial % 10 = 0 then 'failure' when serial % 100 = 51 then 'refunded'
        else 'success' end,
      case when serial % 10 > 0 then (400000000 + serial)::text end, quotes.created_at,
      case when serial % 10 > 0 then quotes.created_at end, case when serial % 100 = 0 then 'Paid twice.' end,
      case when serial % 10 > 0 then 'SOC/26-27/' || lpad(serial::text, 6, '0') else '' end,
      people.organisation_name, people.partner_id, people.first_name || ' ' || people.last_name, people.email,
      case when owes then total_paise else 0 end, case when owes then (quotes.created_at + interval '30 days')::date end
    from (select *, serial % 10 > 0 and abs(hashint8(serial)::bigint) % ${unsettledEach} = 1 as owes from quotes) as quotes
    join people on people.organisation_id = quotes.organisation_id and people.role = 'user' order by serial`,
  `insert into attempts (order_id, gateway, reference, gateway_payment_id, amount_paise, state, form, created_at, expires_at,
      next_check_at, ended_at)
    select id, 'payu', 'T' || serial, payment_id, amount_paise,
      case state when 'refunded' then 'success' else state end, '{"action":"","fields":{}}', created_at,
      created_at + interval '1 hour', null, created_at from orders`,
  `insert into invoices (order_id, financial_year, serial, number, content, issued_at)
    select id, '26-27', right(invoice_number, 6)::int, invoice_number, ${json(invoice)}, created_at
    from orders where invoice_number <> ''`,
];

const contracts = [
  `insert into contracts (organisation_id, order_id, starts_on, ends_on, created_at, organisation_name, partner_id)
    select organisation_id, id, day, (day + interval '1 year')::date - 1, now(), organisation_name, partner_id
    from (select *, current_date - (row_number() over ())::int % 400 as day from orders where state = 'success') as paid`,
  `insert into contract_changes (contract_id, kind, effective_on, order_id)
    select id, 'start', starts_on, order_id from contracts`,
  `insert into contract_lines (contract_id, change_id, key, service, device_type, unit, quantity,
      rate_paise, discount_basis_points, starts_on, ends_on)
    select contracts.id, contract_changes.id, '{}', 'Server', 'Prod Server', 'device', 3, 100, 0, starts_on, ends_on
    from contracts join contract_changes on contract_id = contracts.id`,
];

/** Half of the paid orders are paid by bank transfer, and tax is deducted from the other half. */
const transfers = [
  `insert into transfers (utr, state, order_id, amount_paise, received_on, payer, narration, order_number)
    select 'TESTN' || lpad(serial::text, 10, '0'), case when serial % 20 = 0 then 'seen' else 'matched' end, id, amount_paise,
      created_at::date, organisation_name, 'NEFT ' || left(md5(serial::text), 7), called_order(serial)
    from orders where serial % 2 = 0 order by serial`,
  `insert into tax_deductions (order_id, section, basis_points, amount_paise, state, claimed_at,
      certificate_number, quarter, organisation_name, order_number, invoice_number)
    select id, '194J', 1000, amount_paise / 10,
      case when serial % 100 = 51 then 'uploaded' when serial % 7 = 0 then 'awaited' else 'matched' end, created_at,
      left(md5(serial::text), 7), '2026-27 Q3', organisation_name, called_order(serial), invoice_number
    from orders where serial % 2 = 1 order by serial`,
];

const leads = [
  // One for each quote, and some mere contact requests: with owners and next steps, in every state, some joined.
  `insert into leads (user_name, user_email, phone, organization, organization_size, message, created_at,
      source, quote_id, quote_number, total_paise, rates_to_confirm_until, state, furthest, gstin)
    select user_name, user_email, phone_number, organization_name, number_of_users, message, created_at,
      case when is_contact then 'contact' else 'estimate' end, case when not is_contact then id end,
      case when is_contact then '' else called_quote(serial) end, total_paise,
      case when rates_to_confirm and not is_contact then valid_until end,
      (array['won','new','contacted','proposal_sent','negotiation','lost','junk'])[1 + serial % 7], serial % 5,
      case when serial % 3 = 0 then '29AAGCB7383J1Z4' end
    from quotes cross join (values (true), (false)) as kinds (is_contact) where not is_contact or serial % 20 = 0`,
  `update leads set owner_id = '${provider.personId}',
      next_step = 'Call', next_step_on = (created_at + interval '9 days')::date where serial % 50 = 0`,
  `update leads set joined_to = (select id from leads where serial = 1) where serial % 500 = 7`,
];

/** The newest are open, and so are some of one customer's. */
const incidents = ({ rows, history }: Sizes) => [
  `insert into incidents (organisation_id, title, source, severity, state, opened_at, changed_at, rank,
      organisation_name, partner_id)
    select organisation_id, left(md5(serial::text), 7) || ' textiles ' || serial, 'analyst',
      (array['P1', 'P2', 'P3', 'P4'])[1 + serial / 7 % 4], case when is_open then 'new' else 'closed' end,
      quotes.created_at, quotes.created_at, case when is_open then serial % 9 else 200 + serial % 9 end,
      organisations.name, organisations.partner_id
    from (
      select *, serial > ${rows} - ${rows} / 100 or serial <= ${history} and serial % 2 = 0 as is_open from quotes
    ) as quotes join organisations on organisations.id = organisation_id order by serial`,
];

/** Two queues are long; the others are a hundredth of that. */
const actions = [
  `insert into action_items (queue, subject_id, about, who, problem, since, taken_by, closed_at, resolution)
    select queue, id, 'O-' || n, organization_name, 'Paid twice for ' || n, created_at,
      case when n % 7 = 0 then '${provider.personId}'::uuid end, case when n % 3 = 0 then created_at + interval '1 day' end,
      case when n % 3 = 0 then 'Looked up at the gateway' else '' end
    from (select *, row_number() over () as n from quotes) as quotes
      join (values ('payments', 1), ('proposals', 1), ('mails', 100), ('refunds', 100), ('invoices', 100),
        ('dashboards', 100)) as queues (queue, step) on n % step = 0`,
];

/** One customer with a large fleet, and the findings of twenty. */
const engines = ({ fleet }: Sizes) => [
  `insert into engine_bindings (organisation_id, kind, address, next_poll_at)
    select id, 'wazuh4', 'https://engine.example.in', now() + interval '1 day' from organisations
    where kind = 'customer' order by id limit 20`,
  `insert into engine_streams (binding_id, stream, last_answer_at)
    select id, stream, now() from engine_bindings cross join (values ('devices'), ('findings')) as streams (stream)`,
  `insert into engine_findings (binding_id, organisation_id, external_id, title, severity, raw_severity, state, at, attack, created_at)
    select id, organisation_id, number, left(md5(number::text), 7) || ' kaveri', 'low', '3', 'open', now(), '{}',
      now() - number * interval '10 minutes'
    from engine_bindings cross join lateral
      generate_series(1, case organisation_id when '${customer.organisationId}' then ${fleet} else 3000 end) as number`,
  `insert into engine_devices (binding_id, organisation_id, external_id, identity, name, address, os, groups, state, last_seen_at)
    select id, organisation_id, n::text, 'd' || n, left(md5(n::text), 7) || ' textiles ' || n, '10.0.' || n % 250 || '.1',
      'Ubuntu', '{}', 'active', now()
    from engine_bindings cross join generate_series(1, ${fleet}) as n where organisation_id = '${customer.organisationId}'`,
  `insert into covered_devices (organisation_id, identity, device_id, name, address, state, place, service, device_type, silence_minutes)
    select organisation_id, identity, id, name, address,
      (array['silent', 'never', 'unknown', 'connected', 'connected', 'connected'])[1 + least(5, external_id::int % 1000)],
      (array['unmatched', 'beyond', 'not_ours', 'line'])[1 + least(3, external_id::int % 500)],
      'Server', case when external_id::int % 2 = 0 then 'Prod Server' else 'Kaveri' end, 60
    from engine_devices`,
];

const auditEntries = ({ rows, customers }: Sizes) => [
  `insert into audit_entries (at, actor_id, action, subject, customer_id, partner_id, number, previous_hash, hash)
    select now() - (${rows} - n) * interval '5 minutes', id,
      (array['sign-in', 'sign-out', 'refuse password', 'change profile'])[1 + n / 7 % 4], 'person:' || id,
      case when n % ${Math.max(1, Math.floor(rows / 2000))} = 0 then '${customer.organisationId}' else organisation_id end, partner_id, n, md5(n::text),
      md5(id::text || n)
    from (
      select id, organisation_id, partner_id, turn * ${customers} + row_number() over (partition by turn) as n
      from people cross join generate_series(0, ${Math.ceil(rows / customers) - 1}) as turn where role = 'user'
    ) as people order by n`,
];

const coverageLines: CoverageLine[] = lines.map(({ service, deviceType }) => ({
  service,
  deviceType,
  name: deviceType,
  contracted: 10,
  connected: 5,
  silent: 1,
  neverConnected: 1,
  unknown: 1,
  missing: 2,
  unknownSince: null,
  silenceMinutes: 60,
  reasons: [{ reason: "missing", devices: 2 }],
}));
const report: ReportData = {
  customer: "Kaveri Textiles",
  partner: null,
  month: "2026-10-01",
  timeZone: "Asia/Kolkata",
  from: "2026-09-30T18:30:00.000Z",
  until: "2026-10-31T18:30:00.000Z",
  coverage: null,
  incidents: { opened: { P1: 0, unknown: 0, P2: 1, P3: 2, P4: 3 }, resolved: 5, open: 1, rows: [], more: 0 },
  promises: { isSample: false, rows: [{ clock: "acknowledge", kept: 5, broken: 1, undone: 0 }] },
  findings: { suppressed: 1, benign: 2, attached: 3, open: 4 },
  actions: [],
  retention: { sources: 3, known: 3, held180: 2, held365: 1, gaps: 0 },
  changes: [],
  contract: { number: "C-000123", endsOn: "2027-03-31" },
  filings: [],
  coming: [],
  before: null,
};
const certificate: CertificateData = {
  customer: report.customer,
  month: report.month,
  timeZone: report.timeZone,
  closedAt: report.until,
  stated: null,
  gapHours: 24,
  sources: [],
  notCovered: [],
};

/**
 * The coverage counts of each customer stay valid for as long as one may: pages read them, and nothing is counted anew.
 */
const services = [
  `insert into coverage_figures (organisation_id, organisation_name, partner_id, counted_at, next_count_at, contracted,
      connected, silent, never_connected, unknown, missing, not_contracted, unmatched, share, lines, additions)
    select id, name, partner_id, now() + interval '55 minutes', now() + interval '55 minutes', 60, 30, 6, 6, 6, 12, 0, 0,
      ('x' || left(md5(id::text), 4))::bit(16)::int % 10002, ${json(coverageLines)}, '[]'
    from organisations where kind = 'customer'`,
  `insert into coverage_days (organisation_id, day, time_zone, taken_at, lines, not_contracted, unmatched)
    select '${customer.organisationId}', current_date - n, 'Asia/Kolkata', now() - n * interval '1 day',
      ${json(coverageLines)}, 0, 0 from generate_series(0, 364) as n`,
  `insert into service_reports (organisation_id, month, data, certificate, certificate_hash, closed_at, organisation_name, partner_id)
    select id, date '2026-10-01' - (before + month) * interval '1 month', ${json(report)}, ${json(certificate)}, md5(id::text),
      now(), name, partner_id
    from (select *, (row_number() over ())::int % 11 as before from organisations where kind = 'customer') as customers
      cross join lateral
      generate_series(0, case id when '${customer.organisationId}' then 119 else 0 end) as month`,
];

/** One for each customer's person, and many for the askers; every third is unread. */
const notices = [
  `insert into notices (person_id, kind, event_key, title, text, link)
    select id, 'quote made', 'made', 'Quote', 'Made', '' from people where role = 'user'`,
  `insert into notices (person_id, kind, event_key, title, text, link, created_at, read_at)
    select people.id, 'quote made', n, 'Quote ' || n, 'Kaveri', '', now() - n * interval '1 hour', case when n % 3 > 0 then now() end
    from people cross join generate_series(1, 400) as n where people.id ${isAsker}`,
];

const writtenRows = ({ written }: Sizes) => [
  `insert into articles (slug, title, author, tags, content, state, updated_at)
    select 'article-' || n, initcap(left(md5(n::text), 7)) || ' textiles', 'Asha ' || left(md5(n::text), 4),
      array['SOC', 'T' || n % 400], '{}', (array['draft','published','unpublished'])[1 + n % 3],
      now() - n * interval '1 hour'
    from generate_series(1, ${written}) as n`,
  `insert into log_sources (product, category, label, format, retired)
    select initcap(left(md5(n::text), 7)) || ' textiles ' || n, 'Kaveri ' || n % 40, 'LABEL_' || n,
      (array['JSON', 'CEF', 'Syslog'])[1 + n % 3], n % 100 = 0
    from generate_series(1, ${written}) as n`,
  `insert into tiles (organisation_id, title, text, icon, url, place, shown)
    select id, left(md5(id::text), 7) || ' textiles', 'Kaveri reports ' || left(md5(name), 5), 'siem',
      'https://tiles.example.in/' || id, row_number() over () % 100, true
    from (select * from organisations where kind = 'customer' limit ${written}) as customers`,
  `insert into announcements (title, text, audience, shown_from, shown_until, mailed, delivered_at)
    select 'Maintenance ' || n, 'On a Sunday', 'all', now() - n * interval '1 day',
      now() - n * interval '1 day' + interval '5 hours', false, now() from generate_series(1, ${Math.floor(written / 10)}) as n`,
  `insert into data_requests (kind, email, asked_by, asked_at, state, done_at)
    select 'export', n || '@' || left(md5(n::text), 8) || '.example.in', '${provider.personId}', now() - n * interval '1 hour', 'done',
      now() from generate_series(1, ${written}) as n`,
  `insert into findings (kind, key, about, who, says, found_at, resolved_at, resolution)
    select 'not settled', n, 'O-' || n, left(md5(n::text), 7) || ' Textiles',
      'The gateway settled a payment that is in none of our orders, as line ' || n || ' of the file of Kaveri says.',
      now() - n * interval '1 hour', case when n % 20 > 0 then now() end, '' from generate_series(1, ${written}) as n`,
];

import { isNotNull, sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";
import { creditNotes } from "./billing.ts";
import { createdAt, id, instant, numbered, paise, searchedOfPartner } from "./columns.ts";
import { orders } from "./orders.ts";
import { quotes } from "./quotes.ts";
import { refunds } from "./refunds.ts";

/** One year of service from the first day bought; the next year is a contract of its own (decision 75). */
export const contracts = pgTable(
  "contracts",
  {
    id: id(),
    /** Shown to people as C-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** The order that began it. */
    orderId: uuid()
      .notNull()
      .unique()
      .references(() => orders.id),
    /** The contract that it renews. */
    renews: uuid().unique(),
    /** Days in India, both inclusive. */
    startsOn: date().notNull(),
    endsOn: date().notNull(),
    /** Who chose automatic renewal, and when; null if nobody did. */
    renewalChosenBy: uuid().references(() => people.id),
    renewalChosenAt: instant(),
    /** The last reminder sent, as days before its end: 60, 30 or 7. */
    renewalStage: integer(),
    createdAt: createdAt(),
    /** Copies that triggers maintain, as in `orders`. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    /** How many requests for fewer devices and disputed true-ups wait for a decision. */
    toDecide: integer().notNull().default(0),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(${numbered("C")} || ' ' || organisation_name)`),
  },
  (table) => [
    check("contracts_of_a_year", sql`ends_on = (starts_on + interval '1 year')::date - 1`),
    check("contracts_renewal_chosen", sql`(renewal_chosen_by is null) = (renewal_chosen_at is null)`),
    index("contracts_of_organisation").on(table.organisationId, table.endsOn, table.id),
    index("contracts_by_end").on(table.endsOn, table.id),
    index("contracts_by_start").on(table.startsOn, table.id),
    index("contracts_by_organisation").on(sql`lower(organisation_name)`, table.id),
    index("contracts_by_serial").on(table.serial),
    index("contracts_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("contracts_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    index("contracts_to_decide")
      .on(table.endsOn, table.id)
      .where(sql`to_decide > 0`),
    index("contracts_of_partner").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("contracts_of_partner_by_end").on(table.partnerId, table.endsOn, table.id).where(isNotNull(table.partnerId)),
    index("contracts_of_partner_by_start")
      .on(table.partnerId, table.startsOn, table.id)
      .where(isNotNull(table.partnerId)),
    index("contracts_of_partner_by_organisation")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(isNotNull(table.partnerId)),
  ],
);

/** What was done to a contract, in order. */
export const contractChanges = pgTable(
  "contract_changes",
  {
    id: id(),
    contractId: uuid()
      .notNull()
      .references(() => contracts.id),
    kind: text({ enum: ["start", "add", "true up", "remove"] }).notNull(),
    effectiveOn: date().notNull(),
    /** The order that bought it; null for a removal. */
    orderId: uuid()
      .unique()
      .references(() => orders.id),
    /** For a removal: the line's series, the number of devices, and their credit without tax. */
    series: bigint({ mode: "number" }),
    quantity: integer(),
    creditedPaise: paise().notNull().default(0),
    creditNoteId: uuid().references(() => creditNotes.id),
    refundId: uuid().references(() => refunds.id),
    madeBy: uuid().references(() => people.id),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.contractId, table.id),
    check("contract_changes_of_one_kind", sql`(kind = 'remove') = (order_id is null and series is not null)`),
    check("contract_changes_credited", sql`credited_paise >= 0`),
  ],
);

/** A number of devices of one type, from day to day. Rows of one series follow each other and are the same devices. */
export const contractLines = pgTable(
  "contract_lines",
  {
    id: id(),
    contractId: uuid()
      .notNull()
      .references(() => contracts.id),
    /** One line of one order as bought; the rows of a series never overlap (an exclusion constraint). */
    series: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
    /** The change that added the row. */
    changeId: uuid()
      .notNull()
      .references(() => contractChanges.id),
    /** The type's permanent key on the rate card; `service` and `deviceType` are its names at the time of purchase. */
    key: jsonb().$type<{ service: string; deviceType: string }>().notNull(),
    service: text().notNull(),
    deviceType: text().notNull(),
    unit: text().notNull(),
    quantity: integer().notNull(),
    /** For one device for a year, before the discount. */
    ratePaise: paise().notNull(),
    discountBasisPoints: integer().notNull(),
    startsOn: date().notNull(),
    /** A row closed before its first day ends on the day before that day. */
    endsOn: date().notNull(),
    /** What was invoiced for the series, without tax; on its first row only. */
    invoicedPaise: paise().notNull().default(0),
  },
  (table) => [
    index().on(table.contractId, table.id),
    check("contract_lines_of_something", sql`quantity > 0 and rate_paise >= 0 and invoiced_paise >= 0`),
    check("contract_lines_discounted", sql`discount_basis_points between 0 and 10000`),
    check("contract_lines_forward", sql`ends_on >= starts_on - 1`),
  ],
);

/** A customer's requests for fewer devices, which an administrator decides. */
export const lessRequests = pgTable(
  "less_requests",
  {
    /** Chosen by the client, so that a repeated call makes one request. */
    id: uuid().primaryKey(),
    contractId: uuid()
      .notNull()
      .references(() => contracts.id),
    series: bigint({ mode: "number" }).notNull(),
    /** How many devices fewer. */
    quantity: integer().notNull(),
    wishedOn: date().notNull(),
    reason: text().notNull(),
    state: text({ enum: ["asked", "agreed", "refused", "withdrawn"] })
      .notNull()
      .default("asked"),
    askedBy: uuid()
      .notNull()
      .references(() => people.id),
    askedAt: instant().notNull(),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant(),
    answer: text().notNull().default(""),
    changeId: uuid()
      .unique()
      .references(() => contractChanges.id),
  },
  (table) => [
    index().on(table.contractId, table.askedAt),
    uniqueIndex("less_requests_one_open")
      .on(table.contractId, table.series)
      .where(sql`state = 'asked'`),
    check("less_requests_of_something", sql`quantity > 0`),
    check("less_requests_decided", sql`(state = 'asked') = (decided_at is null)`),
    check("less_requests_agreed", sql`(state = 'agreed') = (change_id is not null)`),
  ],
);

/** How many devices of a type an organisation had on a day, by contract and by engines. Written by `recordUsage`. */
export const usageSnapshots = pgTable(
  "usage_snapshots",
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    day: date().notNull(),
    service: text().notNull(),
    deviceType: text().notNull(),
    contracted: integer().notNull(),
    connected: integer().notNull(),
    /** How many of the connected ones sent nothing. */
    silent: integer().notNull(),
  },
  (table) => [
    unique("usage_snapshots_once_a_day").on(table.organisationId, table.day, table.service, table.deviceType),
    check("usage_snapshots_counted", sql`contracted >= 0 and connected >= 0 and silent between 0 and connected`),
  ],
);

/** Devices connected beyond a contract in one month: announced, then billed unless somebody disputes it. */
export const trueUps = pgTable(
  "true_ups",
  {
    id: id(),
    contractId: uuid()
      .notNull()
      .references(() => contracts.id),
    /** The first day of the month concerned. */
    month: date().notNull(),
    service: text().notNull(),
    deviceType: text().notNull(),
    /** The month's 95th percentile of connected devices, the contracted number, and the number to bill. */
    connected: integer().notNull(),
    contracted: integer().notNull(),
    extra: integer().notNull(),
    state: text({ enum: ["announced", "disputed", "dropped", "billed"] })
      .notNull()
      .default("announced"),
    announcedAt: instant().notNull(),
    /** It is not billed before this day. */
    billOn: date().notNull(),
    dispute: text().notNull().default(""),
    disputedBy: uuid().references(() => people.id),
    answer: text().notNull().default(""),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant(),
    quoteId: uuid().references(() => quotes.id, { onDelete: "set null" }),
  },
  (table) => [
    unique("true_ups_once_a_month").on(table.contractId, table.month, table.service, table.deviceType),
    index("true_ups_to_bill")
      .on(table.billOn)
      .where(sql`state = 'announced'`),
    check("true_ups_of_something", sql`extra > 0`),
    check("true_ups_billed", sql`quote_id is null or state = 'billed'`),
  ],
);

import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  boolean,
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
import type {
  CoverageAddition,
  CoverageLine,
  CoverageReason,
  CoverageState,
  MatchedBy,
  MatchRuleKind,
  Place,
} from "../../../contract/coverage.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant, searchedOfPartner } from "./columns.ts";
import { engineDevices } from "./engines.ts";
import { ofOrganisation } from "./references.ts";

/** Null means every customer. */
const ofOneOrAll = () => uuid().references(() => organisations.id, { onDelete: "cascade" });

/** The device type assigned to devices whose group, name, system or log source matches a pattern. */
export const matchRules = pgTable(
  "match_rules",
  {
    id: id(),
    organisationId: ofOneOrAll(),
    kind: text().$type<MatchRuleKind>().notNull(),
    /** * stands for any characters and ? for one; case does not matter. */
    pattern: text().notNull(),
    /** The type's key on the rate card. */
    service: text().notNull(),
    deviceType: text().notNull(),
    /** Among rules of one kind the lowest comes first. */
    place: integer().notNull(),
    version: integer().notNull().default(1),
    changedBy: uuid().references(() => people.id),
    changedAt: instant().notNull(),
  },
  (table) => [index("match_rules_of_organisation").on(table.organisationId)],
);

/** What a person decided about one device: its type, that it is not the customer's, or how long it may be silent. */
export const deviceDecisions = pgTable(
  "device_decisions",
  {
    id: id(),
    organisationId: ofOrganisation(),
    /** As in `engine_devices`. */
    identity: text().notNull(),
    service: text(),
    deviceType: text(),
    notOurs: boolean().notNull().default(false),
    silenceMinutes: integer(),
    decidedBy: uuid().references(() => people.id),
    decidedAt: instant().notNull(),
  },
  (table) => [
    unique("device_decisions_once").on(table.organisationId, table.identity),
    check(
      "device_decisions_typed",
      sql`(service is null) = (device_type is null) and not (not_ours and service is not null)`,
    ),
    check("device_decisions_silence", sql`silence_minutes > 0`),
  ],
);

/** After how many minutes without an event a device of a type counts as silent. */
export const silenceLimits = pgTable(
  "silence_limits",
  {
    id: id(),
    organisationId: ofOneOrAll(),
    service: text().notNull(),
    deviceType: text().notNull(),
    minutes: integer().notNull(),
    changedBy: uuid().references(() => people.id),
    changedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("silence_limits_of_all").on(table.service, table.deviceType).where(isNull(table.organisationId)),
    uniqueIndex("silence_limits_of_one")
      .on(table.organisationId, table.service, table.deviceType)
      .where(isNotNull(table.organisationId)),
    check("silence_limits_positive", sql`minutes > 0`),
  ],
);

/**
 * Each device of a customer once, as last counted. A row is written when its state changes, not whenever it is seen.
 */
export const coveredDevices = pgTable(
  "covered_devices",
  {
    id: id(),
    organisationId: ofOrganisation(),
    identity: text().notNull(),
    deviceId: uuid()
      .notNull()
      .references(() => engineDevices.id, { onDelete: "cascade" }),
    name: text().notNull(),
    address: text().notNull(),
    state: text().$type<CoverageState>().notNull(),
    reason: text().$type<CoverageReason>(),
    /** Since when it has been silent or unknown; null while it is connected, or if it never was. */
    since: instant(),
    place: text().$type<Place>().notNull(),
    /** The type's key on the rate card; null if no rule or decision gives a type. */
    service: text(),
    deviceType: text(),
    matchedBy: text().$type<MatchedBy>(),
    ruleId: uuid(),
    silenceMinutes: integer().notNull(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(name || ' ' || address || ' ' || coalesce(device_type, ''))`),
  },
  (table) => [
    unique("covered_devices_once").on(table.organisationId, table.identity),
    index("covered_devices_of_device").on(table.deviceId),
    index("covered_devices_by_name").on(table.organisationId, sql`lower(name)`, table.id),
    index("covered_devices_by_id").on(table.organisationId, table.id),
    index("covered_devices_by_type").on(table.organisationId, sql`lower(coalesce(device_type, ''))`, table.id),
    index("covered_devices_by_state").on(table.organisationId, table.state, sql`lower(name)`, table.id),
    index("covered_devices_by_place").on(table.organisationId, table.place, sql`lower(name)`, table.id),
    index("covered_devices_searched").using("gin", table.searched.op("gin_trgm_ops")),
  ],
);

/** The last count of each customer that has a contract or an engine: lists over customers read only this table. */
export const coverageFigures = pgTable(
  "coverage_figures",
  {
    id: id(),
    organisationId: ofOrganisation().unique(),
    /** Copies that triggers maintain. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    countedAt: instant().notNull(),
    nextCountAt: instant().notNull(),
    contracted: integer().notNull(),
    connected: integer().notNull(),
    silent: integer().notNull(),
    neverConnected: integer().notNull(),
    unknown: integer().notNull(),
    missing: integer().notNull(),
    notContracted: integer().notNull(),
    unmatched: integer().notNull(),
    /** Since when a part of the count has been unknown. */
    unknownSince: instant(),
    /** Connected per 10,000 contracted devices; 10,001 if none is contracted. */
    share: integer().notNull(),
    lines: jsonb().$type<CoverageLine[]>().notNull(),
    additions: jsonb().$type<CoverageAddition[]>().notNull(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(organisation_name)`),
  },
  (table) => [
    index("coverage_figures_due").on(table.nextCountAt),
    index("coverage_figures_worst").on(table.share, table.id),
    index("coverage_figures_by_name").on(sql`lower(organisation_name)`, table.id),
    index("coverage_figures_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("coverage_figures_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    index("coverage_figures_of_partner").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("coverage_figures_of_partner_worst")
      .on(table.partnerId, table.share, table.id)
      .where(isNotNull(table.partnerId)),
    index("coverage_figures_of_partner_by_name")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(isNotNull(table.partnerId)),
  ],
);

/**
 * Sums over all of `coverage_figures`, maintained by a trigger in the transaction that changes a figure: each change
 * adds a row, as with monthly figures, and the sweep folds them.
 */
export const coverageSums = pgTable(
  "coverage_sums",
  {
    id: id(),
    /** The partner whose customers are summed; null for all customers. */
    partnerId: uuid(),
    customers: integer().notNull(),
    /** Customers with an unknown part. */
    unknownCustomers: integer().notNull(),
    contracted: integer().notNull(),
    connected: integer().notNull(),
    silent: integer().notNull(),
    neverConnected: integer().notNull(),
    missing: integer().notNull(),
    unknown: integer().notNull(),
  },
  (table) => [index().on(table.partnerId)],
);

/**
 * The count at the beginning of a day in the customer's time zone. A missing day is unknown, and never filled in later.
 */
export const coverageDays = pgTable(
  "coverage_days",
  {
    id: id(),
    organisationId: ofOrganisation(),
    day: date().notNull(),
    timeZone: text().notNull(),
    takenAt: instant().notNull(),
    lines: jsonb().$type<CoverageLine[]>().notNull(),
    notContracted: integer().notNull(),
    unmatched: integer().notNull(),
    unknownSince: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("coverage_days_once").on(table.organisationId, table.day),
    index("coverage_days_by_time").on(table.takenAt),
  ],
);

import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Agreement } from "../../../contract/incident-agreement.ts";
import type { IncidentPayload } from "../../../contract/incident-payload.ts";
import type {
  ClockName,
  IncidentNews,
  IncidentSeverity,
  IncidentSource,
  IncidentState,
  WaitsFor,
} from "../../../contract/incident-states.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant, numbered, searchedOfPartner } from "./columns.ts";
import { engineBindings, engineIncidents } from "./engines.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });
const byPerson = () => uuid().references(() => people.id, { onDelete: "set null" });

/** What the service promises, in versions: an incident goes by the one that held when it began. */
export const serviceLevelVersions = pgTable(
  "service_level_versions",
  {
    id: id(),
    number: integer().notNull().unique(),
    holdsFrom: instant().notNull(),
    /** Shipped, and nobody's promise yet. */
    isSample: boolean().notNull(),
    agreement: jsonb().$type<Agreement>().notNull(),
    createdAt: createdAt(),
    createdBy: byPerson(),
  },
  (table) => [index().on(table.holdsFrom, table.number)],
);

/**
 * A case that people work on. What is true of it follows from its facts; the columns that say so are a cache, which
 * `settleIncident` writes with each fact, so that lists can go by it.
 */
export const incidents = pgTable(
  "incidents",
  {
    /** Chosen by who opens it: a repeated call opens one. */
    id: id(),
    /** What people call it: I-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    organisationId: ofOrganisation(),
    title: text().notNull(),
    source: text().$type<IncidentSource>().notNull(),
    /** Of an engine's case: which, and how the engine calls it. */
    bindingId: uuid().references(() => engineBindings.id, { onDelete: "set null" }),
    engineIncidentId: uuid()
      .unique()
      .references(() => engineIncidents.id, { onDelete: "set null" }),
    externalId: text(),
    /** As far as the engine's own changes are taken in. */
    engineTakenAt: instant(),
    /** What "We are under attack" was told. */
    report: jsonb().$type<{ what: string; since: string; call: string }>(),
    /** When whatever wakes our team was to be told of it, and when it had been; null where nothing is. */
    onCallAskedAt: instant(),
    onCallToldAt: instant(),
    mergedInto: uuid().references((): AnyPgColumn => incidents.id),
    /** Who opened it, of the people. */
    openedBy: byPerson(),
    createdAt: createdAt(),
    // From here on a cache.
    severity: text().$type<IncidentSeverity>().notNull(),
    state: text().$type<IncidentState>().notNull().default("new"),
    waitsFor: text().$type<WaitsFor>(),
    ownerId: byPerson(),
    /** When it was detected or reported, whichever is first. */
    openedAt: instant().notNull(),
    acknowledgedAt: instant(),
    containedAt: instant(),
    resolvedAt: instant(),
    closedAt: instant(),
    /** What happened last, by its own time. */
    changedAt: instant().notNull(),
    /** What of its clocks runs out next; null while none runs. */
    nextDueAt: instant(),
    nextClock: text().$type<ClockName>(),
    /** Promises that were broken, also those that a corrected fact undid. */
    broken: integer().notNull().default(0),
    /** Questions without an answer, and waits for the customer. */
    asks: integer().notNull().default(0),
    /** Open and broken, then by severity and by what runs out next: what a list has on top is small. */
    rank: integer().notNull().default(0),
    /** Copies that triggers keep true, as in `contracts`. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(${numbered("I")} || ' ' || title || ' ' || organisation_name || ' ' || severity)`),
  },
  (table) => [
    index().on(table.organisationId, table.openedAt, table.id),
    index("incidents_worst").on(table.rank, table.id),
    index("incidents_owed_to_on_call")
      .on(table.onCallAskedAt)
      .where(sql`on_call_asked_at is not null and on_call_told_at is null`),
    index("incidents_by_opened").on(table.openedAt, table.id),
    index("incidents_by_changed").on(table.changedAt, table.id),
    index("incidents_by_organisation").on(sql`lower(organisation_name)`, table.id),
    index("incidents_by_serial").on(table.serial),
    index("incidents_of_partner_counted").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("incidents_of_partner").on(table.partnerId, table.rank, table.id).where(isNotNull(table.partnerId)),
    index("incidents_of_partner_by_opened")
      .on(table.partnerId, table.openedAt, table.id)
      .where(isNotNull(table.partnerId)),
    index("incidents_of_partner_by_changed")
      .on(table.partnerId, table.changedAt, table.id)
      .where(isNotNull(table.partnerId)),
    index("incidents_of_partner_by_organisation")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(isNotNull(table.partnerId)),
    index("incidents_of_organisation_worst").on(table.organisationId, table.rank, table.id),
    index("incidents_by_severity").on(table.severity, table.rank, table.id),
    index("incidents_of_partner_by_severity")
      .on(table.partnerId, table.severity, table.rank, table.id)
      .where(isNotNull(table.partnerId)),
    // What the cards above a list count, of the open ones alone.
    index("incidents_open_counted")
      .on(table.partnerId, table.severity, table.broken, table.asks)
      .where(sql`rank < 100`),
    index("incidents_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("incidents_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    index("incidents_due").on(table.nextDueAt).where(isNotNull(table.nextDueAt)),
    index("incidents_of_organisation_due")
      .on(table.organisationId, table.nextDueAt, table.id)
      .where(isNotNull(table.nextDueAt)),
    index("incidents_of_binding").on(table.bindingId, table.externalId),
    index("incidents_merged").on(table.mergedInto).where(isNotNull(table.mergedInto)),
  ],
);

/** What happened, as a person or an engine attests it. Rows are only added: a wrong one is corrected by another. */
export const incidentFacts = pgTable(
  "incident_facts",
  {
    id: id(),
    /** The order of arrival. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    news: text().$type<IncidentNews>().notNull(),
    /** Its own time, and when we heard of it. */
    occurredAt: instant().notNull(),
    recordedAt: instant().notNull(),
    /** Who attests it: a person of ours or of the customer, the engine, or we ourselves. */
    by: text().$type<"us" | "customer" | "partner" | "engine">().notNull(),
    personId: byPerson(),
    payload: jsonb().$type<IncidentPayload>().notNull(),
    /** The fact in whose place it stands. */
    corrects: uuid().references((): AnyPgColumn => incidentFacts.id),
    /** It stands in the place of the corrected one as if that had never been. */
    withdrawn: boolean().notNull().default(false),
    /** The same news heard twice is one fact. */
    eventKey: text().notNull(),
  },
  (table) => [
    unique("incident_facts_once").on(table.incidentId, table.eventKey),
    index().on(table.incidentId, table.occurredAt, table.serial),
    index().on(table.personId),
  ],
);

/** A promise that was broken, written once; its end moves with the facts. A fact that undoes it is noted beside it, and both stay. */
export const incidentBreaches = pgTable(
  "incident_breaches",
  {
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    clock: text().$type<ClockName>().notNull(),
    dueAt: instant().notNull(),
    severity: text().$type<IncidentSeverity>().notNull(),
    recordedAt: instant().notNull(),
    /** When a corrected or a late fact showed that it was kept. */
    undoneAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.clock, table.dueAt] })],
);

/** Who of the customer, their partner and us saw an incident first and when: it is evidence of when they were told. */
export const incidentViews = pgTable(
  "incident_views",
  {
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    /** Whoever is erased stays as a row without a name: the evidence needs nobody's name to hold. */
    personId: uuid()
      .notNull()
      .references(() => people.id),
    side: text().$type<"us" | "customer" | "partner">().notNull(),
    firstAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.personId] }), index().on(table.personId)],
);

/** What people attached. */
export const incidentFiles = pgTable(
  "incident_files",
  {
    /** Chosen by who attaches it: a repeated call attaches one. */
    id: uuid().primaryKey(),
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    /** As it was called, and where it is in the file store. */
    name: text().notNull(),
    file: text().notNull(),
    type: text().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    personId: byPerson(),
    by: text().$type<"us" | "customer" | "partner">().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.incidentId, table.createdAt), index().on(table.personId)],
);

/** What is to be told the engine that an incident comes from, once. */
export const engineRemarks = pgTable(
  "engine_remarks",
  {
    /** The fact that it tells. */
    id: uuid()
      .primaryKey()
      .references(() => incidentFacts.id, { onDelete: "cascade" }),
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    externalId: text().notNull(),
    text: text().notNull(),
    createdAt: createdAt(),
    sentAt: instant(),
    /** Nothing more is tried, and why. */
    givenUpAt: instant(),
    problem: text(),
  },
  (table) => [index("engine_remarks_unsent").on(table.createdAt).where(isNull(table.sentAt))],
);

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
import { people } from "./accounts.ts";
import { createdAt, id, instant, numbered, searchedOfPartner } from "./columns.ts";
import { engineBindings, engineIncidents } from "./engines.ts";
import { byPerson, ofOrganisation } from "./references.ts";

/** The promised service levels, in versions: an incident is judged by the version in force when it began. */
export const serviceLevelVersions = pgTable(
  "service_level_versions",
  {
    id: id(),
    number: integer().notNull().unique(),
    holdsFrom: instant().notNull(),
    /** Shipped as a sample, which nobody has promised. */
    isSample: boolean().notNull(),
    agreement: jsonb().$type<Agreement>().notNull(),
    createdAt: createdAt(),
    createdBy: byPerson(),
  },
  (table) => [index().on(table.holdsFrom, table.number)],
);

/**
 * A case that people work on. Its state follows from its facts; the columns from `severity` on cache that, written by
 * `settleIncident` with each fact, so that lists can sort and filter by them.
 */
export const incidents = pgTable(
  "incidents",
  {
    /** Chosen by the client, so that a repeated call opens one incident. */
    id: id(),
    /** Shown to people as I-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    organisationId: ofOrganisation(),
    title: text().notNull(),
    source: text().$type<IncidentSource>().notNull(),
    /** For an engine's case: the binding, our row of the case, and the engine's id for it. */
    bindingId: uuid().references(() => engineBindings.id, { onDelete: "set null" }),
    engineIncidentId: uuid()
      .unique()
      .references(() => engineIncidents.id, { onDelete: "set null" }),
    externalId: text(),
    /** The `changedAt` of the engine's case up to which its changes were taken in. */
    engineTakenAt: instant(),
    /** What was entered under "We are under attack". */
    report: jsonb().$type<{ what: string; since: string; call: string }>(),
    /** When a call of the on-call webhook was asked for, and when it was made; null if none was. */
    onCallAskedAt: instant(),
    onCallToldAt: instant(),
    mergedInto: uuid().references((): AnyPgColumn => incidents.id),
    /** The person who opened it, if a person did. */
    openedBy: byPerson(),
    createdAt: createdAt(),
    // From here on a cache.
    severity: text().$type<IncidentSeverity>().notNull(),
    state: text().$type<IncidentState>().notNull().default("new"),
    waitsFor: text().$type<WaitsFor>(),
    ownerId: byPerson(),
    /** When it was detected or reported, whichever came first. */
    openedAt: instant().notNull(),
    acknowledgedAt: instant(),
    containedAt: instant(),
    resolvedAt: instant(),
    closedAt: instant(),
    /** The time of the latest fact, by when it occurred. */
    changedAt: instant().notNull(),
    /** When the next of its clocks runs out; null while none runs. */
    nextDueAt: instant(),
    nextClock: text().$type<ClockName>(),
    /** How many promises were broken, including those that a corrected fact undid. */
    broken: integer().notNull().default(0),
    /** Unanswered questions, and waits for the customer. */
    asks: integer().notNull().default(0),
    /** Lists show the lowest first: open, resolved, closed; then by severity; then those with a broken promise. */
    rank: integer().notNull().default(0),
    /** Copies that triggers maintain, as in `contracts`. */
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
    // For the counts on the cards above a list, over open incidents only.
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

/** What happened, as a person or an engine attests it. Rows are only added: another row corrects a wrong one. */
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
    /** When it happened, and when we learned of it. */
    occurredAt: instant().notNull(),
    recordedAt: instant().notNull(),
    /** Who attests it: the staff or the software ("us"), the customer, its partner, or the engine. */
    by: text().$type<"us" | "customer" | "partner" | "engine">().notNull(),
    personId: byPerson(),
    payload: jsonb().$type<IncidentPayload>().notNull(),
    /** The fact that this one replaces. */
    corrects: uuid().references((): AnyPgColumn => incidentFacts.id),
    /** Takes the corrected fact back: it counts as if it had never been recorded. */
    withdrawn: boolean().notNull().default(false),
    /** Unique per incident: the same news heard twice is one fact. */
    eventKey: text().notNull(),
  },
  (table) => [
    unique("incident_facts_once").on(table.incidentId, table.eventKey),
    index().on(table.incidentId, table.occurredAt, table.serial),
    index().on(table.personId),
  ],
);

/**
 * A broken promise, written once; its due time moves with the facts. One that a later fact undoes stays, and says so.
 */
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
    /** When a corrected or late fact showed that the promise was kept. */
    undoneAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.clock, table.dueAt] })],
);

/**
 * When each person of the customer, its partner and the staff first saw an incident: evidence of when they were told.
 */
export const incidentViews = pgTable(
  "incident_views",
  {
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    /** The row of an erased person stays, without a name: the evidence holds without it. */
    personId: uuid()
      .notNull()
      .references(() => people.id),
    side: text().$type<"us" | "customer" | "partner">().notNull(),
    firstAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.incidentId, table.personId] }), index().on(table.personId)],
);

export const incidentFiles = pgTable(
  "incident_files",
  {
    /** Chosen by the client, so that a repeated call attaches one file. */
    id: uuid().primaryKey(),
    incidentId: uuid()
      .notNull()
      .references(() => incidents.id, { onDelete: "cascade" }),
    /** The name it was uploaded with, and its name in the file store. */
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

/** Comments that the engine of an incident is still to be sent, each once. */
export const engineRemarks = pgTable(
  "engine_remarks",
  {
    /** The fact that the comment tells. */
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
    /** Set when no more tries follow; `problem` says why. */
    givenUpAt: instant(),
    problem: text(),
  },
  (table) => [index("engine_remarks_unsent").on(table.createdAt).where(isNull(table.sentAt))],
);

import { isNotNull, isNull, sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type {
  DeviceState,
  EngineIncidentState,
  EngineKind,
  EngineProblem,
  EngineStream,
  FindingState,
  Severity,
  Verdict,
} from "../../../contract/engine-kinds.ts";
import type { FindingFate } from "../../../contract/incident-states.ts";
import { createdAt, id, instant } from "./columns.ts";
import { ofOrganisation } from "./references.ts";

/** An engine of a customer. When it is removed, its address and what it reported stay, but its credentials do not. */
export const engineBindings = pgTable(
  "engine_bindings",
  {
    id: id(),
    organisationId: ofOrganisation(),
    kind: text().$type<EngineKind>().notNull(),
    address: text().notNull(),
    indexerAddress: text(),
    /** The engine's name for this customer, if it serves several. */
    tenantKey: text(),
    username: text(),
    /** Encrypted by protection/sealed-secret.ts; null after removal. */
    sealedSecret: text(),
    indexerUsername: text(),
    sealedIndexerSecret: text(),
    caCertificate: text(),
    /** Where people open the engine's own pages. */
    dashboardAddress: text(),
    /** Whether the customer's people see the link to it. */
    opensToCustomer: boolean().notNull().default(false),
    /**
     * Counts changes: an edit based on an older version is refused, and a poll begun before a change stores nothing.
     */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    /** Since when the binding leads to this engine: later than `createdAt` if it was changed to another one. */
    connectedAt: createdAt(),
    removedAt: instant(),
    nextPollAt: instant().notNull(),
    /** A lease of the process that polls it: one that dies does not keep it. */
    polledUntil: instant(),
    engineVersion: text(),
    /** How many seconds the engine's clock is ahead of ours. */
    skewSeconds: integer(),
    /** Since when one of its streams has failed three times in a row; null if none has. */
    troubledSince: instant(),
    trouble: text(),
    /** A copy that triggers maintain. */
    organisationName: text().notNull().default(""),
    /** Puts engines in trouble first in the list of all engines. */
    rank: integer()
      .notNull()
      .generatedAlwaysAs(sql`case when troubled_since is null then 1 else 0 end`),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(organisation_name || ' ' || address)`),
  },
  (table) => [
    index("engine_bindings_of_organisation").on(table.organisationId, table.id).where(isNull(table.removedAt)),
    index("engine_bindings_due").on(table.nextPollAt).where(isNull(table.removedAt)),
    index("engine_bindings_removed").on(table.organisationId).where(isNotNull(table.removedAt)),
    // No index for the list of all: every poll would write to it, and there are at most some ten thousand engines.
  ],
);

/** The state of each stream of an engine: its last answer and how far it was read. */
export const engineStreams = pgTable(
  "engine_streams",
  {
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    stream: text().$type<EngineStream>().notNull(),
    /** Written and read by the adapter only. */
    cursor: text(),
    lastAnswerAt: instant(),
    /** Null while it answers. While it fails, what it reported has been unknown since `lastAnswerAt`. */
    failingSince: instant(),
    failures: integer().notNull().default(0),
    problem: text().$type<EngineProblem>(),
    /** For administrators; it contains no secret. */
    sentence: text(),
    /** It is not asked before then. */
    retryAt: instant(),
    /** How many records of the last answer could not be read. */
    unreadable: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.bindingId, table.stream] })],
);

/** The devices that an engine watches, as last reported. Its stream says whether that is still current. */
export const engineDevices = pgTable(
  "engine_devices",
  {
    id: id(),
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    organisationId: ofOrganisation(),
    externalId: text().notNull(),
    /** Made from name and address: the same for one machine that two bindings report. */
    identity: text().notNull(),
    name: text().notNull(),
    address: text(),
    os: text(),
    groups: text().array().notNull(),
    state: text().$type<DeviceState>().notNull(),
    version: text(),
    firstSeenAt: instant(),
    /** By our clock, corrected for a wrong engine clock. */
    lastSeenAt: instant(),
    /** When it last sent something; with basis "findings" only what matched a rule counts, so silence tells nothing. */
    lastEventAt: instant(),
    lastEventBasis: text().$type<"events" | "findings">(),
    /** The sources of its events of the last day, as the engine names them. */
    logSources: text().array().notNull().default([]),
    createdAt: createdAt(),
    /** When the engine stopped listing it. */
    goneAt: instant(),
  },
  (table) => [
    uniqueIndex("engine_devices_by_external_id").on(table.bindingId, table.externalId),
    index("engine_devices_of_organisation").on(table.organisationId, table.identity).where(isNull(table.goneAt)),
  ],
);

/** An event that matched a rule of an engine. */
export const engineFindings = pgTable(
  "engine_findings",
  {
    id: id(),
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    organisationId: ofOrganisation(),
    externalId: text().notNull(),
    title: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    rawSeverity: text().notNull(),
    state: text().$type<FindingState>().notNull(),
    at: instant().notNull(),
    /** `at` as the engine last wrote it, by its own clock; null for rows from before this was stored. */
    engineTime: instant(),
    firstResponseAt: instant(),
    /** The `externalId` of a device of the same binding. */
    deviceId: text(),
    attack: text().array().notNull(),
    createdAt: createdAt(),
    /** The decision made here; a copy of the decision in force, so that lists can filter by it. */
    decided: text().$type<FindingFate>(),
    /** Its outcome; a finding closed in the engine counts as benign. */
    fate: text()
      .$type<FindingFate>()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(decided, case when state = 'closed' then 'benign' else 'open' end)`),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(title)`),
  },
  (table) => [
    index("engine_findings_received").on(table.organisationId, table.createdAt, table.id),
    uniqueIndex("engine_findings_by_external_id").on(table.bindingId, table.externalId),
    index("engine_findings_of_organisation").on(table.organisationId, table.at),
    index("engine_findings_by_time").on(table.at),
    index("engine_findings_open")
      .on(table.bindingId, table.at, table.externalId)
      .where(sql`state <> 'closed'`),
  ],
);

/** A case that people work on in an engine. */
export const engineIncidents = pgTable(
  "engine_incidents",
  {
    id: id(),
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    organisationId: ofOrganisation(),
    externalId: text().notNull(),
    title: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    rawSeverity: text().notNull(),
    state: text().$type<EngineIncidentState>().notNull(),
    rawState: text().notNull(),
    openedAt: instant().notNull(),
    /** As in `engine_findings`. */
    engineTime: instant(),
    firstResponseAt: instant(),
    closedAt: instant(),
    /** Both as the engine wrote them: as long as they are unchanged, the corrected times stay as they are. */
    firstResponseEngineTime: instant(),
    closedEngineTime: instant(),
    verdict: text().$type<Verdict>(),
    timeline: jsonb().$type<{ at: string; kind: string; text: string }[]>().notNull(),
    /** The engine's own figures, in seconds. */
    figures: jsonb().$type<Record<string, number>>().notNull(),
    createdAt: createdAt(),
    changedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("engine_incidents_by_external_id").on(table.bindingId, table.externalId),
    index("engine_incidents_of_organisation").on(table.organisationId, table.openedAt),
  ],
);

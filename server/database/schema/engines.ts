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
import { organisations } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });

/** An engine of a customer. Its address and what it told stay when it is removed, its credentials do not. */
export const engineBindings = pgTable(
  "engine_bindings",
  {
    id: id(),
    organisationId: ofOrganisation(),
    kind: text().$type<EngineKind>().notNull(),
    address: text().notNull(),
    indexerAddress: text(),
    /** What the engine calls this customer, where it serves several. */
    tenantKey: text(),
    username: text(),
    /** Encrypted, as protection/sealed-secret.ts does it; null once it is removed. */
    sealedSecret: text(),
    indexerUsername: text(),
    sealedIndexerSecret: text(),
    caCertificate: text(),
    /** Where people open its own pages. */
    dashboardAddress: text(),
    /** Whether the customer's people are shown the way there. */
    opensToCustomer: boolean().notNull().default(false),
    /** Counts the changes, so that a second editor who saw an older state is told, and a poll that was overtaken stores nothing. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    /** Since when it leads to this engine: later than `createdAt` where it was changed to another one. */
    connectedAt: createdAt(),
    removedAt: instant(),
    nextPollAt: instant().notNull(),
    /** Who polls it has it until then: a copy that dies does not keep it. */
    polledUntil: instant(),
    engineVersion: text(),
    /** How far the engine's clock is ahead of ours. */
    skewSeconds: integer(),
    /** Since when one of its streams has failed three times in a row; null when none has. */
    troubledSince: instant(),
    trouble: text(),
    /** A copy that triggers keep true. */
    organisationName: text().notNull().default(""),
    /** Those in trouble come first in the list of all. */
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
    // No index for the list of all: each poll would write to it, and more than some ten thousand engines can't be polled.
  ],
);

/** What an engine said last of one thing it is asked for, and how far it was read. */
export const engineStreams = pgTable(
  "engine_streams",
  {
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    stream: text().$type<EngineStream>().notNull(),
    /** As the adapter wrote it; it alone reads it. */
    cursor: text(),
    lastAnswerAt: instant(),
    /** Null while it answers. What it had said is not known any more since `lastAnswerAt`. */
    failingSince: instant(),
    failures: integer().notNull().default(0),
    problem: text().$type<EngineProblem>(),
    /** For administrators; it holds nothing secret. */
    sentence: text(),
    /** It is left alone until then. */
    retryAt: instant(),
    /** How many records of the last answer could not be read. */
    unreadable: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.bindingId, table.stream] })],
);

/** What an engine watches, as it was told last. Whether that still holds says its stream. */
export const engineDevices = pgTable(
  "engine_devices",
  {
    id: id(),
    bindingId: uuid()
      .notNull()
      .references(() => engineBindings.id, { onDelete: "cascade" }),
    organisationId: ofOrganisation(),
    externalId: text().notNull(),
    /** The same for one machine that two bindings report, by its name and address. */
    identity: text().notNull(),
    name: text().notNull(),
    address: text(),
    os: text(),
    groups: text().array().notNull(),
    state: text().$type<DeviceState>().notNull(),
    version: text(),
    firstSeenAt: instant(),
    /** By our clock, however wrong the engine's is. */
    lastSeenAt: instant(),
    /** When it last sent something; of findings only when a rule saw something, so that silence tells nothing. */
    lastEventAt: instant(),
    lastEventBasis: text().$type<"events" | "findings">(),
    /** From what its events of the last day came, as the engine names it. */
    logSources: text().array().notNull().default([]),
    createdAt: createdAt(),
    /** When the engine did not name it any more. */
    goneAt: instant(),
  },
  (table) => [
    uniqueIndex("engine_devices_by_external_id").on(table.bindingId, table.externalId),
    index("engine_devices_of_organisation").on(table.organisationId, table.identity).where(isNull(table.goneAt)),
  ],
);

/** What a rule of an engine saw. */
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
    /** The same as the engine wrote it last, by its own clock; null of what was stored before this was kept. */
    engineTime: instant(),
    firstResponseAt: instant(),
    /** The `externalId` of a device of the same binding. */
    deviceId: text(),
    attack: text().array().notNull(),
    createdAt: createdAt(),
    /** What was decided about it here; a copy of the decision that holds, so that lists can go by it. */
    decided: text().$type<FindingFate>(),
    /** What became of it: one that the engine's own people closed is closed as benign. */
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
    /** Both as the engine wrote them: while these stay, what they were corrected to does. */
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

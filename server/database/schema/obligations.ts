import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { EntityClass } from "../../../contract/entity-classes.ts";
import type { RegulatorFactKind, FactValue } from "../../../contract/regulator-facts.ts";
import type { ObligationWords } from "../../../contract/obligation-kinds.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { incidents } from "./incidents.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id);

const ofIncident = () =>
  uuid()
    .notNull()
    .references(() => incidents.id);

const byPerson = () =>
  uuid()
    .notNull()
    .references(() => people.id);

/** An obligation as an administrator wrote it; the newest of a key replaces older and shipped ones. Never changed. */
export const obligationVersions = pgTable(
  "obligation_versions",
  {
    id: id(),
    key: text().notNull(),
    /** From 1; a shipped obligation counts as version 0. */
    version: integer().notNull(),
    words: jsonb().$type<ObligationWords>().notNull(),
    /** The person who vouches for it by name, and when; null if nobody does. */
    verifiedBy: uuid().references(() => people.id),
    verifiedAt: instant(),
    madeBy: byPerson(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("obligation_versions_once").on(table.key, table.version),
    check("obligation_versions_verified", sql`(verified_by is null) = (verified_at is null)`),
  ],
);

/**
 * A customer's classes under regulations, as its main user stated them; the newest version is in force. Never changed.
 */
export const entityClassVersions = pgTable(
  "entity_class_versions",
  {
    id: id(),
    organisationId: ofOrganisation(),
    version: integer().notNull(),
    classes: text().array().$type<EntityClass[]>().notNull(),
    setBy: byPerson(),
    createdAt: createdAt(),
  },
  (table) => [unique("entity_class_versions_once").on(table.organisationId, table.version)],
);

/** A fact about an incident that somebody attests; the newest of a kind is in force, older ones stay. Never changed. */
export const regulatorFacts = pgTable(
  "regulator_facts",
  {
    /** Chosen by the client, so that a repeated call enters it once. */
    id: uuid().primaryKey(),
    /** The order of arrival. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    organisationId: ofOrganisation(),
    incidentId: ofIncident(),
    kind: text().$type<RegulatorFactKind>().notNull(),
    value: jsonb().$type<FactValue>().notNull(),
    enteredBy: byPerson(),
    createdAt: createdAt(),
  },
  (table) => [index("regulator_facts_of_incident").on(table.incidentId, table.serial)],
);

/** A report that a person filed with a regulator. Evidence: never changed. */
export const obligationFilings = pgTable(
  "obligation_filings",
  {
    id: uuid().primaryKey(),
    organisationId: ofOrganisation(),
    incidentId: ofIncident(),
    obligationKey: text().notNull(),
    obligationVersion: integer().notNull(),
    /** The person of the customer who filed. */
    filedBy: byPerson(),
    filedAt: instant().notNull(),
    /** The regulator's reference; empty if it gave none. */
    reference: text().notNull(),
    /** The draft as of this record, and its SHA-256. */
    draft: text().notNull(),
    draftHash: text().notNull(),
    recordedBy: byPerson(),
    createdAt: createdAt(),
  },
  (table) => [
    index("obligation_filings_of_incident").on(table.incidentId, table.createdAt, table.id),
    index("obligation_filings_of_organisation").on(table.organisationId, table.filedAt),
  ],
);

/** Warnings already sent that a clock ends at this time, one per channel. If its end moves, people are warned again. */
export const obligationWarnings = pgTable(
  "obligation_warnings",
  {
    organisationId: ofOrganisation(),
    incidentId: ofIncident(),
    obligationKey: text().notNull(),
    channel: text().$type<"bell" | "mail">().notNull(),
    dueAt: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({
      name: "obligation_warnings_once",
      columns: [table.incidentId, table.obligationKey, table.channel, table.dueAt],
    }),
  ],
);

import { isNull, sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { FindingFate } from "../../../contract/incident-states.ts";
import { createdAt, id, instant } from "./columns.ts";
import { engineFindings } from "./engines.ts";
import { incidents } from "./incidents.ts";
import { byPerson, ofOrganisation } from "./references.ts";

/** Findings that are not incidents, as an analyst decided on somebody's word. */
export const suppressionRules = pgTable(
  "suppression_rules",
  {
    id: id(),
    organisationId: ofOrganisation(),
    /** Matched exactly against the finding's title. */
    title: text().notNull(),
    /** The engine's id of one device; null for all devices. */
    deviceId: text(),
    reason: text().notNull(),
    /** The person of the customer or of the staff who said so. */
    onWordOf: text().notNull(),
    createdBy: byPerson(),
    createdAt: createdAt(),
    endedAt: instant(),
    endedBy: byPerson(),
  },
  (table) => [
    index().on(table.organisationId, table.createdAt),
    index("suppression_rules_in_force").on(table.organisationId, table.title).where(isNull(table.endedAt)),
  ],
);

/** All decisions about a finding, in order; the last one is in force. */
export const findingDecisions = pgTable(
  "finding_decisions",
  {
    id: id(),
    findingId: uuid()
      .notNull()
      .references(() => engineFindings.id, { onDelete: "cascade" }),
    organisationId: ofOrganisation(),
    fate: text().$type<FindingFate>().notNull(),
    ruleId: uuid().references(() => suppressionRules.id),
    incidentId: uuid().references(() => incidents.id),
    personId: byPerson(),
    reason: text().notNull(),
    decidedAt: instant().notNull(),
    /** Whether it is in force: no later decision has replaced it. */
    holds: boolean().notNull().default(true),
    /** The customer disagrees; an analyst is told. */
    dispute: text(),
    disputedBy: byPerson(),
    disputedAt: instant(),
  },
  (table) => [
    uniqueIndex("finding_decisions_that_hold")
      .on(table.findingId)
      .where(sql`holds`),
    index().on(table.organisationId, table.decidedAt),
    index().on(table.incidentId),
    index("finding_decisions_disputed")
      .on(table.disputedAt)
      .where(sql`holds and disputed_at is not null`),
    check("finding_decisions_by_rule", sql`(fate = 'suppressed') = (rule_id is not null)`),
    check("finding_decisions_to_incident", sql`(fate = 'attached') = (incident_id is not null)`),
  ],
);

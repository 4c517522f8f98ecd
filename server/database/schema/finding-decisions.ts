import { isNull, sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { FindingFate } from "../../../contract/incident-states.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { engineFindings } from "./engines.ts";
import { incidents } from "./incidents.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });
const byPerson = () => uuid().references(() => people.id, { onDelete: "set null" });

/** Findings that are no incident, as an analyst said and on whose word. */
export const suppressionRules = pgTable(
  "suppression_rules",
  {
    id: id(),
    organisationId: ofOrganisation(),
    /** The very title of the findings. */
    title: text().notNull(),
    /** The engine's id of one device; null for all. */
    deviceId: text(),
    reason: text().notNull(),
    /** Who of the customer or of us said so. */
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

/** What was decided about a finding, decision after decision. What holds is the last one. */
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
    /** None stands in its place. */
    holds: boolean().notNull().default(true),
    /** The customer sees it differently: news for an analyst. */
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

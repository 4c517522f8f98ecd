import { isNull, sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { OnboardingKind, Side } from "../../../contract/onboarding.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { orders } from "./orders.ts";
import { byPerson, ofOrganisation } from "./references.ts";

/** What must happen before a customer is watched; one row per customer, from its first order. */
export const onboardings = pgTable(
  "onboardings",
  {
    organisationId: uuid()
      .primaryKey()
      .references(() => organisations.id, { onDelete: "cascade" }),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    openedAt: createdAt(),
    /** When every item was settled; an order that adds devices opens it again. */
    doneAt: instant(),
    /** When the customer's people were last reminded by mail. */
    remindedAt: instant(),
    /** Who confirmed the organisation's time zone, and when. */
    timeZoneSetBy: uuid().references(() => people.id),
    timeZoneSetAt: instant(),
  },
  (table) => [index("onboardings_open").on(table.organisationId).where(isNull(table.doneAt))],
);

/** One item of the checklist. It stores what people said; what engines and tiles know is read whenever it is shown. */
export const onboardingItems = pgTable(
  "onboarding_items",
  {
    id: id(),
    organisationId: ofOrganisation(),
    kind: text().$type<OnboardingKind>().notNull(),
    /** For a log source its device type, as `service|deviceType`; empty for other kinds, which have one item each. */
    key: text().notNull().default(""),
    /** Who has to act: the customer or the provider. */
    side: text().$type<Side>().notNull(),
    ownerId: byPerson(),
    dueOn: date().notNull(),
    /** Ticked by a person, for items that no engine can confirm. */
    tickedBy: uuid().references(() => people.id),
    tickedAt: instant(),
    note: text().notNull().default(""),
    /** Counts changes, so that the later of two concurrent edits is refused. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    unique("onboarding_items_once").on(table.organisationId, table.kind, table.key),
    check("onboarding_items_ticked", sql`(ticked_by is null) = (ticked_at is null)`),
  ],
);

/** Sites of a customer where its devices are. */
export const sites = pgTable(
  "sites",
  {
    id: id(),
    organisationId: ofOrganisation(),
    name: text().notNull(),
    address: text().notNull(),
    addedBy: uuid()
      .notNull()
      .references(() => people.id),
    createdAt: createdAt(),
    removedAt: instant(),
  },
  (table) => [index("sites_of_organisation").on(table.organisationId, table.id).where(isNull(table.removedAt))],
);

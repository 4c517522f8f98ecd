import { isNull, sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { OnboardingKind, Side } from "../../../contract/onboarding.ts";
import { organisations, people } from "./accounts.ts";
import { createdAt, id, instant } from "./columns.ts";
import { orders } from "./orders.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });

/** What has to happen before a customer is watched; a row for each customer, from the first order that was bought. */
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
    /** When everything on it was settled; an order that adds devices opens it again. */
    doneAt: instant(),
    /** When its people were last reminded, by mail. */
    remindedAt: instant(),
    /** Who said that the organisation's time zone is right, and when. */
    timeZoneSetBy: uuid().references(() => people.id),
    timeZoneSetAt: instant(),
  },
  (table) => [index("onboardings_open").on(table.organisationId).where(isNull(table.doneAt))],
);

/** One line of the checklist. What engines and tiles know is read when it is shown; here stands what people said. */
export const onboardingItems = pgTable(
  "onboarding_items",
  {
    id: id(),
    organisationId: ofOrganisation(),
    kind: text().$type<OnboardingKind>().notNull(),
    /** The device type of a log source, as `service|deviceType`; empty for the rest, of which there is one. */
    key: text().notNull().default(""),
    /** Whose move it is: the customer's, or the provider's. */
    side: text().$type<Side>().notNull(),
    ownerId: uuid().references(() => people.id, { onDelete: "set null" }),
    dueOn: date().notNull(),
    /** Ticked by a person, where no engine knows. */
    tickedBy: uuid().references(() => people.id),
    tickedAt: instant(),
    note: text().notNull().default(""),
    /** Counts the changes, so that of two who change it at once the second is told. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    unique("onboarding_items_once").on(table.organisationId, table.kind, table.key),
    check("onboarding_items_ticked", sql`(ticked_by is null) = (ticked_at is null)`),
  ],
);

/** Places that a customer's devices stand at. */
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

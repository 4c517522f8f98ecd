import { date, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { LeadSource } from "../../../contract/lead-states.ts";
import { id, paise } from "./columns.ts";

/**
 * What dashboards show by month, kept by triggers in the transaction that changes it (decision 35). The figure of a month
 * is the sum of its rows: each change adds one, so that no two wait for each other, and the sweep folds them into one.
 */
export const monthlyFigures = pgTable(
  "monthly_figures",
  {
    id: id(),
    /** Whose customers are counted; null for everybody's. */
    partnerId: uuid(),
    /** A month in India: 2026-01. */
    month: text().notNull(),
    /** Paid in this month, in full, whatever part of it was given back later; not those of which all was. */
    orders: integer().notNull().default(0),
    paise: paise().notNull().default(0),
    /** Estimates sent in this month, without what follows from a contract, and how many of these are paid by now. */
    leads: integer().notNull().default(0),
    converted: integer().notNull().default(0),
    /** That came in this month. */
    customers: integer().notNull().default(0),
    partners: integer().notNull().default(0),
  },
  (table) => [index().on(table.partnerId, table.month)],
);

/** How far the leads of each month came, kept as `monthlyFigures` are: of those that are joined to no other. */
export const leadFigures = pgTable(
  "lead_figures",
  {
    id: id(),
    /** The month in India in which they came: 2026-01. */
    month: text().notNull(),
    source: text().$type<LeadSource>().notNull(),
    came: integer().notNull(),
    contacted: integer().notNull(),
    proposalSent: integer().notNull(),
    negotiation: integer().notNull(),
    won: integer().notNull(),
    lost: integer().notNull(),
    junk: integer().notNull(),
  },
  (table) => [index().on(table.month, table.source)],
);

/** What unsettled orders owe, kept likewise, by the day on which it is due. */
export const owedFigures = pgTable(
  "owed_figures",
  {
    id: id(),
    /** Null where no day is set yet. */
    dueOn: date(),
    owedPaise: paise().notNull(),
    creditPaise: paise().notNull(),
    expectedPaise: paise().notNull(),
    taxOpenPaise: paise().notNull(),
  },
  (table) => [index().on(table.dueOn)],
);

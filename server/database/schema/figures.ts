import { date, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { LeadSource } from "../../../contract/lead-states.ts";
import { id, paise } from "./columns.ts";

/**
 * What dashboards show by month, maintained by triggers in the transaction that changes it (decision 35). A month's
 * figure is the sum of its rows: each change adds a row, so that no two wait for each other, and the sweep folds them.
 */
export const monthlyFigures = pgTable(
  "monthly_figures",
  {
    id: id(),
    /** The partner whose customers are counted; null for all customers. */
    partnerId: uuid(),
    /** A month in India, such as 2026-01. */
    month: text().notNull(),
    /**
     * Orders paid in this month, at the full amount even if partly refunded later; fully refunded ones do not count.
     */
    orders: integer().notNull().default(0),
    paise: paise().notNull().default(0),
    /**
     * Estimates sent in this month, without quotes that follow from a contract, and how many of them are paid by now.
     */
    leads: integer().notNull().default(0),
    converted: integer().notNull().default(0),
    /** New customers and partners of this month. */
    customers: integer().notNull().default(0),
    partners: integer().notNull().default(0),
  },
  (table) => [index().on(table.partnerId, table.month)],
);

/** How far the leads of each month got, kept like `monthlyFigures`; leads joined to another one do not count. */
export const leadFigures = pgTable(
  "lead_figures",
  {
    id: id(),
    /** The month in India in which they arrived, such as 2026-01. */
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

/** What unsettled orders owe by due day, kept like `monthlyFigures`. */
export const owedFigures = pgTable(
  "owed_figures",
  {
    id: id(),
    /** Null if no day is set yet. */
    dueOn: date(),
    owedPaise: paise().notNull(),
    creditPaise: paise().notNull(),
    expectedPaise: paise().notNull(),
    taxOpenPaise: paise().notNull(),
  },
  (table) => [index().on(table.dueOn)],
);

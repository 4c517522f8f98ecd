import { boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { organisations } from "./accounts.ts";
import { createdAt } from "./columns.ts";

/** A customer's SIEM and SOAR dashboards; no row means not yet activated. */
export const customerTools = pgTable("customer_tools", {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisations.id),
  siemUrl: text().notNull().default(""),
  siemEnabled: boolean().notNull().default(false),
  soarUrl: text().notNull().default(""),
  soarEnabled: boolean().notNull().default(false),
  /** Counts the changes, so that a second editor who saw an older state is told. */
  version: integer().notNull().default(1),
  updatedAt: createdAt(),
});

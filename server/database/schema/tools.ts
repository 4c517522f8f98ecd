import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { TileIcon } from "../../../contract/tiles.ts";
import { organisations } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** A customer's SIEM and SOAR dashboards; without a row they are not activated. */
export const customerTools = pgTable("customer_tools", {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisations.id),
  siemUrl: text().notNull().default(""),
  siemEnabled: boolean().notNull().default(false),
  soarUrl: text().notNull().default(""),
  soarEnabled: boolean().notNull().default(false),
  /** Counts changes: an edit based on an older version is refused. */
  version: integer().notNull().default(1),
  updatedAt: createdAt(),
});

/** Tiles on customers' dashboards beside SIEM and SOAR, in the order of `place`. */
export const tiles = pgTable(
  "tiles",
  {
    id: id(),
    /** The customer that sees it; null for all customers. */
    organisationId: uuid().references(() => organisations.id, { onDelete: "cascade" }),
    title: text().notNull(),
    text: text().notNull(),
    icon: text().$type<TileIcon>().notNull(),
    url: text().notNull(),
    place: integer().notNull(),
    shown: boolean().notNull(),
    /** Counts changes: an edit based on an older version is refused. */
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(title || ' ' || text || ' ' || url)`),
  },
  (table) => [
    index().on(table.organisationId, table.place, table.id),
    index("tiles_by_place").on(table.place, table.id),
    index("tiles_by_title").on(sql`lower(title)`, table.id),
    index("tiles_searched").using("gin", table.searched.op("gin_trgm_ops")),
  ],
);

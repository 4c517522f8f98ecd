import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { citext, createdAt, id } from "./columns.ts";

/** Who asked to be contacted or shown a demo, by the form at /contact. */
export const leads = pgTable(
  "leads",
  {
    id: id(),
    userName: text().notNull(),
    userEmail: citext().notNull(),
    /** E.164. */
    phone: text().notNull(),
    organization: text().notNull(),
    organizationSize: integer().notNull(),
    message: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.createdAt)],
);

import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { NoticeVersion } from "../../../contract/privacy-notice.ts";
import { people } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";
import { leads } from "./leads.ts";
import { quotes } from "./quotes.ts";

/**
 * That somebody sent a form that takes personal data, and which privacy notice was shown. The row belongs to the record
 * that the form made, and is deleted with it: that record says who agreed.
 */
export const consents = pgTable(
  "consents",
  {
    id: id(),
    purpose: text().$type<"registration" | "invitation" | "contact" | "estimate">().notNull(),
    /** Null when the client did not say; then no notice can be proved. */
    noticeVersion: text().$type<NoticeVersion>(),
    givenAt: createdAt(),
    personId: uuid().references(() => people.id, { onDelete: "cascade" }),
    leadId: uuid().references(() => leads.id, { onDelete: "cascade" }),
    quoteId: uuid().references(() => quotes.id, { onDelete: "cascade" }),
  },
  (table) => [
    index().on(table.personId),
    index().on(table.leadId),
    index().on(table.quoteId),
    check("consents_of_one", sql`num_nonnulls(person_id, lead_id, quote_id) = 1`),
  ],
);

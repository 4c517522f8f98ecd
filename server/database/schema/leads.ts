import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { LeadFilters } from "../../../contract/lead-list.ts";
import type { LeadSource, LeadState } from "../../../contract/lead-states.ts";
import { people } from "./accounts.ts";
import { citext, createdAt, id, instant, numbered, paise } from "./columns.ts";
import { quotes } from "./quotes.ts";
import { byPerson } from "./references.ts";

const open = sql.raw(`state in ('new', 'contacted', 'proposal_sent', 'negotiation')`);

/**
 * Prospects: people who used the form at /contact, sent an estimate, or got a quote made by an administrator. Triggers
 * make the lead of a quote, and mark it as won with its order (decision 44).
 */
export const leads = pgTable(
  "leads",
  {
    id: id(),
    /** Shown to people as L-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    userName: text().notNull(),
    userEmail: citext().notNull(),
    /** E.164. */
    phone: text().notNull(),
    organization: text().notNull(),
    organizationSize: integer().notNull(),
    message: text().notNull(),
    createdAt: createdAt(),
    /** Hash of the form's content and the client's own key: a repeated call makes no second lead. */
    requestKey: uuid(),
    source: text().$type<LeadSource>().notNull().default("contact"),
    /** The quote that it is about now, with copies of its number and total; null for a mere contact request. */
    quoteId: uuid()
      .unique()
      .references(() => quotes.id, { onDelete: "cascade" }),
    quoteNumber: text().notNull().default(""),
    totalPaise: paise().notNull().default(0),
    /** Until when an administrator may confirm the rates of that quote; null when there is nothing to confirm. */
    ratesToConfirmUntil: instant(),
    state: text().$type<LeadState>().notNull().default("new"),
    /** The furthest stage that it reached, from new (0) to won (4), even if it has since been lost. */
    furthest: integer().notNull().default(0),
    lostReason: text().notNull().default(""),
    ownerId: byPerson(),
    nextStep: text().notNull().default(""),
    /** A day in India. */
    nextStepOn: date({ mode: "string" }),
    /** The day of the next step that its owner was last reminded of. */
    remindedFor: date({ mode: "string" }),
    /** As the staff noted it; an organisation with an account may have its own. */
    gstin: text(),
    /** The lead that it was joined to, because both are about the same; lists show only that one. */
    joinedTo: uuid().references((): AnyPgColumn => leads.id, { onDelete: "set null" }),
    /** Counts changes, so that the later of two concurrent edits is refused. */
    version: integer().notNull().default(1),
    /** The day of the next step, or infinity without one, for sorting. */
    dueOn: date({ mode: "string" })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(next_step_on, 'infinity'::date)`),
    emailDomain: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(split_part(user_email::text, '@', 2))`),
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(${numbered("L")} || ' ' || quote_number || ' ' || organization || ' ' || user_name || ' ' || user_email::text || ' ' || phone || ' ' || message)`,
      ),
  },
  (table) => [
    index().on(table.createdAt),
    uniqueIndex("leads_one_per_request").on(table.requestKey),
    index("leads_by_serial").on(table.serial),
    index().on(table.userEmail),
    index().on(table.emailDomain),
    index().on(table.gstin),
    index().on(table.joinedTo),
    index("leads_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("leads_to_remind")
      .on(table.nextStepOn)
      .where(sql`owner_id is not null and ${open}`),
    // Lists show only leads that are not joined to another one.
    index("leads_by_created_at").on(table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_by_state").on(table.state, table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_by_owner").on(table.ownerId, table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_of_owner_by_state")
      .on(table.ownerId, table.state, table.createdAt, table.id)
      .where(isNull(table.joinedTo)),
    index("leads_by_source").on(table.source, table.createdAt, table.id).where(isNull(table.joinedTo)),
    // Includes the state, so that due and open leads are counted from the index alone.
    index("leads_by_due").on(table.dueOn, table.id, table.state).where(isNull(table.joinedTo)),
    index("leads_by_total").on(table.totalPaise, table.id).where(isNull(table.joinedTo)),
    index("leads_by_organization")
      .on(sql`lower(organization)`, table.id)
      .where(isNull(table.joinedTo)),
    index("leads_by_name")
      .on(sql`lower(user_name)`, table.id)
      .where(isNull(table.joinedTo)),
    index("leads_by_email")
      .on(sql`(user_email::text)`, table.id)
      .where(isNull(table.joinedTo)),
    index("leads_to_confirm").on(table.ratesToConfirmUntil).where(isNotNull(table.ratesToConfirmUntil)),
  ],
);

/** Notes that the staff wrote about a lead. What was done to a lead is in the audit log. */
export const leadNotes = pgTable(
  "lead_notes",
  {
    id: id(),
    leadId: uuid()
      .notNull()
      .references(() => leads.id, { onDelete: "cascade" }),
    authorId: byPerson(),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.leadId, table.id)],
);

/** A person's saved filters for the list of leads. */
export const leadViews = pgTable(
  "lead_views",
  {
    id: id(),
    personId: uuid()
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    name: text().notNull(),
    filters: jsonb().$type<LeadFilters>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("lead_views_once_each").on(table.personId, table.name)],
);

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

const open = sql.raw(`state in ('new', 'contacted', 'proposal_sent', 'negotiation')`);

/**
 * Whoever may buy: who asked to be contacted by the form at /contact, who sent an estimate, or for whom an administrator
 * made a quote. Triggers make the lead of a quote and win it with its order (decision 44).
 */
export const leads = pgTable(
  "leads",
  {
    id: id(),
    /** What people call it: L-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    userName: text().notNull(),
    userEmail: citext().notNull(),
    /** E.164. */
    phone: text().notNull(),
    organization: text().notNull(),
    organizationSize: integer().notNull(),
    message: text().notNull(),
    createdAt: createdAt(),
    /** Of all that was said in the form and the sender's own key: the same call again makes no second one. */
    requestKey: uuid(),
    source: text().$type<LeadSource>().notNull().default("contact"),
    /** The quote that it is about now, with copies of its number and total; none for who only asked to be contacted. */
    quoteId: uuid()
      .unique()
      .references(() => quotes.id, { onDelete: "cascade" }),
    quoteNumber: text().notNull().default(""),
    totalPaise: paise().notNull().default(0),
    /** So long an administrator may confirm the rates of that quote; null when nothing is to be confirmed. */
    ratesToConfirmUntil: instant(),
    state: text().$type<LeadState>().notNull().default("new"),
    /** The furthest that it came on the way from new (0) to won (4), also if it is lost by now. */
    furthest: integer().notNull().default(0),
    lostReason: text().notNull().default(""),
    ownerId: uuid().references(() => people.id, { onDelete: "set null" }),
    nextStep: text().notNull().default(""),
    /** A day in India. */
    nextStepOn: date({ mode: "string" }),
    /** The day of a next step that its owner was reminded of. */
    remindedFor: date({ mode: "string" }),
    /** As somebody of ours noted it; an organisation that has an account may have one besides. */
    gstin: text(),
    /** The lead that shows it, where several are about the same. */
    joinedTo: uuid().references((): AnyPgColumn => leads.id, { onDelete: "set null" }),
    /** Counts its changes, so that of two who change it at once the second is told. */
    version: integer().notNull().default(1),
    /** The day of the next step, the end of time without one: a list goes by it. */
    dueOn: date({ mode: "string" })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(next_step_on, 'infinity'::date)`),
    emailDomain: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(split_part(user_email::text, '@', 2))`),
    /** What a search looks through, in lower case. */
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
    // The list shows what is not joined to another lead.
    index("leads_by_created_at").on(table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_by_state").on(table.state, table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_by_owner").on(table.ownerId, table.createdAt, table.id).where(isNull(table.joinedTo)),
    index("leads_of_owner_by_state")
      .on(table.ownerId, table.state, table.createdAt, table.id)
      .where(isNull(table.joinedTo)),
    index("leads_by_source").on(table.source, table.createdAt, table.id).where(isNull(table.joinedTo)),
    // With its state, so that those which are due and open are counted without a look at the rows.
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

/** What somebody of ours wrote about a lead. What was done to it stands in the audit log. */
export const leadNotes = pgTable(
  "lead_notes",
  {
    id: id(),
    leadId: uuid()
      .notNull()
      .references(() => leads.id, { onDelete: "cascade" }),
    authorId: uuid().references(() => people.id, { onDelete: "set null" }),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.leadId, table.id)],
);

/** What somebody keeps to look at the leads by. */
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

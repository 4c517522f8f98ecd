import { isNull, sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";
import { citext, createdAt, id, instant, paise } from "./columns.ts";

/** Yearly price of one device type. A deviceType of "*" is the default for its service. */
export interface Rate {
  service: string;
  deviceType: string;
  unit: string;
  yearlyPaise: number;
}

/** From this many devices in all, this discount on the whole. */
export interface VolumeTier {
  fromDevices: number;
  discountBasisPoints: number;
}

/** A priced line as it was when the quote was made. */
export interface QuoteLine {
  service: string;
  deviceType: string;
  number: number;
  unit: string;
  ratePaise: number;
  amountPaise: number;
  subjectToConfirmation: boolean;
}

/** Each change makes a new row; the newest is in force. */
export const rateCards = pgTable("rate_cards", {
  id: id(),
  rates: jsonb().$type<Rate[]>().notNull(),
  tiers: jsonb().$type<VolumeTier[]>().notNull(),
  /** Sample prices say so wherever they are shown. */
  isSample: boolean().notNull(),
  createdAt: createdAt(),
  createdBy: uuid(),
});

export const quotes = pgTable(
  "quotes",
  {
    id: id(),
    /** What people call it: Q-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** Null while it is a visitor's; set when the owner of userEmail signs in. */
    organisationId: uuid().references(() => organisations.id),
    organizationName: text().notNull(),
    userName: text().notNull(),
    userEmail: citext().notNull(),
    phoneNumber: text().notNull(),
    numberOfUsers: integer().notNull(),
    message: text().notNull(),
    rateCardId: uuid()
      .notNull()
      .references(() => rateCards.id),
    sampleRates: boolean().notNull(),
    lines: jsonb().$type<QuoteLine[]>().notNull(),
    subtotalPaise: paise().notNull(),
    discountBasisPoints: integer().notNull(),
    discountPaise: paise().notNull(),
    gstPaise: paise().notNull(),
    totalPaise: paise().notNull(),
    /** Name of the proposal in the file store; null while it is being prepared. */
    proposalFile: text().unique(),
    createdAt: createdAt(),
    /** The last instant at which it can be bought: the end of a day in India. */
    validUntil: instant().notNull(),
    /** Counts its proposals: confirmed rates make a new one, with a file and a mail of its own. */
    revision: integer().notNull().default(1),
    /** Whether a line waits for an administrator to confirm its rate. */
    ratesToConfirm: boolean()
      .notNull()
      .generatedAlwaysAs(sql`lines @> '[{"subjectToConfirmation": true}]'`),
    ratesConfirmedAt: instant(),
    ratesConfirmedBy: uuid().references(() => people.id),
    /** What a search looks through, in lower case. */
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower('Q-' || lpad(serial::text, 6, '0') || ' ' || organization_name || ' ' || user_name || ' ' || user_email::text || ' ' || phone_number || ' ' || message)`,
      ),
  },
  (table) => [
    index().on(table.organisationId, table.id),
    index().on(table.userEmail),
    index("quotes_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("quotes_to_confirm")
      .on(table.id)
      .where(sql`rates_to_confirm`),
    index("quotes_by_created_at").on(table.createdAt, table.id),
    index("quotes_by_valid_until").on(table.validUntil, table.id),
    index("quotes_by_total").on(table.totalPaise, table.id),
    index("quotes_by_users").on(table.numberOfUsers, table.id),
    index("quotes_by_organisation").on(sql`lower(organization_name)`, table.id),
    index("quotes_by_name").on(sql`lower(user_name)`, table.id),
    index("quotes_by_email").on(sql`(user_email::text)`, table.id),
    index("quotes_by_phone").on(table.phoneNumber, table.id),
    index("quotes_unclaimed").on(table.createdAt).where(isNull(table.organisationId)),
  ],
);

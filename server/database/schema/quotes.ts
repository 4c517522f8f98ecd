import { isNotNull, isNull, sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";
import { citext, createdAt, id, instant, numbered, paise, searchedOfPartner } from "./columns.ts";

/**
 * A device type as one card has it, with its yearly price. `service` and `deviceType` are its key for good, `group` and
 * `name` what it is called now. A deviceType of "*" is the default for devices typed in by hand.
 */
export interface Rate {
  service: string;
  deviceType: string;
  group: string;
  name: string;
  unit: string;
  yearlyPaise: number;
  /** Not offered any more; it stays, so that its key never comes to mean something else. */
  retired: boolean;
}

/** From this many devices in all, this discount on the whole. */
export interface VolumeTier {
  fromDevices: number;
  discountBasisPoints: number;
}

/** What a card says: the catalogue with its prices, in the order of the estimator, and the terms of quotes. */
export interface CardContent {
  rates: Rate[];
  tiers: VolumeTier[];
  gstBasisPoints: number;
  quoteValidDays: number;
}

/** A priced line as it was when the quote was made. */
export interface QuoteLine {
  /** Key of the type, where it was called otherwise by then. */
  key?: { service: string; deviceType: string };
  service: string;
  deviceType: string;
  number: number;
  unit: string;
  ratePaise: number;
  amountPaise: number;
  subjectToConfirmation: boolean;
}

/**
 * Of a quote that changes a contract or goes on from one: its days, and how many the contract year has. What is added costs
 * its part of the year (`priceOfDays`), with the discount in each line.
 */
export interface QuoteTerm {
  kind: "add" | "true up" | "renew";
  /** What people call the contract: C-000123. */
  contractNumber: string;
  from: string;
  to: string;
  days: number;
  daysOfYear: number;
  discountBasisPoints: number;
}

/** What was published; never changed but by its withdrawal. In force is the last one whose time has come. */
export const rateCards = pgTable("rate_cards", {
  id: id(),
  /** What people call it: Card 3. */
  serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  rates: jsonb().$type<Rate[]>().notNull(),
  tiers: jsonb().$type<VolumeTier[]>().notNull(),
  gstBasisPoints: integer().notNull().default(1800),
  quoteValidDays: integer().notNull().default(30),
  /** Sample prices say so wherever they are shown. */
  isSample: boolean().notNull(),
  /** What is different from the card before it, a sentence each. */
  changes: jsonb().$type<string[]>().notNull().default([]),
  inForceFrom: instant().notNull().defaultNow(),
  createdAt: createdAt(),
  createdBy: uuid(),
  /** Taken back before it came into force. */
  withdrawnAt: instant(),
  withdrawnBy: uuid(),
});

/** The one card that is being prepared; each save gives it a new id. */
export const rateCardDrafts = pgTable(
  "rate_card_drafts",
  {
    id: id(),
    onlyOne: boolean().notNull().unique("rate_card_drafts_one").default(true),
    content: jsonb().$type<CardContent>().notNull(),
    savedAt: instant().notNull(),
    savedBy: uuid()
      .notNull()
      .references(() => people.id),
  },
  () => [check("rate_card_drafts_only_one", sql`only_one`)],
);

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
    gstBasisPoints: integer().notNull().default(1800),
    gstPaise: paise().notNull(),
    totalPaise: paise().notNull(),
    /** Name of the proposal in the file store; null while it is being prepared. */
    proposalFile: text().unique(),
    createdAt: createdAt(),
    /** So many days it is valid from its making, or from the confirmation of its rates. */
    validDays: integer().notNull().default(30),
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
    /** The partner who had it made for its customer, and who of it or of us did; null where somebody asked for themselves. */
    partnerId: uuid().references(() => organisations.id),
    madeBy: uuid().references(() => people.id),
    /** Of the request for this one quote, so that a repeated call makes no second one: its own, or of all that was asked for. */
    requestKey: uuid(),
    /** An administrator set the discount; otherwise it is the card's for so many devices. */
    ownDiscount: boolean().notNull().default(false),
    /** Priced beside the lines and not in the total: what may be added. */
    options: jsonb().$type<QuoteLine[]>().notNull().default([]),
    /** What an administrator tells the customer on the proposal. */
    note: text().notNull().default(""),
    /** The lead that an administrator made it for. */
    madeForLead: uuid(),
    /** What the customer decided about its present revision: what stands in `quote_decisions`. */
    decision: text({ enum: ["accepted", "declined"] }),
    /** The contract that it adds to or renews (a foreign key of the migration), and its days; null where buying it begins one. */
    contractId: uuid(),
    term: jsonb().$type<QuoteTerm>(),
    /** When its present revision was made, if it is not the first. */
    revisedAt: instant(),
    /** What a search looks through, in lower case. */
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(${numbered("Q")} || ' ' || organization_name || ' ' || user_name || ' ' || user_email::text || ' ' || phone_number || ' ' || message)`,
      ),
  },
  (table) => [
    index().on(table.organisationId, table.id),
    // What a customer's state is read from: its last quote that has not been bought.
    index("quotes_of_organisation_by_valid_until").on(table.organisationId, table.validUntil),
    index("quotes_declined")
      .on(table.organisationId)
      .where(sql`decision = 'declined'`),
    uniqueIndex("quotes_one_per_request").on(table.madeBy, table.requestKey).where(isNotNull(table.madeBy)),
    uniqueIndex("quotes_one_per_own_request").on(table.requestKey).where(isNull(table.madeBy)),
    index("quotes_of_partner").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("quotes_by_serial").on(table.serial),
    index().on(table.userEmail),
    index("quotes_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("quotes_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    index("quotes_to_confirm")
      .on(table.validUntil, table.id)
      .where(sql`rates_to_confirm`),
    index("quotes_without_proposal").on(table.createdAt).where(isNull(table.proposalFile)),
    index("quotes_by_created_at").on(table.createdAt, table.id),
    index("quotes_by_valid_until").on(table.validUntil, table.id),
    index("quotes_by_total").on(table.totalPaise, table.id),
    index("quotes_by_users").on(table.numberOfUsers, table.id),
    index("quotes_by_organisation").on(sql`lower(organization_name)`, table.id),
    index("quotes_by_name").on(sql`lower(user_name)`, table.id),
    index("quotes_by_email").on(sql`(user_email::text)`, table.id),
    index("quotes_by_phone").on(table.phoneNumber, table.id),
    index("quotes_of_contract").on(table.contractId, table.id).where(isNotNull(table.contractId)),
    uniqueIndex("quotes_one_renewal")
      .on(table.contractId)
      .where(sql`term->>'kind' = 'renew'`),
    check("quotes_of_a_contract", sql`(contract_id is null) = (term is null)`),
    index("quotes_unclaimed").on(table.createdAt).where(isNull(table.organisationId)),
  ],
);

/** What a quote said before it was revised; its proposal stays in the file store. */
export const quoteRevisions = pgTable(
  "quote_revisions",
  {
    id: id(),
    quoteId: uuid()
      .notNull()
      .references(() => quotes.id, { onDelete: "cascade" }),
    revision: integer().notNull(),
    lines: jsonb().$type<QuoteLine[]>().notNull(),
    totalPaise: paise().notNull(),
    /** Null when it was never rendered, because the next one came before. */
    proposalFile: text().unique(),
    madeAt: instant().notNull(),
    supersededAt: instant().notNull(),
  },
  (table) => [uniqueIndex("quote_revisions_once_each").on(table.quoteId, table.revision)],
);

/** What a customer decided about a revision of a quote, and how it is proved. Never changed but for the file that is made of it. */
export const quoteDecisions = pgTable(
  "quote_decisions",
  {
    id: id(),
    quoteId: uuid()
      .notNull()
      .references(() => quotes.id, { onDelete: "cascade" }),
    revision: integer().notNull(),
    kind: text({ enum: ["accepted", "declined"] }).notNull(),
    personId: uuid()
      .notNull()
      .references(() => people.id),
    email: citext().notNull(),
    name: text().notNull(),
    designation: text().notNull(),
    /** Of one that was declined. */
    reason: text().notNull().default(""),
    terms: jsonb().$type<string[]>().notNull(),
    termsHash: text().notNull(),
    /** SHA-256 of the proposal's PDF as it was when it was accepted; null of one that was declined. */
    proposalHash: text(),
    address: text().notNull(),
    userAgent: text().notNull(),
    decidedAt: instant().notNull(),
    /** Name of the accepted proposal with the evidence in the file store. */
    file: text().unique(),
  },
  (table) => [
    uniqueIndex("quote_decisions_once_each").on(table.quoteId, table.revision),
    index("quote_decisions_without_file")
      .on(table.decidedAt)
      .where(sql`kind = 'accepted' and file is null`),
    index("quote_decisions_of_person").on(table.personId),
  ],
);

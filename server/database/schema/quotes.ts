import { isNotNull, isNull, sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";
import { citext, createdAt, id, instant, numbered, paise, searchedOfPartner } from "./columns.ts";

/**
 * A device type on one card, with its yearly price. `service` and `deviceType` are its permanent key, `group` and
 * `name` its current names. A deviceType of "*" is the default for devices typed in by hand.
 */
export interface Rate {
  service: string;
  deviceType: string;
  group: string;
  name: string;
  unit: string;
  yearlyPaise: number;
  /** No longer offered. It stays on the card, so that its key never gets another meaning. */
  retired: boolean;
}

/** From this total number of devices on, the discount on the whole. */
export interface VolumeTier {
  fromDevices: number;
  discountBasisPoints: number;
}

/** The content of a card: the catalogue with its prices, in the estimator's order, and the terms of quotes. */
export interface CardContent {
  rates: Rate[];
  tiers: VolumeTier[];
  gstBasisPoints: number;
  quoteValidDays: number;
}

/** A priced line as it was when the quote was made. */
export interface QuoteLine {
  /** Key of the type, if its name differed from the key by then. */
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
 * Of a quote that changes or renews a contract: its days, and the length of the contract year in days. An addition
 * costs its share of the year (`priceOfDays`), with the discount in each line.
 */
export interface QuoteTerm {
  kind: "add" | "true up" | "renew";
  /** The contract's number, such as C-000123. */
  contractNumber: string;
  from: string;
  to: string;
  days: number;
  daysOfYear: number;
  discountBasisPoints: number;
}

/** Published cards; never changed except to be withdrawn. The latest one whose time has come is in force. */
export const rateCards = pgTable("rate_cards", {
  id: id(),
  /** Shown to people as Card 3. */
  serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  rates: jsonb().$type<Rate[]>().notNull(),
  tiers: jsonb().$type<VolumeTier[]>().notNull(),
  gstBasisPoints: integer().notNull().default(1800),
  quoteValidDays: integer().notNull().default(30),
  /** Sample prices are marked as such wherever they are shown. */
  isSample: boolean().notNull(),
  /** The differences from the previous card, one sentence each. */
  changes: jsonb().$type<string[]>().notNull().default([]),
  inForceFrom: instant().notNull().defaultNow(),
  createdAt: createdAt(),
  createdBy: uuid(),
  /** When it was taken back, before it came into force. */
  withdrawnAt: instant(),
  withdrawnBy: uuid(),
});

/** The one card being prepared; each save gives it a new id. */
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
    /** Shown to people as Q-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** Null for a visitor's quote; set when the owner of userEmail signs in. */
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
    /** Name of the proposal in the file store; null until it is made. */
    proposalFile: text().unique(),
    createdAt: createdAt(),
    /** How many days it is valid, from its creation or from the confirmation of its rates. */
    validDays: integer().notNull().default(30),
    /** The last instant at which it can be bought: the end of a day in India. */
    validUntil: instant().notNull(),
    /** Counts its proposals: confirming rates makes a new one, with its own file and mail. */
    revision: integer().notNull().default(1),
    /** Whether an administrator still has to confirm the rate of a line. */
    ratesToConfirm: boolean()
      .notNull()
      .generatedAlwaysAs(sql`lines @> '[{"subjectToConfirmation": true}]'`),
    ratesConfirmedAt: instant(),
    ratesConfirmedBy: uuid().references(() => people.id),
    /**
     * The partner who had it made for its customer, and the person of the partner or the staff who made it; null if
     * people asked for themselves.
     */
    partnerId: uuid().references(() => organisations.id),
    madeBy: uuid().references(() => people.id),
    /**
     * Identifies the request, so that a repeat makes no second quote: the client's key, or a hash of all it asked for.
     */
    requestKey: uuid(),
    /** Whether an administrator set the discount; otherwise it follows from the card's tiers. */
    ownDiscount: boolean().notNull().default(false),
    /** Optional lines, priced but not in the total. */
    options: jsonb().$type<QuoteLine[]>().notNull().default([]),
    /** An administrator's note to the customer on the proposal. */
    note: text().notNull().default(""),
    /** The lead that an administrator made it for. */
    madeForLead: uuid(),
    /** The customer's decision about the current revision; a copy from `quote_decisions`. */
    decision: text({ enum: ["accepted", "declined"] }),
    /** The contract that it extends or renews (foreign key in the migration), and its days; null if it begins one. */
    contractId: uuid(),
    term: jsonb().$type<QuoteTerm>(),
    /** When the current revision was made; null for the first. */
    revisedAt: instant(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(${numbered("Q")} || ' ' || organization_name || ' ' || user_name || ' ' || user_email::text || ' ' || phone_number || ' ' || message)`,
      ),
  },
  (table) => [
    index().on(table.organisationId, table.id),
    // A customer's state depends on its last quote that has not been bought.
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

/** Earlier revisions of a quote; their proposals stay in the file store. */
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
    /** Null if it was never rendered because the next revision came first. */
    proposalFile: text().unique(),
    madeAt: instant().notNull(),
    supersededAt: instant().notNull(),
  },
  (table) => [uniqueIndex("quote_revisions_once_each").on(table.quoteId, table.revision)],
);

/** A customer's decision about one revision, with the evidence. Never changed, except to add the file made from it. */
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
    /** Why it was declined. */
    reason: text().notNull().default(""),
    terms: jsonb().$type<string[]>().notNull(),
    termsHash: text().notNull(),
    /** SHA-256 of the proposal's PDF at the time of acceptance; null if it was declined. */
    proposalHash: text(),
    address: text().notNull(),
    userAgent: text().notNull(),
    decidedAt: instant().notNull(),
    /** Name in the file store of the accepted proposal with the evidence. */
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

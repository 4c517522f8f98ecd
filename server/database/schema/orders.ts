import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { OrderState, PaymentForm } from "../../../contract/orders.ts";
import { organisations, people } from "./accounts.ts";
import type { BillTo, TaxDeducted } from "./bill-to.ts";
import type { TaxSplit } from "./billing.ts";
import { createdAt, id, instant, numbered, paise, searchedOfPartner } from "./columns.ts";
import { quotes } from "./quotes.ts";

/** refunded: the attempt did not pay the order, and all of its money was returned. */
export type AttemptState = "initiated" | "pending" | "success" | "failure" | "expired" | "review" | "refunded";

/** One order per quote; each try to pay it is an attempt. */
export const orders = pgTable(
  "orders",
  {
    id: id(),
    /** Shown to people as O-000123. */
    serial: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    quoteId: uuid()
      .notNull()
      .unique()
      .references(() => quotes.id),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    buyerId: uuid()
      .notNull()
      .references(() => people.id),
    billTo: jsonb().$type<BillTo>().notNull(),
    /** The quote's sum with this tax. */
    amountPaise: paise().notNull(),
    /** Null for orders from before this was stored, which keep their taxes of then. */
    tax: jsonb().$type<TaxSplit>(),
    state: text().$type<OrderState>().notNull().default("initiated"),
    /** Why an order in `review` needs a person. */
    reviewReason: text(),
    /** The gateway's id of the payment that succeeded. */
    paymentId: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    paidAt: instant(),
    /** What a buyer who pays by transfer said it will deduct. */
    deducts: jsonb().$type<TaxDeducted>(),
    /**
     * Triggers keep these: the ledger's sum, an open proforma's amount, and deducted tax without a matched certificate.
     */
    owedPaise: paise().notNull().default(0),
    expectedPaise: paise().notNull().default(0),
    taxOpenPaise: paise().notNull().default(0),
    /** Gateway payments that pay nothing and have not been returned yet; maintained by triggers, too. */
    amissPaise: paise().notNull().default(0),
    /** Due day of the invoice, or of the open proforma. */
    dueOn: date(),
    /** The last reminder: for which due day, and how many days after it. Kept here because mails are deleted. */
    remindedDueOn: date(),
    remindedDays: integer(),
    /**
     * What is still to be paid, ignoring payments that must be returned; if nothing is, the balance with those
     * payments, which is a credit.
     */
    openPaise: paise()
      .notNull()
      .generatedAlwaysAs(
        sql`case when owed_paise + expected_paise + amiss_paise > 0 then owed_paise + expected_paise + amiss_paise else owed_paise + expected_paise end`,
      ),
    sortedDueOn: date()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(due_on, date '9999-12-31')`),
    /** Whether something is unsettled: money, a credit, or a certificate. */
    isUnsettled: boolean()
      .notNull()
      .generatedAlwaysAs(sql`owed_paise + expected_paise <> 0 or tax_open_paise <> 0 or amiss_paise <> 0`),
    /** The date that lists show and sort by: the payment's for a paid order. */
    datedAt: instant()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(paid_at, created_at)`),
    /** Copies that triggers maintain, as in `people`. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    buyerName: text().notNull().default(""),
    buyerEmail: text().notNull().default(""),
    invoiceNumber: text().notNull().default(""),
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(${numbered("O")} || ' ' || id::text || ' ' || coalesce(payment_id, '') || ' ' || round(amount_paise / 100.0, 2)::text || ' ' || organisation_name || ' ' || buyer_name || ' ' || buyer_email || ' ' || invoice_number)`,
      ),
  },
  (table) => [
    index().on(table.organisationId, table.datedAt, table.id),
    // Which quotes of a customer are bought, by which orders, from the index alone: lists of customers ask for each.
    index("orders_of_organisation_by_state").on(table.organisationId, table.state, table.quoteId, table.id),
    index().on(table.state, table.datedAt, table.id),
    index().on(table.partnerId, table.datedAt, table.id),
    index().on(table.buyerId),
    index("orders_by_serial").on(table.serial),
    index("orders_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("orders_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    // Finds a word among the few unpaid orders without going through all the paid ones that contain it.
    index("orders_not_paid_searched")
      .using("gin", table.state, table.searched.op("gin_trgm_ops"))
      .where(sql`state <> 'success'`),
    // Administrators list orders by state, so each sort has an index that begins with it.
    index("orders_in_state").on(table.state, table.id),
    index("orders_in_state_by_amount").on(table.state, table.amountPaise, table.id),
    index("orders_in_state_by_payment").on(table.state, sql`coalesce(payment_id, '')`, table.id),
    index("orders_in_state_by_organisation").on(table.state, sql`lower(organisation_name)`, table.id),
    index("orders_in_state_by_buyer").on(table.state, sql`lower(buyer_name)`, table.id),
    index("orders_in_state_by_email").on(table.state, table.buyerEmail, table.id),
    // The same for partners, who list their customers' orders.
    index("orders_of_partner").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_state").on(table.partnerId, table.state, table.id).where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_amount")
      .on(table.partnerId, table.amountPaise, table.id)
      .where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_payment")
      .on(table.partnerId, sql`coalesce(payment_id, '')`, table.id)
      .where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_organisation")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_buyer")
      .on(table.partnerId, sql`lower(buyer_name)`, table.id)
      .where(isNotNull(table.partnerId)),
    index("orders_of_partner_by_email")
      .on(table.partnerId, table.buyerEmail, table.id)
      .where(isNotNull(table.partnerId)),
    index("orders_unsettled")
      .on(table.sortedDueOn, table.id)
      .where(sql`is_unsettled`),
    index("orders_unsettled_by_id")
      .on(table.id)
      .where(sql`is_unsettled`),
    index("orders_unsettled_by_owed")
      .on(table.openPaise, table.id)
      .where(sql`is_unsettled`),
    index("orders_unsettled_searched")
      .using("gin", table.searched.op("gin_trgm_ops"))
      .where(sql`is_unsettled`),
    index("orders_unsettled_by_organisation")
      .on(sql`lower(organisation_name)`, table.id)
      .where(sql`is_unsettled`),
    // `is true` keeps the planner from using this index for lists by one state, whose order it does not have.
    index("orders_unpaid")
      .on(table.updatedAt)
      .where(sql`(state in ('failure', 'expired')) is true`),
  ],
);

export const attempts = pgTable(
  "attempts",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    gateway: text().notNull(),
    /** The gateway's txnid: at most 25 characters, never reused. */
    reference: text().notNull().unique(),
    gatewayPaymentId: text(),
    amountPaise: paise().notNull(),
    /** What the gateway took, by its own answer; null until it has. Refunds of it never exceed this. */
    capturedPaise: paise(),
    state: text().$type<AttemptState>().notNull().default("initiated"),
    /** The form that the browser posts; a double click gets the same one again. */
    form: jsonb().$type<PaymentForm>().notNull(),
    /** Null for attempts from before this was stored. */
    startedBy: uuid().references(() => people.id),
    /**
     * The buyer's details if this attempt pays; null for attempts from before this was stored, which use their order's.
     */
    billTo: jsonb().$type<BillTo>(),
    /** The tax in its amount; null for attempts from before this was stored. */
    tax: jsonb().$type<TaxSplit>(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When a scheduled job last asked the gateway about it. */
    askedAt: instant(),
    /** When a signed message claimed success; null again once the gateway itself has answered about it. */
    claimedAt: instant(),
    /** When to ask the gateway next; null when there is nothing left to learn. */
    nextCheckAt: instant().default(sql`now() + interval '15 minutes'`),
    /** When it ended: paid, failed, expired or sent to review. */
    endedAt: instant(),
    /** Why it failed, in plain words for the buyer. */
    reason: text(),
    /** Why it failed, in the gateway's words, for administrators. */
    gatewayWords: text(),
    /** When another form replaced it. The gateway may still take money for it; its state says so. */
    supersededAt: instant(),
    supersededBy: uuid().references(() => people.id),
    /** Why a person must look at it; the order shows the reasons of all its attempts. */
    reviewReason: text(),
  },
  (table) => [
    unique("attempts_gateway_payment").on(table.gateway, table.gatewayPaymentId),
    index().on(table.orderId),
    uniqueIndex("attempts_one_success")
      .on(table.orderId)
      .where(sql`state = 'success'`),
    index("attempts_in_review")
      .on(table.orderId)
      .where(sql`state = 'review'`),
    index("attempts_to_check")
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
    index("attempts_claimed")
      .on(table.claimedAt)
      .where(sql`claimed_at is not null`),
    check(
      "attempts_open_are_checked",
      sql`next_check_at is not null or (state not in ('initiated', 'pending') and claimed_at is null)`,
    ),
  ],
);

export type EventOutcome =
  | "said success"
  | "said failure"
  | "said pending"
  | "said nothing"
  | "said refund"
  | "said dispute"
  | "captured"
  | "failed"
  | "under way"
  | "not begun"
  | "given back"
  | "not given back";

/** What the gateway told us, once per event: the key is derived from its payload. */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: id(),
    eventKey: text().notNull().unique(),
    attemptId: uuid().references(() => attempts.id),
    source: text().$type<"return" | "webhook" | "verify">().notNull(),
    /** What it said, in a word. */
    outcome: text().$type<EventOutcome>().notNull(),
    raw: jsonb().$type<Record<string, string>>().notNull(),
    receivedAt: createdAt(),
  },
  (table) => [
    index().on(table.attemptId),
    index("payment_events_stray").on(table.receivedAt).where(isNull(table.attemptId)),
  ],
);

/** The last number given in each financial year: locking the row keeps the numbering free of gaps. */
export const invoiceSeries = pgTable("invoice_series", {
  /** For example 26-27. */
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
  /** When it was given: a number that follows bears no earlier date. */
  lastIssuedAt: instant(),
});

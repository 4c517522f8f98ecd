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

/** refunded: it did not pay the order, and all of its money went back. */
export type AttemptState = "initiated" | "pending" | "success" | "failure" | "expired" | "review" | "refunded";

/** One order for one quote; each try to pay it is an attempt. */
export const orders = pgTable(
  "orders",
  {
    id: id(),
    /** What people call it: O-000123. */
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
    /** Null for those from before this was kept, which are taxed as they were. */
    tax: jsonb().$type<TaxSplit>(),
    state: text().$type<OrderState>().notNull().default("initiated"),
    /** Why an order in `review` needs a person to look at it. */
    reviewReason: text(),
    /** The gateway's id of the payment that succeeded. */
    paymentId: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    paidAt: instant(),
    /** What the buyer said that it will deduct, where it pays by transfer. */
    deducts: jsonb().$type<TaxDeducted>(),
    /** The sum of its ledger, what an open proforma asks for, and deducted tax without a matched certificate: triggers keep them. */
    owedPaise: paise().notNull().default(0),
    expectedPaise: paise().notNull().default(0),
    taxOpenPaise: paise().notNull().default(0),
    /** What is still here of the gateway's payments that pay nothing and so are to go back; kept by triggers, too. */
    amissPaise: paise().notNull().default(0),
    /** Of the invoice, or of the open proforma. */
    dueOn: date(),
    /** The last reminder of it: of which due day, and how many days after it. Mails are forgotten, this is not. */
    remindedDueOn: date(),
    remindedDays: integer(),
    /** What is asked for beside money that is to go back; where nothing is, the credit that stands with it. */
    openPaise: paise()
      .notNull()
      .generatedAlwaysAs(
        sql`case when owed_paise + expected_paise + amiss_paise > 0 then owed_paise + expected_paise + amiss_paise else owed_paise + expected_paise end`,
      ),
    sortedDueOn: date()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(due_on, date '9999-12-31')`),
    /** Whether something of it is open: money, a credit, or a certificate. */
    isUnsettled: boolean()
      .notNull()
      .generatedAlwaysAs(sql`owed_paise + expected_paise <> 0 or tax_open_paise <> 0 or amiss_paise <> 0`),
    /** What lists show and sort by: a paid order is dated when it was paid. */
    datedAt: instant()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(paid_at, created_at)`),
    /** Copies that triggers keep true, as in `people`. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    buyerName: text().notNull().default(""),
    buyerEmail: text().notNull().default(""),
    invoiceNumber: text().notNull().default(""),
    /** What a search looks through, in lower case. */
    searched: text()
      .notNull()
      .generatedAlwaysAs(
        sql`lower(${numbered("O")} || ' ' || id::text || ' ' || coalesce(payment_id, '') || ' ' || round(amount_paise / 100.0, 2)::text || ' ' || organisation_name || ' ' || buyer_name || ' ' || buyer_email || ' ' || invoice_number)`,
      ),
  },
  (table) => [
    index().on(table.organisationId, table.datedAt, table.id),
    // Which quotes of a customer are bought, and by which orders, without a look at the rows: a list of customers asks for each.
    index("orders_of_organisation_by_state").on(table.organisationId, table.state, table.quoteId, table.id),
    index().on(table.state, table.datedAt, table.id),
    index().on(table.partnerId, table.datedAt, table.id),
    index().on(table.buyerId),
    index("orders_by_serial").on(table.serial),
    index("orders_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("orders_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    // A word that many paid orders have is found among the few others without them.
    index("orders_not_paid_searched")
      .using("gin", table.state, table.searched.op("gin_trgm_ops"))
      .where(sql`state <> 'success'`),
    // Administrators list the orders in one state, so that each of their sorts begins with it.
    index("orders_in_state").on(table.state, table.id),
    index("orders_in_state_by_amount").on(table.state, table.amountPaise, table.id),
    index("orders_in_state_by_payment").on(table.state, sql`coalesce(payment_id, '')`, table.id),
    index("orders_in_state_by_organisation").on(table.state, sql`lower(organisation_name)`, table.id),
    index("orders_in_state_by_buyer").on(table.state, sql`lower(buyer_name)`, table.id),
    index("orders_in_state_by_email").on(table.state, table.buyerEmail, table.id),
    // The same for partners, who list the orders of their customers.
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
    // Written so that no list of one state is thought to be helped by it: it has not their order.
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
    /** The gateway's txnid: at most 25 characters, never used twice. */
    reference: text().notNull().unique(),
    gatewayPaymentId: text(),
    amountPaise: paise().notNull(),
    /** What the gateway took, by its own answer; null until it has. Whatever is given back of it is no more than this. */
    capturedPaise: paise(),
    state: text().$type<AttemptState>().notNull().default("initiated"),
    /** The form the browser posts; a double click gets the same one again. */
    form: jsonb().$type<PaymentForm>().notNull(),
    /** Null for those from before this was kept. */
    startedBy: uuid().references(() => people.id),
    /** Who is billed if this one is paid; null for those from before this was kept, which bill as their order says. */
    billTo: jsonb().$type<BillTo>(),
    /** The tax in its amount; null for those from before this was kept. */
    tax: jsonb().$type<TaxSplit>(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When the gateway was last asked about it by the clock. */
    askedAt: instant(),
    /** When a signed message called it a success; null again once the gateway has answered our question about it. */
    claimedAt: instant(),
    /** When the gateway is asked about it next; null when there is nothing to learn any more. */
    nextCheckAt: instant().default(sql`now() + interval '15 minutes'`),
    /** When it came to an end: paid, failed, expired or sent to a person. */
    endedAt: instant(),
    /** Why it failed, in plain words for the buyer. */
    reason: text(),
    /** The same as the gateway put it, for administrators. */
    gatewayWords: text(),
    /** Another form was handed out in its place. The gateway may take money for it all the same: its state says so. */
    supersededAt: instant(),
    supersededBy: uuid().references(() => people.id),
    /** Why a person has to look at it; the order shows the reasons of all its attempts. */
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

/** What the gateway told us, once per event: the key is made from its payload. */
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

/** Last number given in each financial year: a row lock here keeps the numbering without gaps. */
export const invoiceSeries = pgTable("invoice_series", {
  /** For example 26-27. */
  financialYear: text().primaryKey(),
  lastSerial: integer().notNull(),
});

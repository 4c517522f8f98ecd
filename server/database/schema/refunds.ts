import { sql } from "drizzle-orm";
import { boolean, check, date, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { RefundState } from "../../../contract/refunds.ts";
import { people } from "./accounts.ts";
import { creditNotes } from "./billing.ts";
import { id, instant, paise } from "./columns.ts";
import { attempts, orders } from "./orders.ts";

/** Money that goes back to whoever paid, asked for by an administrator. */
export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    /** The gateway's payment of which it is; null where it is of what came by bank transfer, and is paid out by hand. */
    attemptId: uuid().references(() => attempts.id),
    /** By which the gateway tells this request from every other: made before it is asked, at most 23 characters. */
    token: text().notNull().unique(),
    amountPaise: paise().notNull(),
    reason: text().notNull(),
    state: text().$type<RefundState>().notNull(),
    /** Null for what the gateway gave back without having been asked here. */
    askedBy: uuid().references(() => people.id),
    askedAt: instant().notNull(),
    /** Whether another main administrator had to agree. */
    needsSecond: boolean().notNull(),
    approvedBy: uuid().references(() => people.id),
    /** From then on it may be sent. */
    approvedAt: instant(),
    /** When the gateway was last asked for it: it may have it although its answer never came. */
    sentAt: instant(),
    /** When the gateway was first known to have it. */
    takenAt: instant(),
    gatewayRefundId: text(),
    /** The credit note that was issued before, as where a contract holds fewer devices; otherwise the refund makes one. */
    creditNoteId: uuid().references(() => creditNotes.id),
    /** Of one that was paid out by hand: the bank's reference, its day, and who noted it. */
    bankReference: text().unique("refunds_bank_reference_once"),
    paidOn: date(),
    paidOutBy: uuid().references(() => people.id),
    endedAt: instant(),
    /** When the gateway first would not have it: what people note as given back from then on may be its money. */
    failedAt: instant(),
    /** Why it failed. */
    failure: text(),
    /** Why somebody of ours has to do something; the action queue shows it. */
    problem: text(),
  },
  (table) => [
    index().on(table.orderId),
    index().on(table.attemptId),
    index("refunds_open")
      .on(table.approvedAt)
      .where(sql`state in ('approved', 'sent')`),
    check("refunds_of_money", sql`amount_paise > 0`),
    check(
      "refunds_paid_out_with_reference",
      sql`attempt_id is not null or state in ('asked', 'approved', 'failed') or (bank_reference is not null and paid_on is not null and paid_out_by is not null)`,
    ),
    check("refunds_by_two_people", sql`approved_by <> asked_by`),
    check(
      "refunds_approved_before_sent",
      sql`state in ('asked', 'failed') or (approved_at is not null and (approved_by is not null or not needs_second))`,
    ),
  ],
);

import { sql } from "drizzle-orm";
import { boolean, check, date, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { RefundState } from "../../../contract/refunds.ts";
import { people } from "./accounts.ts";
import { creditNotes } from "./billing.ts";
import { id, instant, paise } from "./columns.ts";
import { attempts, orders } from "./orders.ts";
import { transfers } from "./transfers.ts";

/** Money returned to the payer, as an administrator asked. */
export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    /** The gateway payment that it returns; null for money that came by bank transfer and is paid out by hand. */
    attemptId: uuid().references(() => attempts.id),
    /** Identifies the request at the gateway; made before the request is sent, at most 23 characters. */
    token: text().notNull().unique(),
    amountPaise: paise().notNull(),
    reason: text().notNull(),
    state: text().$type<RefundState>().notNull(),
    /** Null for a refund that the gateway made without a request from here. */
    askedBy: uuid().references(() => people.id),
    askedAt: instant().notNull(),
    /** Whether another main administrator had to agree. */
    needsSecond: boolean().notNull(),
    approvedBy: uuid().references(() => people.id),
    /** Once set, it may be sent. */
    approvedAt: instant(),
    /** When the request was last sent to the gateway, which may have it even though no answer came. */
    sentAt: instant(),
    /** When the gateway was first known to have it. */
    takenAt: instant(),
    gatewayRefundId: text(),
    /**
     * A credit note issued before the refund, for example when a contract was reduced; otherwise the refund makes one.
     */
    creditNoteId: uuid().references(() => creditNotes.id),
    /** For a refund paid out by hand: the bank's reference, its day, and who recorded it. */
    bankReference: text().unique("refunds_bank_reference_once"),
    paidOn: date(),
    paidOutBy: uuid().references(() => people.id),
    /**
     * The transfer that had brought it, where it belongs to another order and was entered again, by the bank reference
     * above, instead of being paid out.
     */
    movedFrom: uuid().references(() => transfers.id),
    endedAt: instant(),
    /** When the gateway first refused it: money that staff record as returned after that may be this refund's. */
    failedAt: instant(),
    failure: text(),
    /** Why the staff must act; shown in the action queue. */
    problem: text(),
  },
  (table) => [
    index().on(table.orderId),
    index().on(table.attemptId),
    index("refunds_moved")
      .on(table.movedFrom)
      .where(sql`moved_from is not null`),
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

import { z } from "zod";
import { Day, Instant, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";
import { BankReference, IsMeant } from "./transfers.ts";

/**
 * asked: another main administrator has to agree. approved: it may be sent to the gateway, or is to be transferred by
 * hand. sent: the gateway has it. done: the money went back. failed: it did not, and none of it is on its way.
 */
export const RefundState = z.enum(["asked", "approved", "sent", "done", "failed"]);
export type RefundState = z.infer<typeof RefundState>;

/** A refund as shown to everybody who may read the order. */
export const Refund = z.object({
  id: z.uuid(),
  amount: Rupees,
  state: RefundState,
  asked_at: Instant,
  approved_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  ended_at: Instant.nullable(),
  /** The reference of the bank transfer that returned the money, once known; null also for what no transfer returned. */
  bank_reference: z.string().nullable(),
});

/** Whether the gateway returns the money, or a person by bank transfer. */
const Way = z.enum(["gateway", "transfer"]);

/** Further fields for our own staff. */
export const StaffRefund = Refund.extend({
  by: Way,
  payment_id: z.string(),
  reason: z.string(),
  asked_by: z.string(),
  approved_by: z.string().nullable(),
  failure: z.string().nullable(),
  /** Why somebody has to act on it. */
  problem: z.string().nullable(),
  /** Whether it waits for a second person and the reader is not the first. */
  may_approve: z.boolean(),
  /** The bank's date of the transfer, and who recorded it. */
  paid_on: z.iso.date().nullable(),
  paid_out_by: z.string().nullable(),
});
export type StaffRefund = z.infer<typeof StaffRefund>;

/** A payment for an order, through the gateway or by transfer, and how much of it can still be refunded. */
export const RefundablePayment = z.object({
  /** Id of the payment attempt, or of the order for money that came by transfer. */
  id: z.uuid(),
  by: Way,
  /** The gateway's id of the payment, or the references of the transfers. */
  payment_id: z.string(),
  captured: Rupees,
  refundable: Rupees,
  /** The part that did not pay the order and has not gone back; it belongs to the payer. */
  on_top: Rupees,
  /** Whether it pays the order; otherwise it came in addition, or is not the order's amount. */
  pays_the_order: z.boolean(),
});
export type RefundablePayment = z.infer<typeof RefundablePayment>;

const Reason = line(limits.actionReasonLengthMax, "Please say why the money goes back");

export const refundOperations = {
  "admin/refunds/ask": operation({
    method: "post",
    summary:
      "Give money of a payment back, in full or in part. Above the operator's limit it waits for another main administrator. A repeated id changes nothing; 409 when more is asked than is left of the payment, or of what came on top where that is asked for",
    input: z.object({
      /** Chosen by the client: repeating the call makes no second refund. */
      id: z.uuid(),
      /** Id of the payment attempt, or of the order for money that came by transfer. */
      payment: z.uuid(),
      amount: Rupees.refine((amount) => Number(amount) > 0, "Please enter an amount"),
      reason: Reason,
      /** Whether to return the part that did not pay the order, which happens once however many ask. */
      is_on_top: z.boolean().default(false),
    }),
    answer: Message,
  }),
  "admin/refunds/approve": operation({
    method: "post",
    summary: "Agree to a refund that somebody else has asked for. 409 with why when that is not possible any more",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "admin/refunds/decline": operation({
    method: "post",
    summary:
      "Refuse a refund that waits for a second person, withdraw one's own, or call off one that was to be paid out by hand",
    input: z.object({ id: z.uuid(), reason: Reason }),
    answer: Message,
  }),
  "admin/refunds/paid-out": operation({
    method: "post",
    summary:
      "Note that a refund of money that came by transfer was paid out at the bank. The credit note and the mail follow. A repeated call changes nothing; 409 for a bank reference that is known, and for a day in a month that is over unless that is meant",
    input: z.object({ id: z.uuid(), bank_reference: BankReference, paid_on: Day, is_meant: IsMeant }),
    answer: Message,
  }),
};

import { z } from "zod";
import { Instant, Rupees } from "./fields.ts";
import { operation } from "./operation.ts";
import { StaffEInvoice } from "./e-invoices.ts";
import { Payment } from "./orders.ts";
import { Refund, RefundablePayment, StaffRefund } from "./refunds.ts";
import { WriteOffRequest } from "./write-offs.ts";

/** The steps of an order, on its longest path. */
export const StepName = z.enum([
  "started",
  "at_gateway",
  "returned",
  "pending",
  "confirmed",
  "failed",
  "expired",
  "taken_over",
  "review",
  "given_back",
  "asked_to_transfer",
  "announced",
  "transferred",
  "void",
  "invoiced",
  "registered",
  "invoice_cancelled",
  "mailed",
  "receipt_mailed",
  "credited",
  "tax_deducted",
  "tax_claimed_less",
  "tax_owed_again",
  "tax_certified",
  "written_off",
  "owed_after_all",
  "given_back_by_hand",
  "closed",
  "refund_asked",
  "refund_approved",
  "refund_sent",
  "refund_done",
  "refund_failed",
]);
export type StepName = z.infer<typeof StepName>;

/** One step of an order, in words for its reader. */
export const TimelineStep = z.object({
  name: StepName,
  /** Null for a step that is still to come, or whose time was not recorded. */
  at: Instant.nullable(),
  is_done: z.boolean(),
  by: z.string().nullable(),
  /** What happened, or why it failed and what to do; null where the name is enough. */
  says: z.string().nullable(),
  /** The gateway's own words, for administrators; null for other readers and where it gave none. */
  gateway_words: z.string().nullable(),
});
export type TimelineStep = z.infer<typeof TimelineStep>;

const OrderDetails = z.object({
  order: Payment,
  /** Oldest first. */
  steps: z.array(TimelineStep),
  /** Whether the order will change by itself, so that the client should poll. */
  is_moving: z.boolean(),
  /** What the reader should know or do now; null for nothing. */
  advice: z.string().nullable(),
  refunds: z.array(Refund),
});

export const StaffOrderDetails = OrderDetails.extend({
  refunds: z.array(StaffRefund),
  payments: z.array(RefundablePayment),
  /** For its invoice and credit notes; empty where none has to be registered. */
  e_invoices: z.array(StaffEInvoice),
  /** The one that waits for a second person. */
  write_off: WriteOffRequest.nullable(),
  /** Above this sum, an order's refunds together need the consent of a second main administrator. */
  second_person_above: Rupees,
});
export type OrderDetails = z.infer<typeof OrderDetails>;
export type StaffOrderDetails = z.infer<typeof StaffOrderDetails>;

const ofOrder = z.object({ id: z.uuid() });

export const orderDetailsOperations = {
  "user/order": operation({
    method: "get",
    summary: "One of the organization's orders, with all that happened to it and its refunds",
    input: ofOrder,
    answer: OrderDetails,
  }),
  "partner/order": operation({
    method: "get",
    summary: "An order of one of the partner's customers, with all that happened to it and its refunds",
    input: ofOrder,
    answer: OrderDetails,
  }),
  "admin/order": operation({
    method: "get",
    summary: "An order with all that happened to it, what was given back of it, and what can be",
    input: ofOrder,
    answer: StaffOrderDetails,
  }),
};

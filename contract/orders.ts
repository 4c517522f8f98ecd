import { z } from "zod";
import { PurchaseOrderNumber, TaxLine } from "./billing.ts";
import { Day, Email, Instant, line, phone, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

export const OrderState = z.enum([
  "initiated",
  "pending",
  "success",
  "failure",
  "expired",
  "review",
  // awaiting_transfer: a proforma waits for its bank transfer. invoiced: the tax invoice is to be paid later. closed:
  // nothing more is to be paid, although not everything came: it was written off, credited or cancelled.
  "awaiting_transfer",
  "invoiced",
  "closed",
  "refund_pending",
  "refunded",
  "partially_refunded",
]);
export type OrderState = z.infer<typeof OrderState>;
/** States of an order that has bought its quote, paid or not. */
export const boughtStates: readonly OrderState[] = [
  "success",
  "invoiced",
  "closed",
  "refund_pending",
  "refunded",
  "partially_refunded",
];

/**
 * The first five fields are the specification's; the others are optional. The recipient of the invoice is in
 * `user/billing`.
 */
export const PaymentRequest = z.object({
  email: Email,
  quote_id: z.uuid(),
  amount: z.union([
    Rupees,
    z
      .number()
      .nonnegative()
      .transform((rupees) => rupees.toFixed(2)),
  ]),
  name: line(limits.fullNameLengthMax),
  phone: phone(limits.phoneLengthMin, messages.phoneExample),
  /** The revision of the quote that the caller saw: 409 when there is another by now. */
  revision: z.number().int().optional(),
  /** For this order; defaults to the one in the billing details. */
  purchaseOrder: PurchaseOrderNumber.optional(),
  /** First day of the service; defaults to the day of the payment. */
  serviceStart: Day.optional(),
  /** Continues although somebody else has started to pay; a 409 `payment_in_progress` asks for this. */
  takeOver: z.boolean().optional(),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** A hidden form that the browser posts to the gateway's page. */
export const PaymentForm = z.object({ action: z.url(), fields: z.record(z.string(), z.string()) });
export type PaymentForm = z.infer<typeof PaymentForm>;

/** The state of a payment attempt. taken_over: another form was handed out before this attempt was finished. */
export const TryState = z.enum([
  "initiated",
  "pending",
  "success",
  "failure",
  "expired",
  "review",
  "refunded",
  "taken_over",
]);
export type TryState = z.infer<typeof TryState>;

export const Try = z.object({
  started_at: Instant,
  ended_at: Instant.nullable(),
  /** Null where it was not recorded. */
  started_by: z.string().nullable(),
  state: TryState,
  /** In plain words; null without one. */
  reason: z.string().nullable(),
});
export type Try = z.infer<typeof Try>;

export const CreditNote = z.object({
  number: z.string(),
  amount: Rupees,
  reason: z.string(),
  issued_at: Instant,
  pdf_url: z.string().nullable(),
});
export type CreditNote = z.infer<typeof CreditNote>;

export const Payment = z.object({
  id: z.uuid(),
  /** What people call it: O-000123. */
  number: z.string(),
  order_id: z.uuid(),
  quote_id: z.uuid(),
  quote_number: z.string(),
  /** Number of the tax invoice; null until it is made. */
  invoice_number: z.string().nullable(),
  payment_id: z.string().nullable(),
  amount: Rupees,
  /** Taxes included in the amount; empty where none is charged. */
  taxes: z.array(TaxLine),
  /** When it was paid; until then, when it was created. */
  created_at: Instant,
  status: OrderState,
  pdf_url: z.string().nullable(),
  /** Credit notes on the invoice, newest first. */
  credit_notes: z.array(CreditNote),
  organization_name: z.string(),
  email: z.string(),
  user_first_name: z.string(),
  user_last_name: z.string(),
  /** Newest first, at most `limits.triesShown`. */
  tries: z.array(Try),
});
export type Payment = z.infer<typeof Payment>;

export const orderList = listOf(Payment, {
  sorts: ["organization_name", "email", "order_id", "payment_id", "amount", "created_at", "status"],
  named: { name: ["user_first_name", "user_last_name"] },
  searched: [
    "number",
    "invoice_number",
    "order_id",
    "payment_id",
    "amount",
    "organization_name",
    "user_first_name",
    "user_last_name",
    "email",
  ],
});
export type OrderSort = SortOf<typeof orderList>;
export type OrderQuery = ListQuery<OrderSort>;

/** The orders of one organisation, identified by the e-mail of any of its people. */
const OrdersByEmail = orderList.query.extend({ email: Email });
export type OrdersByEmail = z.infer<typeof OrdersByEmail>;

const Payments = z.object({ payments: z.array(Payment), ...listPage });

export const orderOperations = {
  "user/orders": operation({
    method: "post",
    summary:
      "Start paying for a quote. `email` is the caller's own, any other is refused. 409 payment_in_progress while somebody else is paying for it; takeOver goes on all the same",
    input: PaymentRequest,
    answer: PaymentForm,
  }),
  "user/get-payment-by-email": operation({
    method: "post",
    summary: `The organization's orders, newest first. ${orderList.summary}`,
    input: orderList.query,
    answer: z.object({ paymentDetails: z.array(Payment), ...listPage }),
  }),
  "partner/get-payment-details": operation({
    method: "post",
    summary: `The orders of one of the partner's customers. ${orderList.summary}`,
    input: OrdersByEmail,
    answer: Payments,
  }),
  "admin/getPaymentDetailsByPartnerId": operation({
    method: "post",
    summary: `The orders of a partner's customers; the partner is named by e-mail. ${orderList.summary}`,
    input: OrdersByEmail,
    answer: Payments,
  }),
  "admin/getPaymentDetailsByEmailforAdmin": operation({
    method: "post",
    summary: `The orders of a customer. ${orderList.summary}`,
    input: OrdersByEmail,
    answer: Payments,
  }),
  "admin/getPaymentDetailsByStatus": operation({
    method: "post",
    summary: `All orders in one state. ${orderList.summary}`,
    input: orderList.query.extend({ status: OrderState.default("success") }),
    answer: Payments,
  }),
};

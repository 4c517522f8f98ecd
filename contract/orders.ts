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
  // A proforma waits for its bank transfer; the tax invoice is to be paid later; nothing of it is to be paid any more, though
  // not all came: it was written off, credited or cancelled.
  "awaiting_transfer",
  "invoiced",
  "closed",
  "refund_pending",
  "refunded",
  "partially_refunded",
]);
export type OrderState = z.infer<typeof OrderState>;
/** Of an order by which its quote is bought, paid or not. */
export const boughtStates: readonly OrderState[] = [
  "success",
  "invoiced",
  "closed",
  "refund_pending",
  "refunded",
  "partially_refunded",
];

/** The five fields are the specification's; the others are optional. Who is billed is what `user/billing` has. */
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
  /** Of the quote, as it was shown: 409 where it is another one by now. */
  revision: z.number().int().optional(),
  /** Of this order; the one of the billing details unless it is given. */
  purchaseOrder: PurchaseOrderNumber.optional(),
  /** First day of the service; the day of the payment unless it is given. */
  serviceStart: Day.optional(),
  /** Goes on although somebody else has started to pay: 409 `payment_in_progress` asks for it. */
  takeOver: z.boolean().optional(),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** A hidden form for the browser to post to the gateway's page. */
export const PaymentForm = z.object({ action: z.url(), fields: z.record(z.string(), z.string()) });
export type PaymentForm = z.infer<typeof PaymentForm>;

/** How a try to pay ended or stands; taken_over: another form was handed out in its place before it was finished. */
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
  /** Null where it was not kept. */
  started_by: z.string().nullable(),
  state: TryState,
  /** In plain words; null where there is nothing to tell. */
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
  /** Of the tax invoice; null until the order is paid. */
  invoice_number: z.string().nullable(),
  payment_id: z.string().nullable(),
  amount: Rupees,
  /** In the amount; empty where none is charged. */
  taxes: z.array(TaxLine),
  /** When it was paid; until then, when it was made. */
  created_at: Instant,
  status: OrderState,
  pdf_url: z.string().nullable(),
  /** What was taken back of the invoice, the newest first. */
  credit_notes: z.array(CreditNote),
  organization_name: z.string(),
  email: z.string(),
  user_first_name: z.string(),
  user_last_name: z.string(),
  /** The newest first, at most `limits.triesShown`. */
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

/** A list of orders about one organisation, named by the e-mail of any of its people. */
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

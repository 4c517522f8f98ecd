import { z } from "zod";
import { TaxShown } from "./billing.ts";
import {
  Email,
  FreeText,
  FullName,
  HeadCount,
  Instant,
  line,
  NoticeVersion,
  OrganizationName,
  phone,
  Rupees,
  Message,
} from "./fields.ts";
import { keyOf } from "./devices.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { OrderState } from "./orders.ts";
import { Yearly } from "./rates.ts";

/**
 * One row of an estimate: a type's key from `catalogue`, or "Customization" with a name of the visitor's own. A type
 * that is not in the catalogue gives 422. The form drops rows with the number 0, so the wire never has them.
 */
export const SelectedDevice = z.object({
  service: line(60),
  deviceType: line(limits.deviceTypeLengthMax),
  number: z.number().int().min(1).max(limits.deviceCountMax),
});
export type SelectedDevice = z.infer<typeof SelectedDevice>;

export const SelectedDevices = z
  .array(SelectedDevice)
  .min(1, "Please select at least one device")
  .max(limits.deviceTypesMax)
  .refine(
    (devices) =>
      new Set(devices.map(({ service, deviceType }) => keyOf({ service, deviceType: deviceType.toLowerCase() })))
        .size === devices.length,
    "A device type may be listed once only",
  );

export const QuoteRequest = z.object({
  userName: FullName,
  userEmail: Email,
  organizationName: OrganizationName,
  phoneNumber: phone(limits.phoneLengthMin, messages.phoneExample),
  numberOfUsers: HeadCount,
  message: FreeText,
  selectedDevices: SelectedDevices,
  noticeVersion: NoticeVersion,
  /** Chosen by the client for this one estimate: repeating the call sends no second one. */
  requestKey: z.uuid().optional(),
});
export type QuoteRequest = z.infer<typeof QuoteRequest>;

/** An estimate that a partner makes for its customer, whose details come from the customer's own record. */
export const CustomerEstimate = QuoteRequest.pick({ numberOfUsers: true, message: true, selectedDevices: true }).extend(
  {
    /** The customer's e-mail, as in the partner's list. */
    email: Email,
    /** Chosen by the client for this one estimate: repeating the call sends no second one. */
    requestKey: z.uuid(),
  },
);
export type CustomerEstimate = z.infer<typeof CustomerEstimate>;

export const PricedLine = z.object({
  service: z.string(),
  deviceType: z.string(),
  number: z.number().int(),
  unit: z.string(),
  /** Rupees for one device and one year. */
  rate: Rupees,
  amount: Rupees,
  subjectToConfirmation: z.boolean(),
});

export const Price = z.object({
  lines: z.array(PricedLine),
  subtotal: Rupees,
  discountPercent: z.number(),
  discount: Rupees,
  taxable: Rupees,
  gstPercent: z.number(),
  gst: Rupees,
  total: Rupees,
  /** The GST split of a signed-in customer; for everybody else, what decides it. */
  tax: TaxShown,
  sampleRates: z.boolean(),
});
export type Price = z.infer<typeof Price>;

/**
 * preparing: its proposal is being made; rates_to_confirm: it waits for an administrator and can't be bought before;
 * open: it can be bought until valid_until, and stays open while a payment is under way.
 */
export const QuoteState = z.enum(["preparing", "rates_to_confirm", "open", "bought", "expired"]);
export type QuoteState = z.infer<typeof QuoteState>;

export const Quote = z.object({
  id: z.uuid(),
  /** What people call it: Q-000123. */
  number: z.string(),
  organization_name: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  phone_number: z.string(),
  number_of_users: z.number().int(),
  message: z.string(),
  total_cost: Rupees,
  /** What its owner would pay by its billing details, or what its order says; null in lists of everybody's quotes. */
  tax: TaxShown.nullable(),
  pdf_url: z.string().nullable(),
  state: QuoteState,
  /** Null until somebody starts to pay. */
  order_id: z.uuid().nullable(),
  order_status: OrderState.nullable(),
  /** The contract that it extends or renews, and for which days; null where buying it begins one. */
  contract: z
    .object({
      kind: z.enum(["add", "true up", "renew"]),
      number: z.string(),
      from: z.iso.date(),
      to: z.iso.date(),
      days: z.number().int(),
      days_of_year: z.number().int(),
    })
    .nullable(),
  revision: z.number().int(),
  /** The customer's decision about the present revision; null without one. */
  decision: z.enum(["accepted", "declined"]).nullable(),
  /** The partner's employee who made it for the customer, with the partner; null where the customer asked. */
  made_by: z.string().nullable(),
  created_at: Instant,
  /** The last instant of a day in India. */
  valid_until: Instant,
});
export type Quote = z.infer<typeof Quote>;

export const quoteList = listOf(Quote, {
  sorts: [
    "organization_name",
    "user_name",
    "user_email",
    "phone_number",
    "number_of_users",
    "total_cost",
    "created_at",
    "valid_until",
  ],
  named: {},
  searched: ["number", "organization_name", "user_name", "user_email", "phone_number", "message"],
});
export type QuoteSort = SortOf<typeof quoteList>;
export type QuoteQuery = ListQuery<QuoteSort>;

/** A quote's current rates; lines that still need confirmation are marked. */
export const QuoteRates = z.object({
  quote_id: z.uuid(),
  revision: z.number().int(),
  /** What people call it: Q-000123. */
  number: z.string(),
  organization_name: z.string(),
  user_email: z.string(),
  /** Days of validity from its confirmation on. */
  valid_days: z.number().int(),
  /** For an addition to a contract: its part of the year, and the discount on each line. Null for a whole year. */
  part_of_year: z
    .object({ days: z.number().int(), days_of_year: z.number().int(), discount_percent: z.number() })
    .nullable(),
  price: Price,
});
export type QuoteRates = z.infer<typeof QuoteRates>;

/** A rate for each line that is subject to confirmation. */
export const RatesConfirmation = z.object({
  quote_id: z.uuid(),
  rates: z
    .array(z.object({ service: z.string(), deviceType: z.string(), yearly: Yearly }))
    .min(1)
    .max(limits.deviceTypesMax),
  /** The new total shown to the caller: 409 when these rates come to another. */
  total_cost: Rupees,
});
export type RatesConfirmation = z.infer<typeof RatesConfirmation>;

const SentEstimate = z.object({
  message: z.string(),
  quoteId: z.uuid(),
  /** What people call it: Q-000123. */
  quoteNumber: z.string(),
  /** The yearly total, with the tax that `estimator/price` shows the same caller. */
  total_cost: Rupees,
  /** Lets the sender of the estimate fetch its proposal through `estimator/proposal` for half an hour. */
  proposalToken: z.string(),
});

export const quoteOperations = {
  estimator: operation({
    method: "post",
    summary: "Send an estimate and get its proposal by e-mail",
    input: QuoteRequest,
    answer: SentEstimate,
    status: 201,
  }),
  "estimator/proposal": operation({
    method: "post",
    summary: "A five-minute address of the proposal of an estimate just sent; null while it is being made",
    input: z.object({ token: z.string().min(1).max(300) }),
    answer: z.object({ signedUrl: z.string().nullable() }),
  }),
  "estimator/price": operation({
    method: "post",
    summary: "Price a selection of devices",
    input: z.object({ selectedDevices: SelectedDevices }),
    answer: Price,
  }),
  "user/get-estimation": operation({
    method: "post",
    summary: `The organization's quotes, newest first. ${quoteList.summary}`,
    input: quoteList.query,
    answer: z.object({ estimation: z.array(Quote), ...listPage }),
  }),
  "partner/create-estimate": operation({
    method: "post",
    summary:
      "Make a quote for one of the partner's customers, who gets its proposal by e-mail and can buy it; 409 for one who is suspended, or whose invitation has expired",
    input: CustomerEstimate,
    answer: SentEstimate,
    status: 201,
  }),
  "partner/get-estimation": operation({
    method: "post",
    summary: `The quotes that the partner made for one of its customers, newest first. ${quoteList.summary}`,
    input: quoteList.query.extend({ email: Email }),
    answer: z.object({ estimation: z.array(Quote), ...listPage }),
  }),
  "admin/getEstimationByAdmin": operation({
    method: "get",
    summary: `All quotes, visitors' too, newest first; with state, those whose rates wait to be confirmed. ${quoteList.summary}`,
    input: quoteList.query.extend({ state: z.literal("rates_to_confirm").optional() }),
    answer: z.object({ estimation: z.array(Quote), ...listPage }),
  }),
  "admin/getQuoteRates": operation({
    method: "get",
    summary: "A quote with its lines and their rates",
    input: z.object({ quote_id: z.uuid() }),
    answer: QuoteRates,
  }),
  "admin/confirmQuoteRates": operation({
    method: "post",
    summary: "Confirm the rates of a quote's custom devices; its proposal is made and mailed anew",
    input: RatesConfirmation,
    answer: Message,
  }),
};

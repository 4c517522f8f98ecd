import { z } from "zod";
import {
  Email,
  FreeText,
  FullName,
  HeadCount,
  Instant,
  line,
  listPage,
  ListQuery,
  NoticeVersion,
  OrganizationName,
  phone,
  Rupees,
  Message,
} from "./fields.ts";
import { deviceCatalogue, customService } from "./devices.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { OrderState } from "./orders.ts";

const known = new Set(deviceCatalogue.flatMap((group) => group.deviceTypes.map((type) => `${group.service}|${type}`)));

const nameOf = (of: { service: string; deviceType: string }) => `${of.service}|${of.deviceType}`;
/** What a rate card prices. */
const priced = new Set([...known, `${customService}|*`]);
const sortsOfQuotes =
  "Sorts: organization_name, user_name, user_email, phone_number, number_of_users, total_cost, created_at, valid_until";

/** One row of an estimate; a number of 0 never reaches the wire, the form removes it. */
export const SelectedDevice = z
  .object({
    service: line(60),
    deviceType: line(limits.deviceTypeLengthMax),
    number: z.number().int().min(1).max(limits.deviceCountMax),
  })
  .refine(({ service, deviceType }) => service === customService || known.has(`${service}|${deviceType}`), {
    path: ["deviceType"],
    message: "This device type is not in the estimator",
  });
export type SelectedDevice = z.infer<typeof SelectedDevice>;

export const SelectedDevices = z
  .array(SelectedDevice)
  .min(1, "Please select at least one device")
  .max(limits.deviceTypesMax)
  .refine(
    (devices) => new Set(devices.map((d) => `${d.service}|${d.deviceType.toLowerCase()}`)).size === devices.length,
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
});
export type QuoteRequest = z.infer<typeof QuoteRequest>;

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
  sampleRates: z.boolean(),
});
export type Price = z.infer<typeof Price>;

/**
 * preparing: its proposal is being made; rates_to_confirm: waits for an administrator, and can't be bought before;
 * open: can be bought until valid_until, and stays open while a payment is under way.
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
  pdf_url: z.string().nullable(),
  state: QuoteState,
  /** Null while nobody has started to pay. */
  order_id: z.uuid().nullable(),
  order_status: OrderState.nullable(),
  created_at: Instant,
  /** The last instant of a day in India. */
  valid_until: Instant,
});
export type Quote = z.infer<typeof Quote>;

/** What a quote's rates are now; lines still to be confirmed say so. */
export const QuoteRates = z.object({
  quote_id: z.uuid(),
  /** What people call it: Q-000123. */
  number: z.string(),
  organization_name: z.string(),
  user_email: z.string(),
  price: Price,
});
export type QuoteRates = z.infer<typeof QuoteRates>;

const Yearly = Rupees.refine((yearly) => Number(yearly) <= limits.yearlyRupeesMax, "This price is too high");

/** The rate of each line that is subject to confirmation. */
export const RatesConfirmation = z.object({
  quote_id: z.uuid(),
  rates: z
    .array(z.object({ service: z.string(), deviceType: z.string(), yearly: Yearly }))
    .min(1)
    .max(limits.deviceTypesMax),
  /** The new total as it was shown: 409 when these rates come to another one. */
  total_cost: Rupees,
});
export type RatesConfirmation = z.infer<typeof RatesConfirmation>;

/** Yearly price of one device, in rupees. A deviceType of "*" is the default for its service. */
export const RateCardRate = z.object({ service: z.string(), deviceType: z.string(), unit: line(60), yearly: Rupees });

/** From this many devices in all, this discount on the whole. */
export const RateCardTier = z.object({
  fromDevices: z
    .number()
    .int()
    .min(1)
    .max(limits.deviceCountMax * limits.deviceTypesMax),
  discountPercent: z.number().multipleOf(0.01).min(0).max(100),
});

export const RateCard = z.object({
  /** Each change makes a new card with an id of its own. */
  id: z.uuid(),
  rates: z.array(RateCardRate),
  tiers: z.array(RateCardTier),
  isSample: z.boolean(),
  created_at: Instant,
});
export type RateCard = z.infer<typeof RateCard>;

/** A whole card: every device type of the estimator and the default of custom devices, each once. */
export const RateCardUpdate = z.object({
  /** The card that was edited: 409 when another one has come into force since. */
  id: z.uuid(),
  rates: z
    .array(RateCardRate.extend({ yearly: Yearly }))
    .max(limits.deviceTypesMax)
    .refine(
      (rates) =>
        rates.length === priced.size &&
        new Set(rates.map(nameOf)).size === priced.size &&
        rates.every((rate) => priced.has(nameOf(rate))),
      "Please give one price for each device type",
    ),
  tiers: z
    .array(RateCardTier)
    .max(limits.volumeTiersMax)
    .refine(
      (tiers) =>
        tiers.every((tier, index) => {
          const before = tiers[index - 1];
          return !before || (tier.fromDevices > before.fromDevices && tier.discountPercent > before.discountPercent);
        }),
      "Each tier needs more devices and a larger discount than the one before",
    ),
  isSample: z.boolean().default(false),
});
export type RateCardUpdate = z.infer<typeof RateCardUpdate>;

export const quoteOperations = {
  estimator: operation({
    method: "post",
    summary: "Send an estimate and get its proposal by e-mail",
    input: QuoteRequest,
    answer: z.object({
      message: z.string(),
      quoteId: z.uuid(),
      /** What people call it: Q-000123. */
      quoteNumber: z.string(),
      /** Lets whoever sent the estimate fetch its proposal by `estimator/proposal` for half an hour. */
      proposalToken: z.string(),
    }),
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
    summary: "The organisation's quotes, newest first",
    input: ListQuery,
    answer: z.object({ estimation: z.array(Quote), ...listPage }),
  }),
  "admin/getEstimationByAdmin": operation({
    method: "get",
    summary: `All quotes, visitors' too, newest first; with state, those whose rates wait to be confirmed. ${sortsOfQuotes}`,
    input: ListQuery.extend({ state: z.literal("rates_to_confirm").optional() }),
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
  "admin/rate-card": operation({
    method: "get",
    summary: "The rate card in force",
    input: z.object({}),
    answer: RateCard,
  }),
  "admin/updateRateCard": operation({
    method: "post",
    summary: "Put a new rate card in force; quotes already made keep their prices",
    input: RateCardUpdate,
    answer: Message,
  }),
};

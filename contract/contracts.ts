import { z } from "zod";
import { TaxShown } from "./billing.ts";
import { Day, Instant, Rupees } from "./fields.ts";
import { type ListQuery, listOf, type SortOf } from "./lists.ts";
import { PricedLine } from "./quotes.ts";
import { RefundState } from "./refunds.ts";

/** coming: its first day has not come yet; ended: its last day is over. */
export const ContractState = z.enum(["coming", "running", "ended"]);
export type ContractState = z.infer<typeof ContractState>;

/** none: there is no quote yet; quoted: the quote for the next year is open; renewed: the next year is paid. */
export const RenewalState = z.enum(["none", "quoted", "accepted", "declined", "expired", "renewed"]);
export type RenewalState = z.infer<typeof RenewalState>;

/** One year of service, as a row of a list. */
export const Contract = z.object({
  id: z.uuid(),
  /** What people call it: C-000123. */
  number: z.string(),
  organization_name: z.string(),
  /** The buyer's e-mail address, by which its customer is found. */
  email: z.string(),
  starts_on: Day,
  ends_on: Day,
  /** How many days are left, today included; 0 when it has ended. */
  days_left: z.number().int(),
  state: ContractState,
  /** The devices on its last day, and what a year of them costs without tax. */
  devices: z.number().int(),
  yearly: Rupees,
  renewal: RenewalState,
  /** Whether somebody has chosen automatic renewal. */
  renews_itself: z.boolean(),
  /**
   * How many of these wait for our staff: requests for fewer devices, disputed true-ups, additions without confirmed
   * rates.
   */
  to_decide: z.number().int(),
});
export type Contract = z.infer<typeof Contract>;

export const contractList = listOf(Contract, {
  sorts: ["organization_name", "starts_on", "ends_on"],
  named: {},
  searched: ["number", "organization_name"],
});
export type ContractSort = SortOf<typeof contractList>;

const ContractQuery = contractList.query.extend({
  /** Only contracts that wait for our staff, or that end within 60 days. */
  show: z.enum(["to_decide", "ends_soon"]).optional(),
});
export type ContractQuery = ListQuery<ContractSort> & Pick<z.output<typeof ContractQuery>, "show">;
export { ContractQuery as ContractQuerySchema };

/** A number of devices of one type, for a span of days. */
export const ContractLine = z.object({
  id: z.uuid(),
  /** Rows that hold the same devices before and after a change share one series. */
  series: z.number().int(),
  service: z.string(),
  device_type: z.string(),
  unit: z.string(),
  quantity: z.number().int(),
  /** For one device and one year, before the discount. */
  rate: Rupees,
  discount_percent: z.number(),
  from: Day,
  to: Day,
  state: ContractState,
  /** The order that bought it. */
  order_number: z.string(),
  /** How many fewer the customer asks for; null without such a request. */
  asked_less: z.number().int().nullable(),
});
export type ContractLine = z.infer<typeof ContractLine>;

export const ContractChange = z.object({
  id: z.uuid(),
  kind: z.enum(["start", "add", "true up", "remove"]),
  on: Day,
  made_at: Instant,
  /** Null where no person that the reader may know made it. */
  made_by: z.string().nullable(),
  /** The devices changed: "10 × Prod Server", a line each. */
  devices: z.array(z.string()),
  order_number: z.string().nullable(),
  invoice_number: z.string().nullable(),
  credit_note_number: z.string().nullable(),
  /** The amount invoiced or credited for it, tax included. */
  amount: Rupees,
  /** State of the refund for devices taken away; null where none goes back through the gateway. */
  refund: RefundState.nullable(),
  /** Whether that refund failed and can be sent again: no other refund has returned the money or is about to. */
  may_refund_again: z.boolean(),
});
export type ContractChange = z.infer<typeof ContractChange>;

export const LessRequest = z.object({
  id: z.uuid(),
  series: z.number().int(),
  service: z.string(),
  device_type: z.string(),
  quantity: z.number().int(),
  wished_on: Day,
  reason: z.string(),
  state: z.enum(["asked", "agreed", "refused", "withdrawn"]),
  asked_at: Instant,
  asked_by: z.string(),
  /** Requested by an administrator, so the customer can't withdraw it. */
  asked_by_us: z.boolean(),
  decided_at: Instant.nullable(),
  answer: z.string(),
  effective_on: Day.nullable(),
});
export type LessRequest = z.infer<typeof LessRequest>;

export const TrueUp = z.object({
  id: z.uuid(),
  /** The first day of the month. */
  month: Day,
  service: z.string(),
  device_type: z.string(),
  connected: z.number().int(),
  contracted: z.number().int(),
  extra: z.number().int(),
  state: z.enum(["announced", "disputed", "dropped", "billed"]),
  bill_on: Day,
  dispute: z.string(),
  answer: z.string(),
  quote_number: z.string().nullable(),
});
export type TrueUp = z.infer<typeof TrueUp>;

/** A quote that adds to the contract or renews it and can still be bought. */
export const ContractQuote = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(["add", "true up", "renew"]),
  from: Day,
  to: Day,
  total: Rupees,
  valid_until: Instant,
  pdf_url: z.string().nullable(),
  /** Some devices were typed in by hand: the quote can be bought once their rates are confirmed. */
  rates_to_confirm: z.boolean(),
});

export const ContractDetails = Contract.extend({
  lines: z.array(ContractLine),
  changes: z.array(ContractChange),
  requests: z.array(LessRequest),
  true_ups: z.array(TrueUp),
  quotes: z.array(ContractQuote),
  /** Numbers of the contract before it and of the one after. */
  renews: z.string().nullable(),
  renewed_by: z.string().nullable(),
  renewal_chosen_by: z.string().nullable(),
  renewal_chosen_at: Instant.nullable(),
  /** The last day to make or withdraw the choice. */
  renewal_choice_until: Day,
  renewal_choice_open: z.boolean(),
  /** The day on which the quote for the next year is made, while there is none. */
  renewal_quoted_on: Day,
});
export type ContractDetails = z.infer<typeof ContractDetails>;

/** The price of devices added to a contract, line by line. */
export const AdditionPrice = z.object({
  contract_number: z.string(),
  from: Day,
  to: Day,
  days: z.number().int(),
  days_of_year: z.number().int(),
  discount_percent: z.number(),
  /** Devices typed in by hand are priced at a default rate; an administrator confirms it before they can be bought. */
  lines: z.array(PricedLine),
  taxable: Rupees,
  tax: TaxShown,
  /** With tax as quotes show it. */
  total: Rupees,
  sampleRates: z.boolean(),
});
export type AdditionPrice = z.infer<typeof AdditionPrice>;

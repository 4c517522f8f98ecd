import { z } from "zod";
import { TaxShown } from "./billing.ts";
import { Day, Instant, Rupees } from "./fields.ts";
import { type ListQuery, listOf, type SortOf } from "./lists.ts";
import { PricedLine } from "./quotes.ts";
import { RefundState } from "./refunds.ts";

/** coming: its first day is not there yet; ended: its last day is over. */
export const ContractState = z.enum(["coming", "running", "ended"]);
export type ContractState = z.infer<typeof ContractState>;

/** none: nothing is quoted yet; quoted: the quote for the next year is open; renewed: the next year is paid. */
export const RenewalState = z.enum(["none", "quoted", "accepted", "declined", "expired", "renewed"]);
export type RenewalState = z.infer<typeof RenewalState>;

/** One year of service, as lists have it. */
export const Contract = z.object({
  id: z.uuid(),
  /** What people call it: C-000123. */
  number: z.string(),
  organization_name: z.string(),
  /** Of whoever bought it, by which its customer is found. */
  email: z.string(),
  starts_on: Day,
  ends_on: Day,
  /** How many days are left, today included; 0 when it has ended. */
  days_left: z.number().int(),
  state: ContractState,
  /** What it holds on its last day, and what a year of that costs without tax. */
  devices: z.number().int(),
  yearly: Rupees,
  renewal: RenewalState,
  /** Whether somebody has chosen that it renews by itself. */
  renews_itself: z.boolean(),
  /** Requests for fewer devices, disputed true-ups, and additions without confirmed rates, that wait for one of us. */
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
  /** Those only in which something waits for one of us, or that end within 60 days. */
  show: z.enum(["to_decide", "ends_soon"]).optional(),
});
export type ContractQuery = ListQuery<ContractSort> & Pick<z.output<typeof ContractQuery>, "show">;
export { ContractQuery as ContractQuerySchema };

/** So many devices of a type, from a day to a day. */
export const ContractLine = z.object({
  id: z.uuid(),
  /** The same devices in another row, before or after a change, have the same one. */
  series: z.number().int(),
  service: z.string(),
  device_type: z.string(),
  unit: z.string(),
  quantity: z.number().int(),
  /** Of one for a year, before the discount. */
  rate: Rupees,
  discount_percent: z.number(),
  from: Day,
  to: Day,
  state: ContractState,
  /** By which it was bought. */
  order_number: z.string(),
  /** How many fewer are asked for; null where nothing is. */
  asked_less: z.number().int().nullable(),
});
export type ContractLine = z.infer<typeof ContractLine>;

export const ContractChange = z.object({
  id: z.uuid(),
  kind: z.enum(["start", "add", "true up", "remove"]),
  on: Day,
  made_at: Instant,
  /** Null where nobody of the reader's knowledge did it. */
  made_by: z.string().nullable(),
  /** What it was: "10 × Prod Server", a line each. */
  devices: z.array(z.string()),
  order_number: z.string().nullable(),
  invoice_number: z.string().nullable(),
  credit_note_number: z.string().nullable(),
  /** What was invoiced or credited for it, tax included. */
  amount: Rupees,
  /** Of the money of what was taken away; null where none goes back by the gateway. */
  refund: RefundState.nullable(),
  /** Whether that money failed to go back and can be sent once more: nothing else has given it back, or is about to. */
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
  /** An administrator asks for it: the customer can't take it back. */
  asked_by_us: z.boolean(),
  decided_at: Instant.nullable(),
  answer: z.string(),
  effective_on: Day.nullable(),
});
export type LessRequest = z.infer<typeof LessRequest>;

export const TrueUp = z.object({
  id: z.uuid(),
  /** Its first day. */
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

/** A quote that adds to the contract or renews it, while it can be bought. */
export const ContractQuote = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(["add", "true up", "renew"]),
  from: Day,
  to: Day,
  total: Rupees,
  valid_until: Instant,
  pdf_url: z.string().nullable(),
  /** Devices typed in by hand wait for their rates: it can be bought once they are confirmed. */
  rates_to_confirm: z.boolean(),
});

export const ContractDetails = Contract.extend({
  lines: z.array(ContractLine),
  changes: z.array(ContractChange),
  requests: z.array(LessRequest),
  true_ups: z.array(TrueUp),
  quotes: z.array(ContractQuote),
  /** What people call the contract before it, and the one after. */
  renews: z.string().nullable(),
  renewed_by: z.string().nullable(),
  renewal_chosen_by: z.string().nullable(),
  renewal_chosen_at: Instant.nullable(),
  /** The last day on which the choice can be made or taken back. */
  renewal_choice_until: Day,
  renewal_choice_open: z.boolean(),
  /** When the quote for the next year is made, where there is none yet. */
  renewal_quoted_on: Day,
});
export type ContractDetails = z.infer<typeof ContractDetails>;

/** What devices cost that are added to a contract, line by line. */
export const AdditionPrice = z.object({
  contract_number: z.string(),
  from: Day,
  to: Day,
  days: z.number().int(),
  days_of_year: z.number().int(),
  discount_percent: z.number(),
  /** Those typed in by hand stand at a default rate, and an administrator confirms theirs before they can be bought. */
  lines: z.array(PricedLine),
  taxable: Rupees,
  tax: TaxShown,
  /** With the tax as it stands on quotes. */
  total: Rupees,
  sampleRates: z.boolean(),
});
export type AdditionPrice = z.infer<typeof AdditionPrice>;

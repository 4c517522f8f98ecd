import { z } from "zod";
import { Day, Instant, Rupees } from "./fields.ts";
import {
  leadSources,
  type LeadSource as LeadSourceName,
  type LeadState as LeadStateName,
  leadStates,
} from "./lead-states.ts";
import { type ListQuery, listOf, type SortOf } from "./lists.ts";
import { QuoteState } from "./quotes.ts";

const stateNames = Object.keys(leadStates) as [LeadStateName, ...LeadStateName[]];
export const LeadState = z.enum(stateNames, "Please choose one of the states");
export const LeadSource = z.enum(Object.keys(leadSources) as [LeadSourceName, ...LeadSourceName[]]);

export const Lead = z.object({
  id: z.uuid(),
  /** What people call it: L-000123. */
  number: z.string(),
  source: LeadSource,
  organization_name: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  phone_number: z.string(),
  number_of_users: z.number().int(),
  message: z.string(),
  /** The quote that the lead is currently about; null for a mere contact request. */
  quote_id: z.uuid().nullable(),
  quote_number: z.string().nullable(),
  quote_state: QuoteState.nullable(),
  total_cost: Rupees.nullable(),
  /** The partner's employee, with the partner, who made the quote; null where the customer or our staff did. */
  made_by: z.string().nullable(),
  pdf_url: z.string().nullable(),
  state: LeadState,
  lost_reason: z.string(),
  owner_id: z.uuid().nullable(),
  owner_name: z.string().nullable(),
  next_step: z.string(),
  /** A day in India. */
  next_step_on: z.iso.date().nullable(),
  gstin: z.string().nullable(),
  /** Counts changes: a change names the version that it was made from. */
  version: z.number().int(),
  created_at: Instant,
});
export type Lead = z.infer<typeof Lead>;

export const leadList = listOf(Lead, {
  sorts: ["created_at", "organization_name", "user_name", "user_email", "total_cost", "next_step_on"],
  named: {},
  searched: ["number", "quote_number", "organization_name", "user_name", "user_email", "phone_number", "message"],
});
export type LeadSort = SortOf<typeof leadList>;

export const LeadFilters = z.object({
  /** One state, or all states that somebody works on. */
  state: z.enum([...stateNames, "open"], "Please choose one of the states").optional(),
  /** A person, or nobody. */
  owner: z.union([z.uuid(), z.literal("nobody")], "Please choose one of the owners").optional(),
  source: LeadSource.optional(),
  /** Only leads whose next step is due today or overdue. */
  due: z.literal("today").optional(),
  /** Only leads with rates that an administrator has to confirm. */
  rates: z.literal("waiting").optional(),
  /** Days in India, both included. */
  from: Day.optional(),
  to: Day.optional(),
});
export type LeadFilters = z.infer<typeof LeadFilters>;
export const LeadQuery = leadList.query.extend(LeadFilters.shape);
export type LeadQuery = ListQuery<LeadSort> & LeadFilters;

import { z } from "zod";
import { AuditFact } from "./audit.ts";
import { FreeText, Gstin, Instant, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { OrderState } from "./orders.ts";
import { PricedLine, QuoteState } from "./quotes.ts";

/** What may become of a lead, in the order of the work. Names stand on the wire, sentences on the screen. */
export const leadStates = {
  new: "New",
  contacted: "Contacted",
  proposal_sent: "Proposal sent",
  negotiation: "Negotiation",
  won: "Won",
  lost: "Lost",
  junk: "Junk",
} as const;
export type LeadState = keyof typeof leadStates;
const stateNames = Object.keys(leadStates) as [LeadState, ...LeadState[]];
export const LeadState = z.enum(stateNames, "Please choose one of the states");

/** Those that somebody works on. */
export const openStates = ["new", "contacted", "proposal_sent", "negotiation"] as const satisfies readonly LeadState[];
/** The way from a new lead to a won one; what is lost or junk has left it. */
export const leadStages = [...openStates, "won"] as const satisfies readonly LeadState[];

export const leadSources = { estimate: "Estimate", contact: "Contact form", staff: "Made by us" } as const;
export type LeadSource = keyof typeof leadSources;
const LeadSource = z.enum(Object.keys(leadSources) as [LeadSource, ...LeadSource[]]);

const day = z.iso.date("Please choose a day");

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
  /** The quote that it is about now; null for who only asked to be contacted. */
  quote_id: z.uuid().nullable(),
  quote_number: z.string().nullable(),
  quote_state: QuoteState.nullable(),
  total_cost: Rupees.nullable(),
  pdf_url: z.string().nullable(),
  state: LeadState,
  lost_reason: z.string(),
  owner_id: z.uuid().nullable(),
  owner_name: z.string().nullable(),
  next_step: z.string(),
  /** A day in India. */
  next_step_on: z.iso.date().nullable(),
  created_at: Instant,
});
export type Lead = z.infer<typeof Lead>;

export const leadList = listOf(Lead, {
  sorts: ["created_at", "organization_name", "user_name", "user_email", "total_cost", "next_step_on"],
  named: {},
  searched: ["number", "quote_number", "organization_name", "user_name", "user_email", "phone_number", "message"],
});
export type LeadSort = SortOf<typeof leadList>;

/** What the leads can be narrowed to. */
export const LeadFilters = z.object({
  /** One state, or all that somebody works on. */
  state: z.enum([...stateNames, "open"], "Please choose one of the states").optional(),
  /** A person, or nobody. */
  owner: z.union([z.uuid(), z.literal("nobody")], "Please choose one of the owners").optional(),
  source: LeadSource.optional(),
  /** With a next step that is due today or overdue. */
  due: z.literal("today").optional(),
  /** With rates that an administrator has to confirm. */
  rates: z.literal("waiting").optional(),
  /** Days in India, both included. */
  from: day.optional(),
  to: day.optional(),
});
export type LeadFilters = z.infer<typeof LeadFilters>;
const LeadQuery = leadList.query.extend(LeadFilters.shape);
export type LeadQuery = ListQuery<LeadSort> & LeadFilters;

const LeadQuote = z.object({
  id: z.uuid(),
  number: z.string(),
  state: QuoteState,
  revision: z.number().int(),
  lines: z.array(PricedLine),
  options: z.array(PricedLine),
  discountPercent: z.number(),
  ownDiscount: z.boolean(),
  note: z.string(),
  total_cost: Rupees,
  pdf_url: z.string().nullable(),
  valid_until: Instant,
  /** What it said before, newest first; each is superseded. */
  earlier: z.array(
    z.object({
      revision: z.number().int(),
      total_cost: Rupees,
      pdf_url: z.string().nullable(),
      superseded_at: Instant,
    }),
  ),
  order: z.object({ number: z.string(), status: OrderState }).nullable(),
});
export type LeadQuote = z.infer<typeof LeadQuote>;

/** One request of somebody: what is shown of each lead that is joined into one. */
const LeadRequest = Lead.pick({
  id: true,
  number: true,
  source: true,
  organization_name: true,
  user_name: true,
  user_email: true,
  phone_number: true,
  number_of_users: true,
  message: true,
  created_at: true,
}).extend({ quote: LeadQuote.nullable() });
export type LeadRequest = z.infer<typeof LeadRequest>;

/** What was noted or done about a lead. */
const LeadEvent = z.object({
  id: z.uuid(),
  at: Instant,
  /** Null for visitors, for the software itself and for who is not there any more. */
  who: z.string().nullable(),
  /** A note, or what the audit log calls what was done. */
  action: z.string(),
  /** The number of the lead, quote or order that it was done to. */
  about: z.string().nullable(),
  note: z.string().nullable(),
  facts: z.array(AuditFact),
});
export type LeadEvent = z.infer<typeof LeadEvent>;

const LeadMail = z.object({
  id: z.uuid(),
  kind: z.enum(["proposal", "receipt", "contact request", "reminder"]),
  to: z.string(),
  created_at: Instant,
  sent_at: Instant.nullable(),
  failure: z.string().nullable(),
});
export type LeadMail = z.infer<typeof LeadMail>;

const LeadDuplicate = Lead.pick({
  id: true,
  number: true,
  organization_name: true,
  user_name: true,
  user_email: true,
  state: true,
  created_at: true,
}).extend({ because: z.array(z.enum(["e-mail", "domain", "GSTIN"])) });
export type LeadDuplicate = z.infer<typeof LeadDuplicate>;

export const LeadDetails = z.object({
  lead: Lead.extend({ version: z.number().int(), gstin: z.string().nullable() }),
  /** Its own request first, then those of the leads joined into it. */
  requests: z.array(LeadRequest),
  /** Newest first. */
  events: z.array(LeadEvent),
  mails: z.array(LeadMail),
  duplicates: z.array(LeadDuplicate),
});
export type LeadDetails = z.infer<typeof LeadDetails>;

const tooLong = `Please use one line of at most ${limits.leadLineLengthMax} characters`;
const emptyOrLine = z.union([z.literal(""), line(limits.leadLineLengthMax)], tooLong);

export const LeadChange = z
  .object({
    id: z.uuid(),
    /** As it was read: 409 when somebody has changed the lead meanwhile. */
    version: z.number().int(),
    state: LeadState,
    lost_reason: emptyOrLine,
    owner_id: z.uuid().nullable(),
    next_step: emptyOrLine,
    next_step_on: day.nullable(),
    gstin: Gstin.nullable(),
  })
  .superRefine((change, context) => {
    const ask = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (change.state === "lost" && !change.lost_reason) ask("lost_reason", "Please say why it was lost");
    if (change.next_step_on && !change.next_step) ask("next_step", "Please say what is to be done on that day");
    if (change.next_step && !change.next_step_on) ask("next_step_on", "Please choose the day of the next step");
  });
export type LeadChange = z.infer<typeof LeadChange>;

const LeadView = z.object({ id: z.uuid(), name: z.string(), filters: LeadFilters });
export type LeadView = z.infer<typeof LeadView>;

const Count = z.number().int();
const FunnelRow = z.object({
  /** A month in India: 2026-11. */
  month: z.string(),
  source: LeadSource,
  /** How many came, and how many of these came so far or further. */
  came: Count,
  contacted: Count,
  proposal_sent: Count,
  negotiation: Count,
  won: Count,
  /** Where they are now. */
  lost: Count,
  junk: Count,
});
export type FunnelRow = z.infer<typeof FunnelRow>;

export const leadInboxOperations = {
  "admin/leads": operation({
    method: "get",
    summary: `Estimates and contact requests, newest first, without those joined into another; narrowed by state (or open), owner (or nobody), source, due=today, rates=waiting, and days in India. ${leadList.summary}`,
    input: LeadQuery,
    answer: z.object({ leads: z.array(Lead), ...listPage }),
  }),
  "admin/leads/lead": operation({
    method: "get",
    summary:
      "A lead with its requests, quotes, history, mails and duplicates; asked for one that is joined, the one it is joined into",
    input: z.object({ id: z.uuid() }),
    answer: LeadDetails,
  }),
  "admin/leads/owners": operation({
    method: "get",
    summary: "Who can own leads: administrators and their child accounts",
    input: z.object({}),
    answer: z.object({ owners: z.array(z.object({ id: z.uuid(), name: z.string(), email: z.string() })) }),
  }),
  "admin/leads/update": operation({
    method: "post",
    summary:
      "Set state, owner, next step and GSTIN of a lead; child accounts only of leads they own, and not the owner. 409 with the fields that somebody else has changed meanwhile",
    input: LeadChange,
    answer: Message,
  }),
  "admin/leads/add-note": operation({
    method: "post",
    summary:
      "Note something about a lead; the same note_id again changes nothing. Child accounts only for leads they own",
    input: z.object({ id: z.uuid(), note_id: z.uuid(), text: FreeText }),
    answer: Message,
    status: 201,
  }),
  "admin/leads/join": operation({
    method: "post",
    summary: "Join a lead into another one about the same; both histories stay, and it can be separated again",
    input: z.object({ id: z.uuid(), into: z.uuid() }),
    answer: Message,
  }),
  "admin/leads/separate": operation({
    method: "post",
    summary: "Take a lead out of the one that it was joined into",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "admin/leads/views": operation({
    method: "get",
    summary: "One's own saved views of the leads, by name",
    input: z.object({}),
    answer: z.object({ views: z.array(LeadView) }),
  }),
  "admin/leads/save-view": operation({
    method: "post",
    summary: "Keep filters under a name; an earlier view of one's own by that name is replaced",
    input: z.object({ name: line(limits.leadViewNameLengthMax, "Please give the view a name"), filters: LeadFilters }),
    answer: Message,
  }),
  "admin/leads/delete-view": operation({
    method: "post",
    summary: "Delete one of one's own saved views",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "admin/leads/funnel": operation({
    method: "get",
    summary: "What became of the leads of each of the last twelve months, by where they came from",
    input: z.object({}),
    answer: z.object({ rows: z.array(FunnelRow) }),
  }),
};

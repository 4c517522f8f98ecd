import { z } from "zod";
import { Day, FreeText, Gstin, line, Message } from "./fields.ts";
import { LeadDetails } from "./lead-details.ts";
import { Lead, LeadFilters, leadList, LeadQuery, LeadSource, LeadState } from "./lead-list.ts";
import { limits } from "./limits.ts";
import { listPage } from "./lists.ts";
import { operation } from "./operation.ts";

const tooLong = `Please use one line of at most ${limits.leadLineLengthMax} characters`;
const emptyOrLine = z.union([z.literal(""), line(limits.leadLineLengthMax)], tooLong);

export const LeadChange = z
  .object({
    id: z.uuid(),
    /** The version that was read: 409 when somebody has changed the lead meanwhile. */
    version: z.number().int(),
    state: LeadState,
    lost_reason: emptyOrLine,
    owner_id: z.uuid().nullable(),
    next_step: emptyOrLine,
    next_step_on: Day.nullable(),
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
  /** How many leads came in that month, and how many of them got this far or further. */
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

const Owner = z.object({ id: z.uuid(), name: z.string(), email: z.string() });

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
    summary: "Who can own leads: administrators and their child accounts; and who owns some but can't any more",
    input: z.object({}),
    answer: z.object({ owners: z.array(Owner), former: z.array(Owner) }),
  }),
  "admin/leads/update": operation({
    method: "post",
    summary:
      "Set state, owner, next step and GSTIN of a lead; child accounts only of leads they own, and not the owner. 409 with the fields that somebody else has changed meanwhile",
    input: LeadChange,
    answer: Message,
  }),
  "admin/leads/hand-over": operation({
    method: "post",
    summary: "Make somebody the owner of all open leads of another person; again, it changes nothing",
    input: z.object({ from: z.uuid(), to: z.uuid() }),
    answer: Message,
  }),
  "admin/leads/add-note": operation({
    method: "post",
    summary:
      "Note something about a lead; the same note_id again changes nothing, and is 409 with something else in it. Child accounts only for leads they own",
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

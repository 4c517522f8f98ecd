import { z } from "zod";
import { Day, Email, Instant, line, Message } from "./fields.ts";
import { findingFateNames } from "./incident-states.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

const Fate = z.enum(findingFateNames);

/** A detection by one of an engine's rules, and what became of it. */
export const ShownFinding = z.object({
  id: z.uuid(),
  title: z.string(),
  severity: z.string(),
  at: Instant,
  arrived_at: Instant,
  device: z.string().nullable(),
  fate: Fate,
  /** The words of the rule or of the person who decided. */
  reason: z.string(),
  /** Who decided it, or who answers for the suppressing rule; empty while it is open. */
  by: z.string(),
  decided_at: Instant.nullable(),
  incident: z.object({ id: z.uuid(), number: z.string() }).nullable(),
  /** The customer's objection; null without one. */
  dispute: z.string().nullable(),
  /** Its page in the engine; null where none is known, and for readers who may not open it. */
  link: z.string().nullable(),
});
export type ShownFinding = z.infer<typeof ShownFinding>;

export const findingList = listOf(ShownFinding, { sorts: ["arrived_at"], named: {}, searched: ["title"] });
export type FindingSort = SortOf<typeof findingList>;
const FindingQuery = findingList.query.extend({
  /** In the customer's time zone; today if omitted. */
  day: Day.optional(),
  fate: Fate.optional(),
});
export type FindingQuery = ListQuery<FindingSort> & Pick<z.output<typeof FindingQuery>, "day" | "fate">;

/** received = suppressed + benign + attached + open, always. */
export const GlassBox = z.object({
  received: z.number().int(),
  suppressed: z.number().int(),
  benign: z.number().int(),
  attached: z.number().int(),
  open: z.number().int(),
  disputed: z.number().int(),
  /** How many each suppression rule held back, and who answers for it. */
  by_rule: z.array(z.object({ rule: z.uuid(), title: z.string(), on_word_of: z.string(), findings: z.number().int() })),
  /** How many each person closed as benign. */
  by_person: z.array(z.object({ name: z.string(), findings: z.number().int() })),
});
export type GlassBox = z.infer<typeof GlassBox>;

/** The customer's engines that report findings. Without any, findings are unknown, which differs from none found. */
const ToldBy = z.array(z.object({ name: z.string(), unknown_since: Instant.nullable() }));
const Findings = z.object({
  about: z.object({ day: Day, told_by: ToldBy }),
  glass_box: GlassBox,
  findings: z.array(ShownFinding),
  ...listPage,
});

const Rule = z.object({
  id: z.uuid(),
  title: z.string(),
  device_id: z.string().nullable(),
  reason: z.string(),
  on_word_of: z.string(),
  made_by: z.string().nullable(),
  made_at: Instant,
  ended_at: Instant.nullable(),
  findings: z.number().int(),
});
export type SuppressionRule = z.infer<typeof Rule>;

/**
 * Text that an engine reported and that was stored, to look it up again: unchanged, whatever spaces and symbols it
 * contains.
 */
const StoredText = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => /^[^\p{Cs}]*$/u.test(text) && !text.includes("\0"), "No finding has this. Please reload the page.");

const Reason = line(limits.contractReasonLengthMax, "Please say why");
const summary = "What became of every finding of a day: received equals the sum";

export const incidentFindingOperations = {
  "user/findings": operation({ method: "get", summary, input: FindingQuery, answer: Findings }),
  "user/findings/dispute": operation({
    method: "post",
    summary: "Say that a finding was decided wrongly; an analyst looks again",
    input: z.object({ id: z.uuid(), reason: Reason }),
    answer: Message,
  }),
  "partner/findings": operation({
    method: "get",
    summary,
    input: FindingQuery.extend({ email: Email }),
    answer: Findings,
  }),
  "admin/findings": operation({
    method: "get",
    summary,
    input: FindingQuery.extend({ email: Email }),
    answer: Findings.extend({ about: z.object({ day: Day, told_by: ToldBy, rules: z.array(Rule) }) }),
  }),
  "admin/findings/decide": operation({
    method: "post",
    summary: "Close findings as benign, attach them to an incident, or open them again",
    input: z.object({
      findings: z.array(z.uuid()).min(1, "Please choose findings").max(100),
      fate: z.enum(["benign", "attached", "open"]),
      /** The number of the incident that they belong to. */
      incident: z.string().trim().toUpperCase().optional(),
      reason: Reason,
    }),
    answer: Message,
  }),
  "admin/findings/suppress": operation({
    method: "post",
    summary: "Suppress findings of this title from now on, and those that are open; a repeated id makes one rule",
    input: z.object({
      id: z.uuid(),
      email: Email,
      title: StoredText,
      device_id: StoredText.nullish(),
      reason: Reason,
      on_word_of: line(limits.fullNameLengthMax, "Please say on whose word"),
    }),
    answer: Message,
    status: 201,
  }),
  "admin/findings/end-rule": operation({
    method: "post",
    summary: "End a rule: what comes from now on is open again",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
};

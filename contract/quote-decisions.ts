import { z } from "zod";
import { FreeText, FullName, Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";
import { Quote } from "./quotes.ts";

/** A customer's decision about a revision of a quote; `reason` belongs to a declined one. */
const QuoteDecision = z.object({
  kind: z.enum(["accepted", "declined"]),
  name: z.string(),
  designation: z.string(),
  reason: z.string(),
  decided_at: Instant,
  /** File name of the accepted proposal with the evidence; null while it is being made, and for a declined one. */
  file: z.string().nullable(),
});
export type QuoteDecision = z.infer<typeof QuoteDecision>;

/** Includes the total of this revision, so that the person accepting sees the sum of the same revision as the terms. */
export const QuoteTerms = Quote.pick({
  number: true,
  organization_name: true,
  total_cost: true,
  tax: true,
  contract: true,
}).extend({
  quote_id: z.uuid(),
  revision: z.number().int(),
  terms: z.array(z.string()),
  /** SHA-256 of the terms, one a line, in hexadecimal. */
  terms_hash: z.string(),
  decision: QuoteDecision.nullable(),
});
export type QuoteTerms = z.infer<typeof QuoteTerms>;

const ofRevision = { quote_id: z.uuid(), revision: z.number().int().min(1) };

export const QuoteAcceptance = z.object({
  ...ofRevision,
  terms_hash: z.string().regex(/^[\da-f]{64}$/),
  name: FullName,
  designation: line(limits.nameLengthMax),
  /** The person accepting confirms the authority to bind the organisation. */
  has_authority: z.literal(true, "Please confirm that you may accept it for your organization"),
  code: z.string().regex(new RegExp(`^\\d{${limits.otpDigits}}$`), `Please enter the ${limits.otpDigits} digits`),
});
export type QuoteAcceptance = z.infer<typeof QuoteAcceptance>;

export const quoteDecisionOperations = {
  "user/quotes/terms": operation({
    method: "get",
    summary: "The terms of a quote's present revision with its sum, and what was decided about it",
    input: z.object({ quote_id: z.uuid() }),
    answer: QuoteTerms,
  }),
  "user/quotes/mail-code": operation({
    method: "post",
    summary: "Mail the caller a code that accepts this revision; it is valid for ten minutes",
    input: z.object(ofRevision),
    answer: Message,
  }),
  "user/quotes/accept": operation({
    method: "post",
    summary:
      "Accept a quote's present revision in the name of a person; 409 for one that is superseded, expired, bought or decided already. The accepted proposal with the evidence follows by e-mail",
    input: QuoteAcceptance,
    answer: Message,
  }),
  "user/quotes/decline": operation({
    method: "post",
    summary: "Decline a quote's present revision with a reason: it can't be bought any more; 409 as for accepting",
    input: z.object({ ...ofRevision, reason: FreeText }),
    answer: Message,
  }),
};

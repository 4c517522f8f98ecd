import { z } from "zod";
import { AuditFact } from "./audit-log.ts";
import { TaxShown } from "./billing.ts";
import { Instant, Rupees } from "./fields.ts";
import { Lead } from "./lead-list.ts";
import { OrderState } from "./orders.ts";
import { OfferedDevice } from "./staff-quotes.ts";
import { PricedLine, QuoteState } from "./quotes.ts";

const LeadQuote = z.object({
  id: z.uuid(),
  number: z.string(),
  state: QuoteState,
  revision: z.number().int(),
  lines: z.array(PricedLine),
  options: z.array(PricedLine),
  discountPercent: z.number(),
  ownDiscount: z.boolean(),
  /** What lies between the sum of the lines and the total. */
  discount: Rupees,
  /** As the customer reads it: of its order once it is bought. */
  tax: TaxShown,
  note: z.string(),
  /** With the keys under which they can be offered again. */
  devices: z.array(OfferedDevice),
  pdf_url: z.string().nullable(),
  valid_until: Instant,
  /** Earlier revisions, newest first; each is superseded. */
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

/** One person's request: what is shown of each lead that was joined into one. */
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

/** A note on a lead, or an action on it. */
const LeadEvent = z.object({
  id: z.uuid(),
  at: Instant,
  /** Null for visitors, for the software itself and for people who have left; `by` says for which. */
  who: z.string().nullable(),
  by: z.enum(["person", "visitor", "software"]),
  /** A note, or the audit log's name for the action. */
  action: z.string(),
  /** The number of the lead, quote or order that was acted on. */
  about: z.string().nullable(),
  note: z.string().nullable(),
  facts: z.array(AuditFact),
});
export type LeadEvent = z.infer<typeof LeadEvent>;

const LeadMail = z.object({
  id: z.uuid(),
  kind: z.enum(["proposal", "acceptance", "proforma", "invoice", "receipt", "contact request", "reminder"]),
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
  lead: Lead,
  /** Its own request first, then those of leads joined into it. */
  requests: z.array(LeadRequest),
  /** Newest first. */
  events: z.array(LeadEvent),
  mails: z.array(LeadMail),
  duplicates: z.array(LeadDuplicate),
});
export type LeadDetails = z.infer<typeof LeadDetails>;

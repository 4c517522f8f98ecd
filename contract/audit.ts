import { z } from "zod";
import { Email, Instant } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

/**
 * Everything that an audit entry can tell, as people read it behind who did it; `{}` stands for what it was done to. An
 * entry is written with a key of this table and with nothing else.
 */
export const auditActions = {
  "sign-in": "signed in",
  "sign-out": "signed out",
  "sign-out everywhere": "signed out everywhere",
  "end session": "ended one of their other sessions",
  "refuse password": "was refused: wrong password for {}",
  "refuse code": "was refused: wrong sign-in code for {}",
  "refuse password change": "was refused a new password: the current one was wrong",
  "refuse role": "was refused for their role: {}",
  "refuse record": "was refused a record that is not theirs: {}",
  "refuse token": "was refused for an invalid session: {}",
  "refuse rate": "was refused for asking too often: {}",
  "refuse file address": "was refused a made-up file address",
  "ask for password reset": "asked for a link to set the password of {}",
  "reset password": "set a new password by a mailed link",
  "change password": "changed their password",
  register: "registered {}",
  "register again": "registered {} again",
  "drop registration": "replaced a registration that nobody had confirmed",
  "accept invitation": "accepted the invitation",
  "bring quotes": "brought earlier estimates into {}",
  "end invitation": "ended the invitation of {}",
  "create administrator": "made {} an administrator",
  "add child": "added {} as a user",
  "add customer": "added the customer {}",
  "add partner": "added the partner {}",
  "resend invitation": "sent the invitation of {} again",
  "withdraw invitation": "withdrew the invitation of {}",
  "suspend person": "suspended {}",
  "restore person": "gave {} access again",
  "suspend organisation": "suspended {}",
  "restore organisation": "gave {} access again",
  "view organisation": "looked at the records of {}",
  "send estimate": "sent the estimate {}",
  "send estimate for customer": "sent the estimate {} for a customer",
  "confirm quote rates": "confirmed the rates of {}",
  "change lead": "changed {}",
  "note lead": "noted something about {}",
  "join lead": "joined {} into another lead",
  "take in lead": "took another lead into {}",
  "separate lead": "took {} out of another lead again",
  "remind of lead": "reminded the owner of the next step of {}",
  "save lead view": "saved a view of the leads",
  "delete lead view": "deleted a view of the leads",
  "make quote": "made the quote {}",
  "revise quote": "revised the quote {}",
  "start payment": "began to pay {}",
  "take over payment": "took over the payment of {}",
  "payment initiated": "reopened the payment of {}",
  "payment success": "recorded the payment of {}",
  "payment failure": "recorded that the payment of {} failed",
  "payment expired": "recorded that the payment of {} expired",
  "payment review": "put the payment of {} up for a look",
  "payment needs a look": "put the payment of {} up for a look",
  "issue invoice": "issued {}",
  "activate dashboard": "activated the dashboards of {}",
  "update siem": "changed the SIEM of {}",
  "update soar": "changed the SOAR of {}",
  "save rate card draft": "saved a draft of the rate card after {}",
  "discard rate card draft": "discarded the draft of the rate card after {}",
  "publish rate card": "published {}",
  "withdraw rate card": "withdrew {}",
  "add proof": "put {} on the site",
  "change proof": "changed {} on the site",
  "remove proof": "took {} off the site",
  "order proofs": "changed the order of the certificates and references",
  "export list": "exported {}",
  "enable demo accounts": "opened the demo accounts",
  "disable demo accounts": "closed the demo accounts",
  "apply retention": "deleted what had passed its time",
  "remove audit entries": "deleted audit entries that had passed their time",
} as const;
export type AuditAction = keyof typeof auditActions;

const actionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

/** Something more that an entry tells; `before` is null where nothing was replaced. */
export const AuditFact = z.object({ name: z.string(), before: z.string().nullable(), value: z.string() });
export type AuditFact = z.infer<typeof AuditFact>;

export const AuditEntry = z.object({
  id: z.uuid(),
  /** Its place in the chain, and its seal; null until it is sealed, which takes a minute at most. */
  number: z.number().int().nullable(),
  hash: z.string().nullable(),
  at: Instant,
  /** Who did it; null for visitors, for the software itself and for who is not there any more. */
  actor_name: z.string().nullable(),
  actor_organization: z.string().nullable(),
  action: z.string(),
  /** Such as person:ID or operation:NAME. */
  subject: z.string(),
  /** As people call it; null when it is not there any more. */
  subject_name: z.string().nullable(),
  /** The kind of organisation that a person or organisation is, or is of. */
  subject_kind: z.enum(["customer", "partner", "provider"]).nullable(),
  /** The network address; empty for the software itself, and hidden where it is that of another organisation's person. */
  address: z.string(),
  facts: z.array(AuditFact),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditList = listOf(AuditEntry, {
  sorts: ["at"],
  named: {},
  searched: ["action", "subject"],
});
export type AuditSort = SortOf<typeof auditList>;

const day = z.iso.date("Please choose a day");
const AuditQuery = auditList.query.extend({
  /** Who did it, by e-mail. */
  person: Email.optional(),
  action: z.enum(actionNames, "Please choose one of the actions").optional(),
  subject: z.string().max(limits.searchLengthMax).optional(),
  /** Days in India, both included. */
  from: day.optional(),
  to: day.optional(),
});
export type AuditQuery = ListQuery<AuditSort> &
  Pick<z.output<typeof AuditQuery>, "person" | "action" | "subject" | "from" | "to">;

const Entries = z.object({ entries: z.array(AuditEntry), ...listPage });

const listEntries = (whose: string) =>
  operation({
    method: "get",
    summary: `${whose}, newest first; narrowed by person (an e-mail), action, subject, and days in India. ${auditList.summary}`,
    input: AuditQuery,
    answer: Entries,
  });

export const auditOperations = {
  "admin/audit": listEntries("Who did what to what, when and from where"),
  "user/audit": listEntries("What concerns one's own organisation, done by whomever"),
  "partner/audit": listEntries("What the partner's people did, and what was done to the partner"),
};

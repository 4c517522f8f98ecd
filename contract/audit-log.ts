import { z } from "zod";
import { type AuditAction, auditActions } from "./audit.ts";
import { Day, Email, Instant, SearchText } from "./fields.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

const actionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

/** A further detail of an entry; `before` is null where nothing was replaced. */
export const AuditFact = z.object({ name: z.string(), before: z.string().nullable(), value: z.string() });
export type AuditFact = z.infer<typeof AuditFact>;

export const AuditEntry = z.object({
  id: z.uuid(),
  /** Its place in the chain and its seal; both null until it is sealed, which takes a minute at most. */
  number: z.number().int().nullable(),
  hash: z.string().nullable(),
  at: Instant,
  /** Who did it; null for visitors, for the software itself and for people who have left. */
  actor_name: z.string().nullable(),
  actor_organization: z.string().nullable(),
  action: z.string(),
  /** Such as person:ID or operation:NAME. */
  subject: z.string(),
  /** Its familiar name; null when it no longer exists. */
  subject_name: z.string().nullable(),
  /** The kind of organisation of the subject, which is an organisation or one of its people. */
  subject_kind: z.enum(["customer", "partner", "provider"]).nullable(),
  /**
   * The network address; empty for the software itself, and hidden when it belongs to a person of another organisation.
   */
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

const AuditQuery = auditList.query.extend({
  /** The e-mail address of the person who acted. */
  person: Email.optional(),
  action: z.enum(actionNames, "Please choose one of the actions").optional(),
  subject: SearchText.optional(),
  /** Days in India, both included. */
  from: Day.optional(),
  to: Day.optional(),
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
  "user/audit": listEntries("What concerns one's own organization, done by whomever"),
  "partner/audit": listEntries("What the partner's people did, and what was done to the partner"),
};

import { z } from "zod";
import { Session } from "./accounts.ts";
import { Email, FirstName, Instant, LastName, Message, OrganizationName, phone, Role } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { PersonStatus } from "./people.ts";

const OrganizationKind = z.enum(["customer", "partner", "provider"]);

/** A member of an organisation, as administrators see them. */
export const Member = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_no: z.string(),
  role: Role,
  status: PersonStatus,
  /** The person is suspended, whether or not their organisation is. */
  self_suspended: z.boolean(),
  /** Counts changes: a change names the version that it was made from. */
  version: z.number().int(),
  /** The address that replaces `email` once its owner confirms it; null when none is waiting. */
  new_email: z.string().nullable(),
  created_at: Instant,
});
export type Member = z.infer<typeof Member>;

export const memberList = listOf(Member, {
  sorts: ["email", "phone_no", "created_at"],
  named: { name: ["first_name", "last_name"] },
  searched: ["first_name", "last_name", "email", "phone_no"],
});
export type MemberQuery = ListQuery<SortOf<typeof memberList>>;

/** An invitation that nobody has accepted yet. */
export const OpenInvitation = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role: Role,
  organization_name: z.string(),
  status: PersonStatus,
  /** Who sent it; null when they have left since. */
  invited_by: z.string().nullable(),
  invited_until: Instant.nullable(),
  created_at: Instant,
});
export type OpenInvitation = z.infer<typeof OpenInvitation>;

export const invitationList = listOf(OpenInvitation, {
  sorts: ["created_at"],
  named: {},
  searched: ["first_name", "last_name", "email", "organization_name"],
});
export type InvitationQuery = ListQuery<SortOf<typeof invitationList>>;

/** A customer, a partner or the provider. */
export const Organization = z.object({
  id: z.uuid(),
  kind: OrganizationKind,
  name: z.string(),
  /** Null for a customer without one, and for organisations that are not customers. */
  partner: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
  suspended: z.boolean(),
  version: z.number().int(),
});
export type Organization = z.infer<typeof Organization>;

export const PersonChange = z.object({
  id: z.uuid(),
  /** The version that was read: 409 when somebody has changed the person meanwhile. */
  version: z.number().int(),
  firstName: FirstName,
  lastName: LastName,
  phoneNo: phone(limits.phoneLengthMin, messages.phoneTooShort),
});
export type PersonChange = z.infer<typeof PersonChange>;

export const OrganizationChange = z.object({
  id: z.uuid(),
  version: z.number().int(),
  name: OrganizationName,
});
export type OrganizationChange = z.infer<typeof OrganizationChange>;

export const EmailCorrection = z.object({ id: z.uuid(), email: Email });

const Id = z.object({ id: z.uuid() });
const ByEmail = z.object({ email: Email });

/** What a merge of two customers would move and what would stay. */
export const MergePreview = z.object({
  from: z.object({ id: z.uuid(), name: z.string(), version: z.number().int() }),
  into: z.object({ id: z.uuid(), name: z.string(), version: z.number().int() }),
  /** A sentence each. */
  moves: z.array(z.string()),
  stays: z.array(z.string()),
  /** Why it can't be done; null when it can. */
  refusal: z.string().nullable(),
});
export type MergePreview = z.infer<typeof MergePreview>;

const done = <Input extends z.ZodType>(summary: string, input: Input) =>
  operation({ method: "post", summary, input, answer: Message });

/** `version` is the one after the call, unchanged if nothing was changed. */
const saved = <Input extends z.ZodType>(summary: string, input: Input) =>
  operation({ method: "post", summary, input, answer: Message.extend({ version: z.number().int() }) });

export const staffPeopleOperations = {
  "admin/people": operation({
    method: "get",
    summary: `The people of the organization that an e-mail belongs to, the provider's included. ${memberList.summary}`,
    input: memberList.query.extend({ email: Email }),
    answer: z.object({ people: z.array(Member), ...listPage }),
  }),
  "admin/people/organization": operation({
    method: "get",
    summary: "The organization that somebody with this e-mail belongs to",
    input: ByEmail,
    answer: z.object({ organization: Organization }),
  }),
  "admin/people/change": saved("Change the name and phone of a person. 409 when somebody has meanwhile", PersonChange),
  "admin/people/change-organization": saved(
    "Change the name of an organization; its billing details are `admin/billing`. 409 when somebody has meanwhile",
    OrganizationChange,
  ),
  "admin/people/correct-email": done(
    "Give a person another e-mail address: it holds once its owner has confirmed it by a mailed link; an invitation goes out anew to it",
    EmailCorrection,
  ),
  "admin/people/keep-email": done("Take back a correction that is not confirmed yet", Id),
  "admin/people/change-role": done(
    "Make a child account the one that answers for its customer or partner, which makes the former one a child account; make an administrator a child administrator, or the other way round",
    z.object({ id: z.uuid(), version: z.number().int(), role: Role }),
  ),
  "admin/people/move-customer": done(
    "Give a customer to another partner, or to none. 409 when somebody has changed it meanwhile",
    z.object({ id: z.uuid(), version: z.number().int(), partner_email: Email.nullable() }),
  ),
  "admin/people/invitations": operation({
    method: "get",
    summary: `Invitations that nobody has accepted, of every organization. ${invitationList.summary}`,
    input: invitationList.query,
    answer: z.object({ invitations: z.array(OpenInvitation), ...listPage }),
  }),
  "admin/people/sessions": operation({
    method: "get",
    summary: "Where a person is signed in, newest first",
    input: Id,
    answer: z.object({ sessions: z.array(Session) }),
  }),
  "admin/people/end-sessions": done(
    "Sign a person out of one session, or of all of them",
    z.object({ id: z.uuid(), session_id: z.uuid().nullable() }),
  ),
  "admin/people/merge-preview": operation({
    method: "get",
    summary: "What a merge of two customers that are one company would move, and what stays",
    input: z.object({ from: Email, into: Email }),
    answer: z.object({ merge: MergePreview }),
  }),
  "admin/people/merge": done(
    "Merge one customer into another, as its preview says. 409 when one of them has changed meanwhile",
    z.object({
      from: z.object({ id: z.uuid(), version: z.number().int() }),
      into: z.object({ id: z.uuid(), version: z.number().int() }),
    }),
  ),
};

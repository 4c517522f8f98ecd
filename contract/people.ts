import { z } from "zod";
import { Email, FirstName, Instant, LastName, Message, OrganizationName, phone, Role } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

/**
 * invited: the mailed link was not used yet to choose a password. expired: it no longer can be. suspended: the person
 * or their organisation is. erased: on request, while orders still refer to the person.
 */
export const PersonStatus = z.enum(["active", "invited", "expired", "suspended", "erased"]);
export type PersonStatus = z.infer<typeof PersonStatus>;

/** Somebody added to the caller's own organisation. */
export const Child = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_no: z.string(),
  status: PersonStatus,
});
export type Child = z.infer<typeof Child>;

export const childList = listOf(Child, {
  sorts: ["email", "phone_no"],
  // Ids ascend in the order of creation.
  named: { name: ["first_name", "last_name"], created_at: ["id"] },
  searched: ["first_name", "last_name", "email", "phone_no"],
});
export type ChildSort = SortOf<typeof childList>;
export type ChildQuery = ListQuery<ChildSort>;

/**
 * How far a customer has come, by its orders and quotes. paid: its contract runs but nobody has activated its
 * dashboards yet; active: they are activated; ended: its last contract has run out.
 */
export const CustomerStage = z.enum([
  "no_quote",
  "quote_expired",
  "quote_declined",
  "quote_open",
  "payment_under_way",
  "paid",
  "active",
  "ended",
]);
export type CustomerStage = z.infer<typeof CustomerStage>;

export const CustomerState = z.object({
  stage: CustomerStage,
  /** Until when its latest quote that was not bought is valid; null when there is none or it has expired. */
  quote_open_until: Instant.nullable(),
  /** A payment waits for the bank, or for a member of staff to check it. */
  payment_under_way: z.boolean(),
  /**
   * The day in India on which the contract that ends first renews, 12 months after it was paid; in the past when all
   * have ended.
   */
  renews_on: z.iso.date().nullable(),
});
export type CustomerState = z.infer<typeof CustomerState>;

/** The first person of a customer or partner, together with the organisation. */
export const ListedPerson = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_no: z.string(),
  organization_name: z.string(),
  /** Null for a partner, and for a customer without one, for which lists show "Default". */
  partner_organization_name: z.string().nullable(),
  role: Role,
  status: PersonStatus,
  /** Null for a partner. */
  customer_state: CustomerState.nullable(),
  created_at: Instant,
});
export type ListedPerson = z.infer<typeof ListedPerson>;

export const personList = listOf(ListedPerson, {
  sorts: ["organization_name", "email", "phone_no", "partner_organization_name", "created_at"],
  named: { name: ["first_name", "last_name"] },
  searched: ["first_name", "last_name", "email", "phone_no", "organization_name", "partner_organization_name"],
});
export type PersonSort = SortOf<typeof personList>;
export type PersonQuery = ListQuery<PersonSort>;

const named = { firstName: FirstName, lastName: LastName, email: Email };
const anyPhone = phone(limits.phoneLengthMin, messages.phoneTooShort);
const fullPhone = phone(limits.onboardingPhoneLengthMin, messages.phoneTenDigits);

/** A child account of a customer or of a partner. */
export const NewChild = z.object({ ...named, phoneNo: anyPhone });
export type NewChild = z.infer<typeof NewChild>;

/** A child account of the provider. */
export const NewAdminChild = z.object({ ...named, phoneNo: fullPhone });

/** A customer that a partner onboards, or a partner that an administrator adds. */
export const NewOrganization = z.object({ organizationName: OrganizationName, ...named, phoneNo: fullPhone });
export type NewOrganization = z.infer<typeof NewOrganization>;

const ByEmail = z.object({ email: Email });
const ById = z.object({ id: z.uuid() });
/** A person by e-mail, or the organisation of that person. */
const Access = z.object({
  email: Email,
  what: z.enum(["person", "organisation"], "Please choose person or organization"),
});
const Children = z.object({ children: z.array(Child), ...listPage });
const People = z.object({ users: z.array(ListedPerson), ...listPage });
const FoundPerson = z.object({ user: z.array(ListedPerson) });

const listChildren = (method: "get" | "post", summary: string) =>
  operation({
    method,
    summary: `${summary}. ${childList.summary}`,
    input: childList.query,
    answer: Children,
  });

export const peopleOperations = {
  "user/children": listChildren("post", "The child users of one's own organization"),
  "user/create-child-user": operation({
    method: "post",
    summary: "Add a child user, who gets an invitation by e-mail",
    input: NewChild,
    answer: Message,
    status: 201,
  }),
  "people/resend-invitation": operation({
    method: "post",
    summary: "Mail an invitation again that one's organization sent; the new link voids the earlier one",
    input: ById,
    answer: Message,
  }),
  "people/withdraw-invitation": operation({
    method: "post",
    summary: "Withdraw an invitation that one's organization sent and that nobody has accepted",
    input: ById,
    answer: Message,
  }),
  "partner/users": operation({
    method: "post",
    summary: `The partner's customers. ${personList.summary}`,
    input: personList.query,
    answer: People,
  }),
  "partner/create-user": operation({
    method: "post",
    summary: "Onboard a customer, whose first person gets an invitation by e-mail",
    input: NewOrganization,
    answer: Message,
    status: 201,
  }),
  "partner/get-user-by-partner-email": operation({
    method: "post",
    summary: "One of the partner's customers; an empty array for any other e-mail",
    input: ByEmail,
    answer: FoundPerson,
  }),
  "partner/children": listChildren("post", "The child users of the partner"),
  "partner/create-child-user": operation({
    method: "post",
    summary: "Add a child user of the partner, who gets an invitation by e-mail",
    input: NewChild,
    answer: Message,
    status: 201,
  }),
  "admin/suspend": operation({
    method: "post",
    summary: "Take access from a person, or from everybody of a customer or partner, at once",
    input: Access,
    answer: Message,
  }),
  "admin/restore": operation({
    method: "post",
    summary: "Give access back that was taken from a person or an organization",
    input: Access,
    answer: Message,
  }),
  "admin/getUserByAdmin": operation({
    method: "get",
    summary: `All customers (role=user) or all partners (role=partner). ${personList.summary}`,
    input: personList.query.extend({ role: z.enum(["user", "partner"], "Please choose user or partner") }),
    answer: People,
  }),
  "admin/createPartnerByAdmin": operation({
    method: "post",
    summary: "Add a partner, whose first person gets an invitation by e-mail",
    input: NewOrganization,
    answer: Message,
    status: 201,
  }),
  "admin/getUserByEmailforAdmin": operation({
    method: "post",
    summary: "A customer or partner; an empty array for any other e-mail",
    input: ByEmail,
    answer: FoundPerson,
  }),
  "admin/getUsersByPartnerEmail": operation({
    method: "post",
    summary: `The customers of a partner. ${personList.summary}`,
    input: personList.query.extend({ email: Email }),
    answer: People,
  }),
  "admin/getChildrenByParentId": listChildren("get", "The child administrators"),
  "admin/createChildUserByAdmin": operation({
    method: "post",
    summary: "Add a child administrator, who gets an invitation by e-mail",
    input: NewAdminChild,
    answer: Message,
    status: 201,
  }),
};

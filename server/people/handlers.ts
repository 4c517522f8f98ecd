import { messages } from "../../contract/messages.ts";
import type { ChildQuery, NewChild } from "../../contract/people.ts";
import { type Call, type Handlers, signedIn } from "../call.ts";
import type { Services } from "../services.ts";
import { addChild, addCustomer, addPartner } from "./add-people.ts";
import { resendInvitation, withdrawInvitation } from "./invitations.ts";
import { findFirstPerson, listByRole, listChildren, listCustomers } from "./queries.ts";
import { findCustomerId, findCustomerOrPartnerId, findPartnerId } from "../access/reach.ts";
import { restoreOrganisation, restorePerson, suspendOrganisation, suspendPerson } from "./suspension.ts";

const suspend = { person: suspendPerson, organisation: suspendOrganisation };
const restore = { person: restorePerson, organisation: restoreOrganisation };

const childrenOfMine = (services: Services, call: Call, query: ChildQuery) =>
  listChildren(services, signedIn(call), query);

const addChildOfMine = async (services: Services, call: Call, form: NewChild) => {
  await addChild(services, signedIn(call), form);
  return { message: messages.userAdded };
};

export const peopleHandlers = {
  "user/children": childrenOfMine,
  "user/create-child-user": addChildOfMine,
  "people/resend-invitation": async (services, call, { id }) => {
    await resendInvitation(services, signedIn(call), id);
    return { message: messages.invitationResent };
  },
  "people/withdraw-invitation": async (services, call, { id }) => {
    await withdrawInvitation(services, signedIn(call), id);
    return { message: messages.invitationWithdrawn };
  },
  "partner/users": (services, call, query) => listCustomers(services, signedIn(call).organisationId, query),
  "partner/create-user": async (services, call, form) => {
    await addCustomer(services, signedIn(call), form);
    return { message: messages.userOnboarded };
  },
  "partner/get-user-by-partner-email": async (services, call, { email }) =>
    findFirstPerson(services, await findCustomerId(services.database, signedIn(call), email)),
  "partner/children": childrenOfMine,
  "partner/create-child-user": addChildOfMine,
  "admin/suspend": async (services, call, { email, what }) => {
    await suspend[what](services, signedIn(call), email);
    return { message: `The ${what} is suspended.` };
  },
  "admin/restore": async (services, call, { email, what }) => {
    await restore[what](services, signedIn(call), email);
    return { message: `The ${what} has access again.` };
  },
  "admin/getUserByAdmin": (services, _call, { role, ...query }) => listByRole(services, role, query),
  "admin/createPartnerByAdmin": async (services, call, form) => {
    await addPartner(services, signedIn(call), form);
    return { message: messages.partnerAdded };
  },
  "admin/getUserByEmailforAdmin": async (services, _call, { email }) =>
    findFirstPerson(services, await findCustomerOrPartnerId(services, email)),
  "admin/getUsersByPartnerEmail": async (services, _call, { email, ...query }) =>
    listCustomers(services, await findPartnerId(services, email), query),
  "admin/getChildrenByParentId": childrenOfMine,
  "admin/createChildUserByAdmin": addChildOfMine,
} satisfies Partial<Handlers>;

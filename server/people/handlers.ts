import { messages } from "../../contract/messages.ts";
import type { ChildQuery, NewChild } from "../../contract/people.ts";
import { reachCustomer, reachCustomerOrPartner, reachCustomersOfPartner } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { addChild, addCustomer, addPartner } from "./add-people.ts";
import { resendInvitation, withdrawInvitation } from "./invitations.ts";
import { findFirstPerson, listByRole, listChildren, listCustomers } from "./queries.ts";
import { restoreOrganisation, restorePerson, suspendOrganisation, suspendPerson } from "./suspension.ts";

const suspend = { person: suspendPerson, organisation: suspendOrganisation };
const restore = { person: restorePerson, organisation: restoreOrganisation };

interface OwnOrganisation {
  scope: Scope<"organisation">;
}

const childrenOfMine = (services: Services, { scope }: OwnOrganisation, query: ChildQuery) =>
  listChildren(services, scope, query);

const addChildOfMine = async (services: Services, { scope }: OwnOrganisation, form: NewChild) => {
  await addChild(services, scope, form);
  return { message: messages.userAdded };
};

export const peopleHandlers = {
  "user/children": childrenOfMine,
  "user/create-child-user": addChildOfMine,
  "people/resend-invitation": async (services, { scope }, { id }) => {
    await resendInvitation(services, scope, id);
    return { message: messages.invitationResent };
  },
  "people/withdraw-invitation": async (services, { scope }, { id }) => {
    await withdrawInvitation(services, scope, id);
    return { message: messages.invitationWithdrawn };
  },
  "partner/users": (services, { scope }, query) => listCustomers(services, scope, query),
  "partner/create-user": async (services, { scope }, form) => {
    await addCustomer(services, scope, form);
    return { message: messages.userOnboarded };
  },
  "partner/get-user-by-partner-email": async (services, { scope }, { email }) =>
    findFirstPerson(services, await reachCustomer(services.database, scope, email)),
  "partner/children": childrenOfMine,
  "partner/create-child-user": addChildOfMine,
  "admin/suspend": async (services, { scope }, { email, what }) => {
    await suspend[what](services, scope, email);
    return { message: `The ${what} is suspended.` };
  },
  "admin/restore": async (services, { scope }, { email, what }) => {
    await restore[what](services, scope, email);
    return { message: `The ${what} has access again.` };
  },
  "admin/getUserByAdmin": (services, { scope }, { role, ...query }) => listByRole(services, scope, role, query),
  "admin/createPartnerByAdmin": async (services, { scope }, form) => {
    await addPartner(services, scope, form);
    return { message: messages.partnerAdded };
  },
  "admin/getUserByEmailforAdmin": async (services, { scope }, { email }) =>
    findFirstPerson(services, await reachCustomerOrPartner(services.database, scope, email)),
  "admin/getUsersByPartnerEmail": async (services, { scope }, { email, ...query }) =>
    listCustomers(services, await reachCustomersOfPartner(services.database, scope, email), query),
  "admin/getChildrenByParentId": childrenOfMine,
  "admin/createChildUserByAdmin": addChildOfMine,
} satisfies Partial<Handlers>;

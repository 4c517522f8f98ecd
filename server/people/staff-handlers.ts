import { messages } from "../../contract/messages.ts";
import { findOrganisationOf } from "../access/reach.ts";
import type { Handlers } from "../call.ts";
import { changeOrganisation, changePerson } from "./change-person.ts";
import { changeRole } from "./change-role.ts";
import { correctEmail, keepEmail } from "./correct-email.ts";
import { findOrganisation, listInvitations, listMembers } from "./members.ts";
import { mergeCustomers, previewMerge } from "./merge-customers.ts";
import { moveCustomer } from "./move-customer.ts";
import { endSessionsOfPerson, listSessionsOfPerson } from "./sessions-of-person.ts";

/** What administrators do with people and organisations. */
export const staffPeopleHandlers = {
  "admin/people": async (services, { scope }, { email, ...query }) =>
    listMembers(services, await findOrganisationOf(services.database, scope, email), query),
  "admin/people/organization": async (services, { scope }, { email }) => ({
    organization: await findOrganisation(services, await findOrganisationOf(services.database, scope, email)),
  }),
  "admin/people/change": async (services, { scope }, change) => {
    const version = await changePerson(services, scope, change);
    return { message: messages.personSaved, version };
  },
  "admin/people/change-organization": async (services, { scope }, change) => {
    const version = await changeOrganisation(services, scope, change);
    return { message: messages.organizationSaved, version };
  },
  "admin/people/correct-email": async (services, { scope }, correction) => {
    const done = await correctEmail(services, scope, correction);
    return {
      message:
        done === "asked"
          ? `We have asked ${correction.email} to confirm. Until then nothing changes.`
          : `The invitation is on its way to ${correction.email}.`,
    };
  },
  "admin/people/keep-email": async (services, { scope }, { id }) => {
    await keepEmail(services, scope, id);
    return { message: "The e-mail address stays as it is." };
  },
  "admin/people/change-role": async (services, { scope }, change) => {
    await changeRole(services, scope, change);
    return { message: "The role is changed. They have to sign in again." };
  },
  "admin/people/move-customer": async (services, { scope }, move) => {
    const hasMoved = await moveCustomer(services, scope, move);
    if (!hasMoved) return { message: "The customer stays where it is." };
    return { message: move.partner_email === null ? "The customer has no partner now." : "The customer has moved." };
  },
  "admin/people/invitations": (services, { scope }, query) => listInvitations(services, scope, query),
  "admin/people/sessions": async (services, { scope }, { id }) => ({
    sessions: await listSessionsOfPerson(services, scope, id),
  }),
  "admin/people/end-sessions": async (services, { scope }, which) => {
    const ended = await endSessionsOfPerson(services, scope, which);
    return { message: ended === 0 ? "They were signed in nowhere." : `Signed out: ${ended}.` };
  },
  "admin/people/merge-preview": async (services, { scope }, emails) => ({
    merge: await previewMerge(services, scope, emails),
  }),
  "admin/people/merge": async (services, { scope }, seen) => {
    const { from, into } = await mergeCustomers(services, scope, seen);
    return { message: `${from} is part of ${into} now.` };
  },
} satisfies Partial<Handlers>;

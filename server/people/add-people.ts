import type { NewChild, NewOrganization } from "../../contract/people.ts";
import { messages } from "../../contract/messages.ts";
import { areaOf, type Role } from "../../contract/roles.ts";
import { invitePerson } from "../accounts/invitations.ts";
import { audit } from "../audit.ts";
import type { Actor } from "../call.ts";
import { organisations } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/**
 * Adds a child of the actor's role to the actor's organisation; an invitation follows by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests
 */
export async function addChild(services: Services, actor: Actor, { phoneNo, ...form }: NewChild): Promise<void> {
  await services.limiter.consume("invitationByAccount", actor.personId);
  const role: Role = `${areaOf(actor.role)}Child`;
  await services.database.transaction(async (transaction) => {
    const invitee = { ...form, phone: phoneNo, role, organisationId: actor.organisationId };
    const personId = await invitePerson(services, transaction, invitee, takenFor(actor));
    await audit(transaction, actor.personId, "add child", `person:${personId}`, { role });
  });
}

/**
 * Makes a customer of the actor's, a partner, with its first person, who is invited by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests
 */
export const addCustomer = (services: Services, actor: Actor, form: NewOrganization) =>
  addOrganisation(services, actor, form, { kind: "customer", partnerId: actor.organisationId }, "user");

/**
 * Makes a partner with its first person, who is invited by e-mail.
 * @throws Failure invalid when the e-mail is taken, too_many_requests
 */
export const addPartner = (services: Services, actor: Actor, form: NewOrganization) =>
  addOrganisation(services, actor, form, { kind: "partner" }, "partner");

async function addOrganisation(
  services: Services,
  actor: Actor,
  { organizationName, phoneNo, ...form }: NewOrganization,
  made: { kind: "customer" | "partner"; partnerId?: string },
  role: Role,
): Promise<void> {
  await services.limiter.consume("invitationByAccount", actor.personId);
  await services.database.transaction(async (transaction) => {
    const [organisation] = await transaction
      .insert(organisations)
      .values({ ...made, name: organizationName })
      .returning({ id: organisations.id });
    if (!organisation) throw new Error("The organisation was not made");
    const invitee = { ...form, phone: phoneNo, role, organisationId: organisation.id };
    await invitePerson(services, transaction, invitee, takenFor(actor));
    await audit(transaction, actor.personId, `add ${made.kind}`, `organisation:${organisation.id}`);
  });
}

/**
 * A person belongs to one organisation, so a taken e-mail must be refused. Customers and partners are told no more than
 * that, and may try only so often: whether it is somebody's account elsewhere is not theirs to know.
 */
const takenFor = ({ role }: Actor) => (areaOf(role) === "admin" ? messages.emailTaken : messages.emailNotAddable);

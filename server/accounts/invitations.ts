import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Role } from "../../contract/roles.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people } from "../database/schema/index.ts";
import { Failure } from "../errors.ts";
import { queueMail } from "../outside/mail/outbox.ts";
import type { Services } from "../services.ts";
import { makeLink } from "./links.ts";

export interface Invitee {
  organisationId: string;
  role: Role;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

/** Makes a person without a password and mails a link to choose one. @throws Failure conflict when the e-mail is taken. */
export async function invitePerson(services: Services, transaction: Transaction, invitee: Invitee): Promise<string> {
  const [person] = await transaction
    .insert(people)
    .values(invitee)
    .onConflictDoNothing({ target: people.email })
    .returning({ id: people.id });
  if (!person) {
    const sentence = "Someone with this e-mail address has an account already. Please use another address.";
    throw new Failure("conflict", sentence, { fields: { email: sentence } });
  }
  const [organisation] = await transaction
    .select({ name: organisations.name })
    .from(organisations)
    .where(eq(organisations.id, invitee.organisationId));
  const { id, link, expiresAt } = await makeLink(services, transaction, person.id, "invite");
  await queueMail(services, transaction, {
    eventKey: `invite:${id}`,
    to: invitee.email,
    content: {
      template: "invitation",
      firstName: invitee.firstName,
      organizationName: organisation?.name ?? "",
      link,
      hours: limits.inviteHours,
    },
    uselessAfter: expiresAt,
  });
  return person.id;
}

import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
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

/**
 * Makes a person without a password and mails a link to choose one. Answers the person's id.
 * @throws Failure invalid, with the sentence given, when the e-mail is taken
 */
export async function invitePerson(
  services: Services,
  transaction: Transaction,
  invitee: Invitee,
  taken: string = messages.emailTaken,
): Promise<string> {
  const [person] = await transaction
    .insert(people)
    .values(invitee)
    .onConflictDoNothing({ target: people.email })
    .returning({ id: people.id });
  if (!person) throw new Failure("invalid", taken, { fields: { email: taken } });
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
      organizationName: organisation?.name ?? "",
      link,
      hours: limits.inviteHours,
    },
    uselessAfter: expiresAt,
  });
  return person.id;
}

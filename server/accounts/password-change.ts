import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { later } from "../../contract/durations.ts";
import { audit } from "../audit/audit.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { accountFrom } from "../protection/limiter.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { forgetCodes } from "./codes.ts";
import { countLinks, makeLink, readLink, redeemLink } from "./links.ts";
import { hashPassword, knownOf, passwordFits, refuseGuessable } from "./passwords.ts";
import { endAccess, findPerson, findPersonByEmail, lockPersonByEmail, type Person } from "./queries.ts";

/** Asks for a reset link. What follows is left to the queue, so that neither answer nor time tells whether the account exists. */
export async function requestPasswordReset(services: Services, call: Call, email: string): Promise<void> {
  await services.limiter.consume("forgotByAddress", call.address);
  await services.database.transaction((transaction) => services.jobs.add(transaction, "mail-reset-link", { email }));
}

/**
 * Mails a link that sets a new password, if there is such an account and not enough of them are fresh in its mailbox:
 * whoever asks, and however often, its owner has one to use. Of a registration that nobody has proved it says how to go on.
 */
export async function mailResetLink(services: Services, email: string): Promise<void> {
  const known = await findPersonByEmail(services.database, email);
  if (known && neverProved(known)) return mailRegisterAgain(services, known);
  await services.database.transaction(async (transaction) => {
    const person = await lockPersonByEmail(transaction, email);
    if (!person?.mayEnter || neverProved(person)) return;
    const freshUntil = later(services.now(), { minutes: limits.resetFreshMinutes });
    if ((await countLinks(transaction, person.id, "reset", freshUntil)) >= limits.resetLinksAtOnce) return;
    const { id, link, expiresAt } = await makeLink(services, transaction, person.id, "reset");
    await queueMail(services, transaction, {
      eventKey: `reset:${id}`,
      to: person.email,
      content: { template: "passwordReset", link, minutes: limits.resetMinutes },
      uselessAfter: expiresAt,
    });
    await audit(transaction, null, "ask for password reset", `person:${person.id}`);
  });
}

/** Registered by somebody who has not shown yet to own the address; registering again takes its place. */
const neverProved = (person: Person) => person.emailVerifiedAt === null;

/** No link: with it the owner of the address would have an account that a stranger may have named. */
async function mailRegisterAgain(services: Services, { email, mayEnter }: Person): Promise<void> {
  if (!mayEnter || !(await services.limiter.allows("noticeByMailbox", email))) return;
  await services.database.transaction((transaction) =>
    queueMail(services, transaction, {
      eventKey: `register-again:${randomUUID()}`,
      to: email,
      content: { template: "registerAgain", link: `${services.publicUrl}/login?register` },
    }),
  );
}

/**
 * Sets the password of whoever holds the link; ends all sessions and other links, and forgets what was mistyped.
 * @throws Failure invalid when the link is not good, too_many_requests
 */
export async function resetPassword(
  services: Services,
  call: Call,
  request: { token: string; newPassword: string },
): Promise<void> {
  const known = await readLink(services, call, request.token, "reset");
  await refuseGuessable(request.newPassword, "newPassword", knownOf(known));
  const passwordHash = await hashPassword(request.newPassword);
  await services.database.transaction(async (transaction) => {
    const person = await redeemLink(services, call, transaction, request.token, "reset");
    await transaction.update(people).set({ passwordHash }).where(eq(people.id, person.id));
    await endAccess(transaction, [person.id], services.now());
    await forgetCodes(transaction, person.id);
    await audit(transaction, person.id, "reset password", `person:${person.id}`);
    await mailPasswordChanged(services, transaction, person);
  });
  await services.limiter.clear("wrongPasswordByAccount", accountFrom(call.address, known.email));
}

/**
 * Changes one's own password and ends the other sessions. Whoever asks for what is done already, for want of the answer, gets
 * it; that counts as a wrong try all the same.
 * @throws Failure wrong_password, invalid, too_many_requests
 */
export async function changePassword(
  services: Services,
  { actor }: Scope<"own">,
  request: { currentPassword: string; newPassword: string },
): Promise<void> {
  await services.limiter.consume("wrongPasswordByAccount", actor.personId);
  const checked = await checkedChange(services, actor, request);
  if (checked === "done already") return;
  const { person, passwordHash } = checked;
  await services.database.transaction(async (transaction) => {
    // Bound to the password that was checked: of two changes at once just one is made.
    const changed = await transaction
      .update(people)
      .set({ passwordHash })
      .where(and(eq(people.id, person.id), eq(people.passwordHash, person.passwordHash ?? "")));
    if (changed.rowCount !== 1) throw wrongPassword();
    await endAccess(transaction, [person.id], services.now(), actor.sessionId);
    await audit(transaction, person.id, "change password", `person:${person.id}`);
    await mailPasswordChanged(services, transaction, person);
  });
  await services.limiter.clear("wrongPasswordByAccount", actor.personId);
}

async function checkedChange(
  services: Services,
  actor: Actor,
  request: { currentPassword: string; newPassword: string },
) {
  const person = await findPerson(services.database, actor.personId);
  if (!person || !(await passwordFits(request.currentPassword, person.passwordHash))) {
    await audit(services.database, actor.personId, "refuse password change", `person:${actor.personId}`, {
      session: actor.sessionId,
    });
    if (person && (await passwordFits(request.newPassword, person.passwordHash))) return "done already";
    throw wrongPassword();
  }
  await refuseGuessable(request.newPassword, "newPassword", knownOf(person));
  if (request.newPassword === request.currentPassword) {
    const sentence = "Please choose a password that differs from the current one.";
    throw new Failure("invalid", sentence, { fields: { newPassword: sentence } });
  }
  return { person, passwordHash: await hashPassword(request.newPassword) };
}

const wrongPassword = () => new Failure("wrong_password", "Your current password is not right.");

async function mailPasswordChanged(services: Services, transaction: Transaction, person: Person): Promise<void> {
  await queueMail(services, transaction, {
    eventKey: `password-changed:${randomUUID()}`,
    to: person.email,
    content: { template: "passwordChanged", firstName: person.firstName, at: services.now().toISOString() },
  });
}

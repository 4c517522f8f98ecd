import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import type { Input } from "../../contract/operations.ts";
import type { NoticeVersion } from "../../contract/privacy-notice.ts";
import { audit } from "../audit.ts";
import type { Actor, Call } from "../call.ts";
import { recordConsent } from "../consent.ts";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure } from "../errors.ts";
import { queueMail } from "../outside/mail/outbox.ts";
import type { Services } from "../services.ts";
import { admitted } from "./admission.ts";
import { makeLink, useLink } from "./links.ts";
import { hashPassword, passwordFits, refuseGuessable } from "./passwords.ts";
import { endAccess, findPerson, lockPersonByEmail, type Person } from "./queries.ts";

/** Asks for a reset link. What follows is left to the queue, so that neither answer nor time tells whether the account exists. */
export async function requestPasswordReset(services: Services, call: Call, email: string): Promise<void> {
  await services.limiter.consume("forgotByAddress", call.address);
  await services.limiter.consume("forgotByAccount", email);
  await services.database.transaction((transaction) => services.jobs.add(transaction, "mail-reset-link", { email }));
}

/** Mails a link that sets a new password, if there is such an account. */
export async function mailResetLink(services: Services, email: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const person = await lockPersonByEmail(transaction, email);
    if (!person || person.suspendedAt || neverProved(person)) return;
    const { id, link, expiresAt } = await makeLink(services, transaction, person.id, "reset");
    await queueMail(services, transaction, {
      eventKey: `reset:${id}`,
      to: person.email,
      content: { template: "passwordReset", firstName: person.firstName, link, minutes: limits.resetMinutes },
      uselessAfter: expiresAt,
    });
    await audit(transaction, null, "ask for password reset", `person:${person.id}`);
  });
}

/** Registered by somebody who has not shown yet to own the address; registering again takes its place. */
const neverProved = (person: Person) => person.passwordHash !== null && person.emailVerifiedAt === null;

/** Sets the password of whoever holds the link; ends all sessions. @throws Failure invalid when the link is not good. */
export async function resetPassword(
  services: Services,
  call: Call,
  request: { token: string; newPassword: string },
): Promise<void> {
  await services.limiter.consume("linkByAddress", call.address);
  await admitted(() => setByLink(services, "reset", request.token, request.newPassword, "newPassword"));
}

/** Sets the first password of someone who was invited. @throws Failure invalid when the link is not good. */
export async function acceptInvite(
  services: Services,
  call: Call,
  { token, password, noticeVersion }: Input<"auth/accept-invite">,
): Promise<void> {
  await services.limiter.consume("linkByAddress", call.address);
  await admitted(() => setByLink(services, "invite", token, password, "password", noticeVersion));
}

async function setByLink(
  services: Services,
  purpose: "invite" | "reset",
  secret: string,
  password: string,
  field: string,
  noticeVersion?: NoticeVersion,
): Promise<void> {
  const person = await services.database.transaction(async (transaction) => {
    // Taken first and given back by the rollback when the password is refused: the link stays good for another try.
    const person = await useLink(services, transaction, secret, purpose);
    refuseGuessable(password, field, [person.email, person.firstName, person.lastName]);
    const now = services.now();
    // Whoever holds the mailed link has shown to own the address.
    await transaction
      .update(people)
      .set({ passwordHash: await hashPassword(password), emailVerifiedAt: person.emailVerifiedAt ?? now })
      .where(eq(people.id, person.id));
    await endAccess(transaction, person.id, now);
    if (purpose === "invite")
      await recordConsent(services, transaction, { purpose: "invitation", personId: person.id }, noticeVersion);
    await audit(
      transaction,
      person.id,
      purpose === "reset" ? "reset password" : "accept invitation",
      `person:${person.id}`,
    );
    if (purpose === "reset") await mailPasswordChanged(services, transaction, person);
    return person;
  });
  // Who owns the mailbox need not wait for the end of a day in which a stranger guessed codes.
  await services.limiter.clear("otpByAccount", person.email);
}

/** Changes one's own password and ends the other sessions. @throws Failure wrong_password, invalid */
export async function changePassword(
  services: Services,
  actor: Actor,
  request: { currentPassword: string; newPassword: string },
): Promise<void> {
  await services.limiter.consume("passwordByAccount", actor.personId);
  const { person, passwordHash } = await admitted(() => checkedChange(services, actor, request));
  await services.database.transaction(async (transaction) => {
    // Bound to the password that was checked: of two changes at once just one is made.
    const changed = await transaction
      .update(people)
      .set({ passwordHash })
      .where(and(eq(people.id, person.id), eq(people.passwordHash, person.passwordHash ?? "")));
    if (changed.rowCount !== 1) throw wrongPassword();
    await endAccess(transaction, person.id, services.now(), actor.sessionId);
    await audit(transaction, person.id, "change password", `person:${person.id}`);
    await mailPasswordChanged(services, transaction, person);
  });
  await services.limiter.giveBack("passwordByAccount", actor.personId);
}

async function checkedChange(
  services: Services,
  actor: Actor,
  request: { currentPassword: string; newPassword: string },
) {
  const person = await findPerson(services.database, actor.personId);
  if (!person || !(await passwordFits(request.currentPassword, person.passwordHash))) {
    await audit(services.database, actor.personId, "refuse password change", `person:${actor.personId}`);
    throw wrongPassword();
  }
  refuseGuessable(request.newPassword, "newPassword", [person.email, person.firstName, person.lastName]);
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

export async function workAccounts(services: Services): Promise<void> {
  await services.jobs.work("mail-reset-link", ({ email }) => mailResetLink(services, email));
}

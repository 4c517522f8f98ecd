import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { later } from "../../contract/durations.ts";
import { audit } from "../audit/audit.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import { accountFrom } from "../protection/limiter.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { forgetCodes, hasNoCodesLeft } from "./codes.ts";
import { countLinks, makeLink, readLink, redeemLink } from "./links.ts";
import { hashPassword, knownOf, passwordFits, refuseGuessable } from "./passwords.ts";
import { endAccess, findPerson, findPersonByEmail, lockPersonByEmail, type Person } from "./queries.ts";

/**
 * Requests a reset link. The rest is left to the queue, so that neither the answer nor its time tells whether the
 * account exists.
 */
export async function requestPasswordReset(services: Services, call: Call, email: string): Promise<void> {
  await services.limiter.consume("forgotByAddress", call.address);
  await services.database.transaction((transaction) => services.jobs.add(transaction, "mail-reset-link", { email }));
}

/**
 * Mails a password reset link if the account exists and its mailbox does not have enough recent ones: however often
 * anybody asks, the owner has one to use. For a registration that nobody has proved, mails how to go on instead, unless
 * its codes of the day are used up: a stranger may have done that, and registering again would get no code either.
 */
export async function mailResetLink(services: Services, email: string): Promise<void> {
  const known = await findPersonByEmail(services.database, email);
  const isOpen = known && neverProved(known) && !(await hasNoCodesLeft(services, known.id));
  if (isOpen) return mailRegisterAgain(services, known);
  await services.database.transaction(async (transaction) => {
    const person = await lockPersonByEmail(transaction, email);
    // Another one, or registered anew, since it was looked up.
    if (!person?.mayEnter || (neverProved(person) && person.passwordHash !== known?.passwordHash)) return;
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

/** Registered without proof of owning the address; registering again replaces it. */
const neverProved = (person: Person) => person.emailVerifiedAt === null;

/** Without a reset link: with one, the owner of the address would get an account that a stranger may have set up. */
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
 * Sets the password of the link's person; ends all sessions and other links, and forgets wrong codes.
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
 * Changes the caller's own password and ends their other sessions. Repeating a change whose answer was lost succeeds,
 * but still counts as a wrong try.
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
    // Bound to the password that was checked: of two concurrent changes only one is made.
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
    throw invalidField("newPassword", "Please choose a password that differs from the current one.");
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

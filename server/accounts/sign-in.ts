import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { createHmac, randomInt, randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { areaOf } from "../../contract/roles.ts";
import { audit } from "../audit.ts";
import type { Actor, Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { people, sessions, signInCodes } from "../database/schema/index.ts";
import { Failure } from "../errors.ts";
import { networkOf } from "../limiter.ts";
import { queueMail } from "../outside/mail/outbox.ts";
import { claimQuotes } from "../quotes/claim.ts";
import type { Services } from "../services.ts";
import { deriveKey, signSessionToken } from "../tokens.ts";
import { admitted } from "./admission.ts";
import { passwordFits } from "./passwords.ts";
import { findPersonByEmail, keepsPassword, lockPersonByEmail, type Person } from "./queries.ts";

/** Stands for whoever is not known, so that the same statements run for them. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/**
 * Checks the password and mails a one-time code, which takes the place of an earlier one.
 * The answer and its time are the same for an unknown e-mail and for a wrong password.
 * @throws Failure wrong_password, too_many_requests or overloaded
 */
export async function startSignIn(
  services: Services,
  call: Call,
  credentials: { email: string; password: string },
): Promise<void> {
  const { limiter } = services;
  // Counted by e-mail and network together: a stranger's guesses do not lock the owner out.
  const account = `${credentials.email} ${networkOf(call.address)}`;
  await admitted(async () => {
    await limiter.consume("loginByAddress", call.address);
    await limiter.consume("loginByAccount", account);
    const person = await findPersonByEmail(services.database, credentials.email);
    const fits = await passwordFits(credentials.password, person?.passwordHash);
    if (!person || !fits || person.suspendedAt || !(await mailCode(services, person)))
      throw await refusal(services, call, "refuse password", person, messages.invalidCredentials);
  });
  await limiter.giveBack("loginByAccount", account);
}

async function refusal(
  services: Services,
  call: Call,
  action: string,
  person: Person | undefined,
  sentence: string,
): Promise<Failure> {
  services.log.warn({ event: action, personId: person?.id, address: call.address });
  await audit(services.database, null, action, person ? `person:${person.id}` : "nobody known", {
    address: call.address,
  });
  return new Failure("wrong_password", sentence);
}

/** Answers false when the password was changed since it was checked. */
async function mailCode(services: Services, person: Person): Promise<boolean> {
  const code = String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, "0");
  const expiresAt = new Date(services.now().getTime() + limits.otpMinutes * 60_000);
  const fresh = { codeHash: hashCode(services, person.id, code), expiresAt, wrongTries: 0, usedAt: null };
  return services.database.transaction(async (transaction) => {
    if (!(await keepsPassword(transaction, person.id, person.passwordHash ?? ""))) return false;
    await transaction
      .insert(signInCodes)
      .values({ personId: person.id, ...fresh })
      .onConflictDoUpdate({ target: signInCodes.personId, set: fresh });
    await queueMail(services, transaction, {
      eventKey: `sign-in-code:${randomUUID()}`,
      to: person.email,
      content: { template: "signInCode", code, minutes: limits.otpMinutes },
      uselessAfter: expiresAt,
    });
    return true;
  });
}

/**
 * Exchanges the mailed code for a session token. A code works once, for ten minutes and five wrong tries.
 * @throws Failure wrong_password or too_many_requests
 */
export async function finishSignIn(
  services: Services,
  call: Call,
  attempt: { email: string; otp: string },
): Promise<string> {
  const { limiter } = services;
  await limiter.consume("otpByAddress", call.address);
  await limiter.consume("otpByAccount", attempt.email);
  const { person, session, guessed } = await services.database.transaction((transaction) =>
    tryCode(services, transaction, call, attempt),
  );
  // Only guesses at a living code count: who merely knows the e-mail can't use up its owner's tries.
  if (!guessed) await limiter.giveBack("otpByAccount", attempt.email);
  if (!person || !session) throw await refusal(services, call, "refuse code", person, messages.invalidOtp);
  const claims = { role: person.role, email: person.email, sub: person.id, sid: session.id };
  return signSessionToken(
    services.env.tokenSecret,
    { ...claims, exp: Math.floor(session.expiresAt.getTime() / 1000) },
    services.now(),
  );
}

/** One statement compares and counts: of many submits at once at most five are compared, and one opens a session. */
async function tryCode(
  services: Services,
  transaction: Transaction,
  call: Call,
  { email, otp }: { email: string; otp: string },
) {
  const now = services.now();
  const person = await lockPersonByEmail(transaction, email);
  const personId = person && !person.suspendedAt ? person.id : nobodysId;
  const right = eq(signInCodes.codeHash, hashCode(services, personId, otp));
  const [tried] = await transaction
    .update(signInCodes)
    .set({
      usedAt: sql`case when ${right} then ${now.toISOString()}::timestamptz end`,
      wrongTries: sql`${signInCodes.wrongTries} + case when ${right} then 0 else 1 end`,
    })
    .where(
      and(
        eq(signInCodes.personId, personId),
        isNull(signInCodes.usedAt),
        gt(signInCodes.expiresAt, now),
        lt(signInCodes.wrongTries, limits.otpWrongTries),
      ),
    )
    .returning({ right: sql<boolean>`${right}` });
  const session = person && tried?.right ? await openSession(services, transaction, call, person) : null;
  return { person, session, guessed: tried?.right === false };
}

async function openSession(services: Services, transaction: Transaction, call: Call, person: Person) {
  const now = services.now();
  if (!person.emailVerifiedAt)
    await transaction.update(people).set({ emailVerifiedAt: now }).where(eq(people.id, person.id));
  if (areaOf(person.role) === "user") await claimQuotes(transaction, person);
  const session = {
    id: randomUUID(),
    personId: person.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.sessionHours * 3_600_000),
    userAgent: call.userAgent,
    address: call.address,
  };
  await transaction.insert(sessions).values(session);
  await audit(transaction, person.id, "sign-in", `session:${session.id}`);
  return session;
}

/** Revokes the session on the server; its token is worth nothing from then on. */
export async function signOut(services: Services, actor: Actor): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await transaction.update(sessions).set({ revokedAt: services.now() }).where(eq(sessions.id, actor.sessionId));
    await audit(transaction, actor.personId, "sign-out", `session:${actor.sessionId}`);
  });
}

/** Keyed and bound to its person: neither a leaked table nor another account's code is of use. */
function hashCode(services: Services, personId: string, code: string): string {
  return createHmac("sha256", deriveKey(services.env.tokenSecret, "sign-in code"))
    .update(`${personId}:${code}`)
    .digest("base64url");
}

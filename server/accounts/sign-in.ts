import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { areaOf } from "../../contract/roles.ts";
import { later } from "../../contract/durations.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { emailCorrections, people, sessions } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { accountFrom } from "../protection/limiter.ts";
import { claimQuotes } from "./claim-estimates.ts";
import type { Services } from "../services.ts";
import { signSessionToken } from "../protection/tokens.ts";
import { mailCode, stillGood, tryCode, type Way } from "./codes.ts";
import { endInvitations } from "./invitations.ts";
import { passwordFits } from "./passwords.ts";
import { findPersonByEmail, lockEmail, lockPersonByEmail, type Person } from "./queries.ts";
import { deviceOf } from "./sessions.ts";

/** Stands in for an unknown person, so that the same statements run. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/**
 * Checks the password and mails a one-time code, which replaces an earlier one. The answer and its time are the same
 * for an unknown e-mail and for a wrong password.
 * @throws Failure wrong_password or too_many_requests; suspended, for a suspended person with the right password
 */
export async function startSignIn(
  services: Services,
  call: Call,
  credentials: { email: string; password: string },
): Promise<void> {
  const { limiter } = services;
  const account = accountFrom(call.address, credentials.email);
  const forgive = () => limiter.forgivePassword(account, call.address);
  await limiter.consumePassword(account, call.address);
  const person = await findPersonByEmail(services.database, credentials.email);
  const fits = await passwordFits(credentials.password, person?.passwordHash);
  if (person && fits && !person.mayEnter) {
    // The password was right, so the try does not count, and the caller may be told of the suspension.
    await forgive();
    throw await refusal(services, call, "refuse password", person, messages.suspended, "suspended");
  }
  try {
    if (person && fits && person.emailVerifiedAt === null) await limiter.consume("codeByUnproved", account);
    if (!person || !fits || !(await mailCode(services, person, call.publicTokenId)))
      throw await refusal(services, call, "refuse password", person, messages.invalidCredentials);
  } catch (failure) {
    // Only a caller with the right password gets this failure, so the try does not count.
    if (failure instanceof Failure && failure.code === "too_many_requests") await forgive();
    throw failure;
  }
  await forgive();
}

async function refusal(
  services: Services,
  call: Call,
  action: "refuse password" | "refuse code",
  person: Person | undefined,
  sentence: string,
  code: "wrong_password" | "suspended" = "wrong_password",
): Promise<Failure> {
  services.log.warn({ event: action, personId: person?.id, address: call.address });
  const subject = person ? `person:${person.id}` : "nobody known";
  await audit(services.database, null, action, subject, { ...byWhat(call), ...(person && whatOf(person)) });
  return new Failure(code, sentence);
}

const byWhat = (call: Call) => ({ device: deviceOf(call.userAgent) });

const whatOf = ({ role, mayEnter }: Person) => ({ role, ...(!mayEnter && { suspended: true }) });

/**
 * Exchanges the mailed code for a session token. A code works once, within ten minutes. It allows five wrong tries with
 * the public token that asked for it, and five with others, which also count against the caller's address.
 * @throws Failure wrong_password or too_many_requests
 */
export async function finishSignIn(
  services: Services,
  call: Call,
  attempt: { email: string; otp: string },
): Promise<string> {
  const { person, session } = await compareCode(services, call, attempt);
  if (!person || !session) throw await refusal(services, call, "refuse code", person, messages.invalidOtp);
  const claims = { role: person.role, email: person.email, sub: person.id, sid: session.id };
  return signSessionToken(
    services.env.tokenSecret,
    { ...claims, exp: Math.floor(session.expiresAt.getTime() / 1000) },
    services.now(),
  );
}

/**
 * The public token that asked for the code is tried first and not counted: nobody else on the network can use up its
 * tries.
 */
async function compareCode(services: Services, call: Call, attempt: { email: string; otp: string }) {
  const person = await findPersonByEmail(services.database, attempt.email);
  const personId = person?.mayEnter ? person.id : nobodysId;
  const tryBy = (way: Way) =>
    tryCode(services, { personId, code: attempt.otp, publicTokenId: call.publicTokenId, way });
  const own = await tryBy("own token");
  if (own) return { person, session: own === "right" ? await enter(services, call, attempt) : null };
  await services.limiter.consume("otpByAddress", call.address);
  const session = (await tryBy("other token")) === "right" ? await enter(services, call, attempt) : null;
  if (session) await services.limiter.giveBack("otpByAddress", call.address);
  return { person, session };
}

/** Opens a session for a right code; null if a new password, a new code or a suspension came in between. */
async function enter(services: Services, call: Call, { email, otp }: { email: string; otp: string }) {
  return services.database.transaction(async (transaction) => {
    await lockEmail(transaction, email);
    const person = await lockPersonByEmail(transaction, email);
    if (!person?.mayEnter || !(await stillGood(services, transaction, { personId: person.id, code: otp }))) return null;
    return openSession(services, transaction, call, person);
  });
}

async function openSession(services: Services, transaction: Transaction, call: Call, person: Person) {
  const now = services.now();
  if (!person.emailVerifiedAt) {
    await transaction.update(people).set({ emailVerifiedAt: now }).where(eq(people.id, person.id));
    await endInvitations(transaction, person.email, now);
    // Signing in proves the address, so a pending correction of it is dropped.
    await transaction.delete(emailCorrections).where(eq(emailCorrections.personId, person.id));
  }
  // An invited person decided on joining whether to bring earlier quotes, so only later ones are claimed here.
  if (areaOf(person.role) === "user")
    await claimQuotes(transaction, person, person.registered ? null : person.joinedAt);
  const session = {
    id: randomUUID(),
    personId: person.id,
    createdAt: now,
    expiresAt: later(now, { hours: limits.sessionHours }),
    userAgent: call.userAgent,
    address: call.address,
  };
  await transaction.insert(sessions).values(session);
  await audit(transaction, person.id, "sign-in", `session:${session.id}`, { ...byWhat(call), role: person.role });
  return session;
}

/** Revokes the session on the server; its token is worthless from then on. */
export async function signOut(services: Services, { actor }: Scope<"own">): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await transaction.update(sessions).set({ revokedAt: services.now() }).where(eq(sessions.id, actor.sessionId));
    await audit(transaction, actor.personId, "sign-out", `session:${actor.sessionId}`);
  });
}

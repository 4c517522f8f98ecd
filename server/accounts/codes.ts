import { and, between, eq, gt, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { createHmac, randomInt, randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { earlier, later } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { signInCodes } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { queueMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { deriveKey } from "../protection/tokens.ts";
import { findPerson, type Person } from "./queries.ts";
import { mayEnter } from "../access/suspended.ts";

/**
 * How a code comes back: with the public token that asked for it, or with another. Asking for a code takes the
 * password, so strangers can only use up the tries of the second way (decision 17).
 */
export type Way = "own token" | "other token";

const ways = {
  "own token": {
    wrongTries: signInCodes.wrongTries,
    wrongTriesOfDay: signInCodes.wrongTriesOfDay,
    ofDayMax: limits.otpWrongTriesOfDay,
  },
  "other token": {
    wrongTries: signInCodes.wrongTriesElsewhere,
    wrongTriesOfDay: signInCodes.wrongTriesElsewhereOfDay,
    ofDayMax: limits.otpWrongTriesElsewhereOfDay,
  },
};

/**
 * Mails a one-time code, which replaces an earlier one and belongs to the public token that asked. Returns false if the
 * person was suspended or the password changed since it was checked.
 * @throws TooManyCodes when the day's codes are used up
 */
export function mailCode(services: Services, person: Person, publicTokenId: string | null): Promise<boolean> {
  const code = String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, "0");
  const now = services.now();
  const expiresAt = later(now, { minutes: limits.otpMinutes });
  const codeHash = hashCode(services, person.id, code);
  return services.database.transaction(async (transaction) => {
    if (!(await keepCode(transaction, person, now, { codeHash, publicTokenId, expiresAt }))) return false;
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
 * One statement checks that the person still has the checked password (locked until the transaction ends), checks the
 * day's counts and renews the code, so that concurrent requests get no more codes than allowed. Returns false if the
 * password no longer holds.
 * @throws TooManyCodes
 */
async function keepCode(
  transaction: Transaction,
  person: Person,
  now: Date,
  code: { codeHash: string; publicTokenId: string | null; expiresAt: Date },
): Promise<boolean> {
  // A day that is still to come began while our clock was fast.
  const newDay = sql`sign_in_codes.day_began_at not between
    excluded.day_began_at - interval '24 hours' and excluded.day_began_at + interval '1 minute'`;
  const counted = (count: SQL) => sql`case when ${newDay} then 0 else ${count} end`;
  const { rowCount } = await transaction.execute(sql`
    insert into sign_in_codes (person_id, code_hash, public_token_id, expires_at, day_began_at, codes_of_day)
    select people.id, ${code.codeHash}, ${code.publicTokenId}, ${code.expiresAt.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz, 1
    from people join organisations on organisations.id = people.organisation_id
    where people.id = ${person.id} and people.password_hash = ${person.passwordHash} and ${mayEnter}
    for share of people
    on conflict (person_id) do update set
      code_hash = excluded.code_hash, public_token_id = excluded.public_token_id, expires_at = excluded.expires_at,
      wrong_tries = 0, wrong_tries_elsewhere = 0, used_at = null,
      day_began_at = case when ${newDay} then excluded.day_began_at else sign_in_codes.day_began_at end,
      codes_of_day = ${counted(sql`sign_in_codes.codes_of_day`)} + 1,
      wrong_tries_of_day = ${counted(sql`sign_in_codes.wrong_tries_of_day`)},
      wrong_tries_elsewhere_of_day = ${counted(sql`sign_in_codes.wrong_tries_elsewhere_of_day`)}
    where ${newDay} or not (${isUsedUp})`);
  if (rowCount === 1) return true;
  const found = await findPerson(transaction, person.id);
  if (!found?.mayEnter || found.passwordHash !== person.passwordHash) return false;
  throw await dayUsedUp(transaction, now, person.id);
}

/** Of the counts of a day: that no code is mailed any more. */
const isUsedUp = or(
  gte(signInCodes.codesOfDay, limits.otpCodesOfDay),
  gte(signInCodes.wrongTriesOfDay, limits.otpWrongTriesOfDay),
);

/** Whether no code is mailed to a person any more today. */
export async function hasNoCodesLeft({ database, now }: Services, personId: string): Promise<boolean> {
  const ofToday = between(signInCodes.dayBeganAt, earlier(now(), { hours: 24 }), later(now(), { minutes: 1 }));
  return (await database.$count(signInCodes, and(eq(signInCodes.personId, personId), ofToday, isUsedUp))) === 1;
}

async function dayUsedUp(transaction: Transaction, now: Date, personId: string): Promise<TooManyCodes> {
  const [day] = await transaction
    .select({ beganAt: signInCodes.dayBeganAt })
    .from(signInCodes)
    .where(eq(signInCodes.personId, personId));
  const agoSeconds = (now.getTime() - (day?.beganAt ?? now).getTime()) / 1000;
  return new TooManyCodes(Math.max(1, Math.ceil(24 * 3600 - agoSeconds)));
}

/** Only a caller with the password sees this; the owner of the mailbox can go on at once by setting a new password. */
class TooManyCodes extends Failure {
  constructor(retryAfterSeconds: number) {
    super(
      "too_many_requests",
      "Too many codes were asked for or mistyped today. To go on now, please set a new password by “Forgot Password”.",
      { retryAfterSeconds },
    );
  }
}

/**
 * Compares a code and counts the try in one statement, so that concurrent tries compare no more codes than tries are
 * left, and only one is right. Returns null when there is no code to compare by this way.
 */
export async function tryCode(
  services: Services,
  attempt: { personId: string; code: string; publicTokenId: string | null; way: Way },
): Promise<"right" | "wrong" | null> {
  const { personId, code, publicTokenId, way } = attempt;
  const { wrongTries, wrongTriesOfDay, ofDayMax } = ways[way];
  const now = services.now();
  const right = eq(signInCodes.codeHash, hashCode(services, personId, code));
  const counted = (count: PgColumn) => sql`${count} + case when ${right} then 0 else 1 end`;
  const [tried] = await services.database
    .update(signInCodes)
    .set({
      usedAt: sql`case when ${right} then ${now.toISOString()}::timestamptz end`,
      ...(way === "own token"
        ? { wrongTries: counted(wrongTries), wrongTriesOfDay: counted(wrongTriesOfDay) }
        : { wrongTriesElsewhere: counted(wrongTries), wrongTriesElsewhereOfDay: counted(wrongTriesOfDay) }),
    })
    .where(
      and(
        eq(signInCodes.personId, personId),
        way === "own token"
          ? eq(signInCodes.publicTokenId, publicTokenId ?? "")
          : sql`${signInCodes.publicTokenId} is distinct from ${publicTokenId}`,
        isNull(signInCodes.usedAt),
        gt(signInCodes.expiresAt, now),
        lt(wrongTries, limits.otpWrongTries),
        // Those with the token that asked void the code, for every other one too.
        lt(signInCodes.wrongTries, limits.otpWrongTries),
        lt(wrongTriesOfDay, ofDayMax),
      ),
    )
    .returning({ right: sql<boolean>`${right}` });
  return tried ? (tried.right ? "right" : "wrong") : null;
}

/** Whether a code just found right has not been voided since by a new code or password. */
export async function stillGood(
  services: Services,
  transaction: Transaction,
  { personId, code }: { personId: string; code: string },
): Promise<boolean> {
  const codeHash = hashCode(services, personId, code);
  const same = and(eq(signInCodes.personId, personId), eq(signInCodes.codeHash, codeHash));
  return (await transaction.$count(signInCodes, and(same, gt(signInCodes.expiresAt, services.now())))) === 1;
}

/** The owner has proved to own the mailbox, so today's wrong tries no longer count. */
export async function forgetCodes(transaction: Transaction, personId: string): Promise<void> {
  await transaction.delete(signInCodes).where(eq(signInCodes.personId, personId));
}

/** Keyed and bound to the person: neither a leaked table nor another account's code is of use. */
function hashCode(services: Services, personId: string, code: string): string {
  return createHmac("sha256", deriveKey(services.env.tokenSecret, "sign-in code"))
    .update(`${personId}:${code}`)
    .digest("base64url");
}

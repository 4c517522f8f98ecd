import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../database/database.ts";
import { Failure } from "../failures/failure.ts";
import { parseIpAddress } from "../settings/ip-address.ts";
import { openSharedGate } from "./gate.ts";
import { mailboxOf } from "./mailbox-of.ts";
import { clocksDifferMs, openPauses, openPausesOfTwo, type PauseRule } from "./pauses.ts";

/** At most `points` tries in `seconds`, then none until that time is over. */
interface WindowRule {
  points: number;
  seconds: number;
}

/**
 * How often something may be done. An account is never counted by its e-mail address alone, which strangers know: the
 * key is the address together with the caller's network (`accountFrom`), or the id of a signed-in person (decision 17).
 */
export const rules = {
  wrongPasswordByAddress: { freeTries: 60, pauseSecondsMin: 1, pauseSecondsMax: 2, forgottenAfterSeconds: 600 },
  wrongPasswordByAccount: { freeTries: 5, pauseSecondsMin: 5, pauseSecondsMax: 60, forgottenAfterSeconds: 900 },
  otpByAddress: { points: 60, seconds: 600 },
  // Until somebody has signed in with an address: anybody may register it in a hundred spellings with a plus, each of
  // which has its own count of codes.
  codeByUnproved: { points: 100, seconds: 86_400 },
  registrationByAddress: { points: 20, seconds: 3600 },
  registrationByAccount: { points: 5, seconds: 3600 },
  forgotByAddress: { points: 60, seconds: 3600 },
  linkByAddress: { points: 60, seconds: 3600 },
  invitationByAccount: { points: 100, seconds: 3600 },
  invitationByMailbox: { points: 5, seconds: 3600 },
  noticeByMailbox: { points: 5, seconds: 3600 },
  estimateByAddress: { points: 30, seconds: 3600 },
  estimateByAccount: { points: 10, seconds: 3600 },
  // Visitors only: what strangers request for a mailbox does not count against its owner when signed in.
  estimateByMailbox: { points: 20, seconds: 86_400 },
  // A partner makes estimates for many customers; each of them gets only so many a day.
  estimateByPartner: { points: 60, seconds: 3600 },
  estimateForCustomer: { points: 20, seconds: 86_400 },
  priceByAddress: { points: 300, seconds: 60 },
  proposalByAddress: { points: 300, seconds: 60 },
  contactByAddress: { points: 10, seconds: 3600 },
  contactByAccount: { points: 5, seconds: 3600 },
  askGatewayByAttempt: { points: 20, seconds: 600 },
  refundHintByAddress: { points: 120, seconds: 600 },
  paymentByAccount: { points: 30, seconds: 600 },
  acceptanceCodeByAccount: { points: 10, seconds: 3600 },
  acceptanceByAccount: { points: 10, seconds: 3600 },
  // Comments, answers, disputes, files, attested facts and filings.
  incidentByAccount: { points: 60, seconds: 600 },
  // Each test calls an address that somebody entered: this keeps people from scanning a network with it.
  engineTestByAccount: { points: 30, seconds: 600 },
  // PDFs that are rendered while the user waits.
  paperByAccount: { points: 30, seconds: 600 },
} as const satisfies Record<string, WindowRule | PauseRule>;
export type RuleName = keyof typeof rules;

/** Counts in PostgreSQL, so that limits hold across all copies of the server. */
export interface Limiter {
  /** Counts one try. @throws Failure too_many_requests with the seconds to wait */
  consume(rule: RuleName, key: string): Promise<void>;
  /** Counts one try and returns whether it is allowed, for cases where the caller must not be told. */
  allows(rule: RuleName, key: string): Promise<boolean>;
  /**
   * Takes back one try that turned out to be no failure. Tries are counted beforehand, so that many at once can't slip
   * through.
   */
  giveBack(rule: RuleName, key: string): Promise<void>;
  /** Forgets all tries. */
  clear(rule: RuleName, key: string): Promise<void>;
  /**
   * Counts one password try before the password is checked, for the account and for the network.
   * @throws Failure too_many_requests; then it counts for neither
   */
  consumePassword(account: string, address: string): Promise<void>;
  /** The password was right: clears the account's wrong tries, and takes this one back for the network. */
  forgivePassword(account: string, address: string): Promise<void>;
}

/** One rule's counter; keys are already hashed. */
interface Counter {
  /** Returns the milliseconds to wait; 0 allows the try. */
  take(key: string): Promise<number>;
  giveBack(key: string): Promise<unknown>;
  clear(key: string): Promise<unknown>;
}

/**
 * Each try locks the row of its key. Those of one key therefore wait here and not in the database, where a hundred of
 * them at once would hold every connection of the pool meanwhile.
 */
const oneAtOnce = { atOnce: 1, waiting: 1000, waitMs: 10_000 };
const noLimit = { ...oneAtOnce, atOnce: Infinity, waiting: Infinity };

/**
 * When the database is unavailable, or does not keep up with the tries of one key, the error is passed on: no try goes
 * uncounted.
 */
export function openLimiter(database: Database, now: () => Date = () => new Date()): Limiter {
  const counters = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      "points" in rule ? openWindows(database, name, rule) : openPauses(database, { name, rule }, now),
    ]),
  ) as Record<RuleName, Counter>;
  const named = <Name extends RuleName>(name: Name) => ({ name, rule: rules[name] });
  const passwords = openPausesOfTwo(database, named("wrongPasswordByAccount"), named("wrongPasswordByAddress"), now);
  const keysOfPassword = (account: string, address: string): [string, string] => [
    hashedKey("wrongPasswordByAccount", account),
    hashedKey("wrongPasswordByAddress", address),
  ];
  const gate = openSharedGate(noLimit, { key: oneAtOnce });
  const inTurn = <Result>(rule: RuleName, key: string, work: (hashed: string) => Promise<Result>) => {
    const hashed = hashedKey(rule, key);
    return gate({ key: `${rule}:${hashed}` }, () => work(hashed));
  };
  // The key of an account contains its network.
  const passwordInTurn = <Result>(address: string, work: () => Promise<Result>) =>
    inTurn("wrongPasswordByAddress", address, work);
  const take = (rule: RuleName, key: string) => inTurn(rule, key, (hashed) => counters[rule].take(hashed));
  return {
    async consume(rule, key) {
      const waitMs = await take(rule, key);
      if (waitMs > 0) throw tooMany(waitMs);
    },
    async allows(rule, key) {
      return (await take(rule, key)) === 0;
    },
    async giveBack(rule, key) {
      await inTurn(rule, key, (hashed) => counters[rule].giveBack(hashed));
    },
    async clear(rule, key) {
      await inTurn(rule, key, (hashed) => counters[rule].clear(hashed));
    },
    async consumePassword(account, address) {
      const waitMs = await passwordInTurn(address, () => passwords.take(keysOfPassword(account, address)));
      if (waitMs > 0) throw tooMany(waitMs);
    },
    async forgivePassword(account, address) {
      await passwordInTurn(address, () => passwords.forgive(keysOfPassword(account, address)));
    },
  };
}

function openWindows(database: Database, name: string, { points, seconds }: WindowRule): Counter {
  const limiter = new RateLimiterPostgres({
    storeClient: database.$client,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false,
  });
  const consume = async (key: string) => {
    try {
      await limiter.consume(key);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  };
  return {
    async take(key) {
      const waitMs = await consume(key);
      if (waitMs <= seconds * 1000 + clocksDifferMs) return waitMs;
      // Counted while the clock was ahead: the wait would last until that time has come.
      await limiter.delete(key);
      return consume(key);
    },
    giveBack: (key) => limiter.reward(key),
    clear: (key) => limiter.delete(key),
  };
}

/** E-mail and network addresses are counted without being stored. */
function hashedKey(rule: RuleName, key: string): string {
  const counted = rule.endsWith("ByAddress") ? networkOf(key) : mailboxOf(key);
  return createHash("sha256").update(counted).digest("base64url").slice(0, 32);
}

/** An IPv6 host controls its whole /64, which therefore counts as one; an IPv4 address stays as it is. */
export function networkOf(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) return address;
  if (!("parts" in parsed)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

/**
 * The key for an account before the caller has proved to own it: the network is part of it, so that tries from
 * elsewhere don't count against the owner.
 */
export const accountFrom = (address: string, email: string) => `${email} ${networkOf(address)}`;

function tooMany(waitMs: number): Failure {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new Failure("too_many_requests", `Too many tries. Please wait ${inWords(retryAfterSeconds)} and try again.`, {
    retryAfterSeconds,
  });
}

function inWords(seconds: number): string {
  if (seconds === 1) return "a second";
  if (seconds < 90) return `${seconds} seconds`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

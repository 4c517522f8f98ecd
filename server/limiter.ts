import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./database/database.ts";
import { Failure } from "./errors.ts";

/** How often something may be done: `points` in `seconds`. */
export const rules = {
  loginByAddress: { points: 60, seconds: 600 },
  loginByAccount: { points: 10, seconds: 600 },
  otpByAddress: { points: 60, seconds: 600 },
  // Two such days may touch: 100 tries of a million codes are one chance in 10,000.
  otpByAccount: { points: 50, seconds: 86_400 },
  registrationByAddress: { points: 20, seconds: 3600 },
  registrationByAccount: { points: 5, seconds: 3600 },
  forgotByAddress: { points: 20, seconds: 3600 },
  forgotByAccount: { points: 3, seconds: 3600 },
  linkByAddress: { points: 60, seconds: 3600 },
  invitationByAccount: { points: 100, seconds: 3600 },
  passwordByAccount: { points: 10, seconds: 600 },
  estimateByAddress: { points: 30, seconds: 3600 },
  estimateByAccount: { points: 10, seconds: 3600 },
  priceByAddress: { points: 300, seconds: 60 },
  contactByAddress: { points: 10, seconds: 3600 },
  contactByAccount: { points: 5, seconds: 3600 },
  askGatewayByAttempt: { points: 20, seconds: 600 },
  refundHintByAddress: { points: 120, seconds: 600 },
  paymentByAccount: { points: 30, seconds: 600 },
} as const;
export type RuleName = keyof typeof rules;

/** Counts in PostgreSQL, so that a limit holds across all copies of the server. */
export interface Limiter {
  /** Counts one try. @throws Failure too_many_requests with the seconds to wait. */
  consume(rule: RuleName, key: string): Promise<void>;
  /** Takes back one try: counted before it was made, so that many at once can't slip by, and found to be no failure. */
  giveBack(rule: RuleName, key: string): Promise<void>;
  /** Forgets all tries. */
  clear(rule: RuleName, key: string): Promise<void>;
}

/** When the database can't be asked, the error passes through: nothing is let by uncounted. */
export function openLimiter(database: Database): Limiter {
  const limiters = Object.fromEntries(
    Object.entries(rules).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: database.$client,
        storeType: "pool",
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
        clearExpiredByTimeout: false,
      }),
    ]),
  ) as Record<RuleName, RateLimiterPostgres>;
  return {
    async consume(rule, key) {
      try {
        await limiters[rule].consume(unreadable(rule, key));
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      }
    },
    async giveBack(rule, key) {
      await limiters[rule].reward(unreadable(rule, key));
    },
    async clear(rule, key) {
      await limiters[rule].delete(unreadable(rule, key));
    },
  };
}

/** E-mails and addresses are counted without being kept. */
function unreadable(rule: RuleName, key: string): string {
  const counted = rule.endsWith("ByAddress") ? networkOf(key) : key.toLowerCase();
  return createHash("sha256").update(counted).digest("base64url").slice(0, 32);
}

/** An IPv6 host commands its whole /64, so that is counted as one; an IPv4 address stays as it is. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const filled =
    tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
  return `${filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

function tooMany({ msBeforeNext }: RateLimiterRes): Failure {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
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

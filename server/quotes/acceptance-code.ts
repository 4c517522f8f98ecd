import { createHmac, timingSafeEqual } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { deriveKey } from "../protection/tokens.ts";
import type { Services } from "../services.ts";

/** Whose code it is, and for what: of no use for anything else. */
export interface CodeFor {
  personId: string;
  quoteId: string;
  revision: number;
}

const windowMs = limits.otpMinutes * 60_000;

/**
 * The code that accepts one revision of a quote, as its person's mailbox gets it. It is good to the end of the span of
 * `otpMinutes` after the one in which it was made, and nothing is kept of it: a revision is accepted once, and tries are
 * counted (RFC 6238 with a longer step).
 */
export const acceptanceCode = (services: Services, codeFor: CodeFor) => codeIn(services, codeFor, windowOf(services));

export function isAcceptanceCode(services: Services, codeFor: CodeFor, code: string): boolean {
  const now = windowOf(services);
  const given = Buffer.from(code);
  return [now, now - 1].some((window) => {
    const right = Buffer.from(codeIn(services, codeFor, window));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

const windowOf = ({ now }: Services) => Math.floor(now().getTime() / windowMs);

function codeIn({ env }: Services, { personId, quoteId, revision }: CodeFor, window: number): string {
  const digest = createHmac("sha256", deriveKey(env.tokenSecret, "acceptance code"))
    .update(`${personId}:${quoteId}:${revision}:${window}`)
    .digest();
  return String(digest.readUIntBE(0, 6) % 10 ** limits.otpDigits).padStart(limits.otpDigits, "0");
}

import { createHmac } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { isSameSecret } from "../protection/is-same-secret.ts";
import { deriveKey } from "../protection/tokens.ts";
import type { Services } from "../services.ts";

/** The person and the quote revision that a code is for; it is valid for nothing else. */
export interface CodeFor {
  personId: string;
  quoteId: string;
  revision: number;
}

const windowMs = limits.otpMinutes * 60_000;

/**
 * The code that accepts one revision of a quote, mailed to the person. It is valid until the end of the `otpMinutes`
 * window after the one in which it was made, and is not stored: a revision is accepted once, and attempts are counted
 * (RFC 6238 with a longer step).
 */
export const acceptanceCode = (services: Services, codeFor: CodeFor) => codeIn(services, codeFor, windowOf(services));

export function isAcceptanceCode(services: Services, codeFor: CodeFor, code: string): boolean {
  const now = windowOf(services);
  return [now, now - 1].some((window) => isSameSecret(code, codeIn(services, codeFor, window)));
}

const windowOf = ({ now }: Services) => Math.floor(now().getTime() / windowMs);

function codeIn({ env }: Services, { personId, quoteId, revision }: CodeFor, window: number): string {
  const digest = createHmac("sha256", deriveKey(env.tokenSecret, "acceptance code"))
    .update(`${personId}:${quoteId}:${revision}:${window}`)
    .digest();
  return String(digest.readUIntBE(0, 6) % 10 ** limits.otpDigits).padStart(limits.otpDigits, "0");
}

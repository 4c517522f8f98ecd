import { createHmac, timingSafeEqual } from "node:crypto";
import { canBeTurnedOff, type MailChoice } from "../../contract/mail-kinds.ts";
import { isUuid } from "../database/is-uuid.ts";
import { deriveKey } from "../protection/tokens.ts";

/** What the address in a mail turns off, and for whom. */
export interface Unsubscribing {
  personId: string;
  kind: MailChoice;
}

/**
 * The token of the address by which a mail's receiver turns its kind off, signed out too. It never expires, as the mail
 * stays; all that it can do is turn one kind of mail off for one person.
 */
export function unsubscribeToken(secret: string, { personId, kind }: Unsubscribing): string {
  return `${kind}.${personId}.${signatureOf(secret, personId, kind)}`;
}

/** Whom and what a token is for; null for one that we did not sign. */
export function readUnsubscribeToken(secret: string, token: string): Unsubscribing | null {
  const [kind = "", personId = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !canBeTurnedOff(kind) || !isUuid(personId)) return null;
  const [given, own] = [Buffer.from(signature), Buffer.from(signatureOf(secret, personId, kind))];
  return given.length === own.length && timingSafeEqual(given, own) ? { personId, kind } : null;
}

const signatureOf = (secret: string, personId: string, kind: string) =>
  createHmac("sha256", deriveKey(secret, "unsubscribe")).update(`${kind} ${personId}`).digest("base64url");

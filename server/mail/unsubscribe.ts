import { createHmac } from "node:crypto";
import { canBeTurnedOff, type MailChoice } from "../../contract/mail-kinds.ts";
import { isUuid } from "../database/is-uuid.ts";
import { isSameSecret } from "../protection/is-same-secret.ts";
import { deriveKey } from "../protection/tokens.ts";

/** Which kind of mail a link turns off, and for whom. */
export interface Unsubscribing {
  personId: string;
  kind: MailChoice;
}

/**
 * The token in the link that turns a mail's kind off, without signing in. It never expires, because the mail stays, and
 * can do nothing else than turn one kind of mail off for one person.
 */
export function unsubscribeToken(secret: string, { personId, kind }: Unsubscribing): string {
  return `${kind}.${personId}.${signatureOf(secret, personId, kind)}`;
}

/** The person and kind of a token; null if we did not sign it. */
export function readUnsubscribeToken(secret: string, token: string): Unsubscribing | null {
  const [kind = "", personId = "", signature = "", ...more] = token.split(".");
  if (more.length > 0 || !canBeTurnedOff(kind) || !isUuid(personId)) return null;
  return isSameSecret(signature, signatureOf(secret, personId, kind)) ? { personId, kind } : null;
}

const signatureOf = (secret: string, personId: string, kind: string) =>
  createHmac("sha256", deriveKey(secret, "unsubscribe")).update(`${kind} ${personId}`).digest("base64url");

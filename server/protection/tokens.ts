import { createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { jwtVerify, type JWTPayload, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { SessionClaims } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";

const algorithm = "HS256";
const publicAudience = "prahari-public";
const secretLengthMin = 32;
const sessionAudience = "prahari-session";
// jose takes a few forms that RFC 7515 does not: only plain base64url is let through.
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * A key for one purpose, so that what is signed for one can't be used for another.
 * @throws Error for a secret that is too short, however it came about: everybody could sign with it
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret.length < secretLengthMin) throw new Error("The secret to sign with is too short");
  return createHmac("sha256", secret).update(`prahari:${purpose}`).digest();
}

/** A token that is good for the public and the sign-in calls only. */
export function signPublicToken(secret: string, now: Date): Promise<string> {
  return new SignJWT({ typ: "public" })
    .setProtectedHeader({ alg: algorithm })
    .setAudience(publicAudience)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(secondsOf(now) + limits.publicTokenMinutes * 60)
    .sign(tokenKey(secret, "public token"));
}

export function signSessionToken(secret: string, claims: Omit<SessionClaims, "typ">, now: Date): Promise<string> {
  return new SignJWT({ ...claims, typ: "session" })
    .setProtectedHeader({ alg: algorithm })
    .setAudience(sessionAudience)
    .setIssuedAt(now)
    .sign(tokenKey(secret, "session token"));
}

/** The `jti` of a public token that is whole and in time. */
export async function readPublicToken(secret: string, token: string, now: Date): Promise<string | null> {
  const claims = await verify(token, tokenKey(secret, "public token"), publicAudience, now);
  return claims?.jti ?? null;
}

/** The claims of a session token that is whole and in time; whether the session still lives is for the database to say. */
export async function readSessionToken(secret: string, token: string, now: Date): Promise<SessionClaims | null> {
  const claims = SessionClaims.safeParse(await verify(token, tokenKey(secret, "session token"), sessionAudience, now));
  return claims.success ? claims.data : null;
}

const keys = new Map<string, KeyObject>();

/** The same object each time: jose keeps what it makes of a KeyObject, and would import bytes anew for every token. */
function tokenKey(secret: string, purpose: "public token" | "session token"): KeyObject {
  const name = `${purpose} ${secret}`;
  const known = keys.get(name) ?? createSecretKey(deriveKey(secret, purpose));
  keys.set(name, known);
  return known;
}

/** What a key has signed lately, so that the calls of one session cost one check of its signature. */
const verified = new WeakMap<KeyObject, LRUCache<string, JWTPayload>>();
const verifiedMax = 5000;

async function verify(token: string, key: KeyObject, audience: string, now: Date): Promise<JWTPayload | null> {
  const ofKey = verified.get(key) ?? new LRUCache({ max: verifiedMax });
  verified.set(key, ofKey);
  const claims = ofKey.get(token) ?? (await verifyAnew(token, key, audience, now));
  if (!claims?.exp || claims.exp <= secondsOf(now)) return null;
  ofKey.set(token, claims);
  return claims;
}

async function verifyAnew(token: string, key: KeyObject, audience: string, now: Date): Promise<JWTPayload | null> {
  if (!compactForm.test(token)) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      currentDate: now,
      requiredClaims: ["exp", "iat"],
    });
    return payload;
  } catch {
    return null;
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

import { createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { jwtVerify, type JWTPayload, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { SessionClaims } from "../../contract/accounts.ts";
import { limits } from "../../contract/limits.ts";

const algorithm = "HS256";
const publicAudience = "prahari-public";
const secretLengthMin = 32;
const sessionAudience = "prahari-session";
// jose accepts some forms that RFC 7515 does not: only plain base64url is let through.
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Derives a key for one purpose, so that a signature for one purpose is not valid for another.
 * @throws Error for a secret that is too short, for whatever reason: anybody could guess it and sign
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret.length < secretLengthMin) throw new Error("The secret to sign with is too short");
  return createHmac("sha256", secret).update(`prahari:${purpose}`).digest();
}

/** A token for public and sign-in calls only. */
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

/** The `jti` of a valid, unexpired public token; null for any other. */
export async function readPublicToken(secret: string, token: string, now: Date): Promise<string | null> {
  const claims = await verify(token, tokenKey(secret, "public token"), publicAudience, now);
  return claims?.jti ?? null;
}

/**
 * The claims of a valid, unexpired session token; whether the session still exists has to be checked in the database.
 */
export async function readSessionToken(secret: string, token: string, now: Date): Promise<SessionClaims | null> {
  const claims = SessionClaims.safeParse(await verify(token, tokenKey(secret, "session token"), sessionAudience, now));
  return claims.success ? claims.data : null;
}

const keys = new Map<string, KeyObject>();

/**
 * The same KeyObject each time: jose caches what it derives from one, and would import raw bytes again for every token.
 */
function tokenKey(secret: string, purpose: "public token" | "session token"): KeyObject {
  const name = `${purpose} ${secret}`;
  const known = keys.get(name) ?? createSecretKey(deriveKey(secret, purpose));
  keys.set(name, known);
  return known;
}

/** Recently verified tokens by key, so that the calls of one session cost a single signature check. */
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

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { EngineKey } from "../settings/engine-keys.ts";
import type { Env } from "../settings/env.ts";
import { deriveKey } from "./tokens.ts";

const algorithm = "aes-256-gcm";

/**
 * The keys that seal credentials, the one in use first. With the bundled database they can be sealed by the generated
 * secret, which is in its backups; with the operator's own database only by ENGINES_KEY, which is never stored beside
 * what it seals.
 */
export function sealingKeys(env: Pick<Env, "engineKeys" | "databaseUrl" | "demo" | "tokenSecret">): EngineKey[] {
  const isOwn = env.databaseUrl === null || env.demo;
  return [...env.engineKeys, ...(isOwn ? [localKey(env.tokenSecret)] : [])];
}

/** The key used without an ENGINES_KEY; if the token secret is lost, so is what it sealed. */
export const localKey = (tokenSecret: string): EngineKey => ({
  name: ".local",
  key: deriveKey(tokenSecret, "engines"),
});

/**
 * Encrypts a secret so that it can only be decrypted with the same `whose`: copied to another row, it is worthless.
 * @throws Error without a key
 */
export function seal(keys: readonly EngineKey[], secret: string, whose: string): string {
  const [used] = keys;
  if (!used) throw new Error("There is no key to seal with");
  const start = randomBytes(12);
  const cipher = createCipheriv(algorithm, used.key, start).setAAD(Buffer.from(whose));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return ["v1", used.name, start.toString("base64url"), sealed.toString("base64url")].join("|");
}

/** Decrypts a secret; null where its key is missing, or the text or `whose` does not match. */
export function unseal(keys: readonly EngineKey[], sealed: string, whose: string): string | null {
  const [version, name, start = "", text = ""] = sealed.split("|");
  const used = keys.find((key) => key.name === name);
  if (version !== "v1" || !used) return null;
  const bytes = Buffer.from(text, "base64url");
  try {
    const decipher = createDecipheriv(algorithm, used.key, Buffer.from(start, "base64url"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(whose)).setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** Whether the key in use now sealed it. */
export const isSealedByFirst = ([used]: readonly EngineKey[], sealed: string) => sealed.split("|")[1] === used?.name;

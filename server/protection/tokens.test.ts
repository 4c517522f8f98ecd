import { base64url, SignJWT } from "jose";
import { createHmac, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deriveKey, readPublicToken, readSessionToken, signPublicToken, signSessionToken } from "./tokens.ts";

const secret = "a secret of the tests, long enough for it";
const now = new Date("2026-11-21T09:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const exp = now.getTime() / 1000 + 12 * 3600;
const claims = { role: "user" as const, email: "asha@example.in", sub: randomUUID(), sid: randomUUID(), exp };
const session = () => signSessionToken(secret, claims, now);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const parts = async () => (await session()).split(".") as [string, string, string];
const sign = (input: string, key: Uint8Array) => createHmac("sha256", key).update(input).digest("base64url");

test("a session token carries role, e-mail, person, session and end", async () => {
  const token = await session();
  expect(await readSessionToken(secret, token, now)).toMatchObject({ ...claims, typ: "session" });
  const [, payload] = token.split(".");
  expect(JSON.parse(Buffer.from(payload ?? "", "base64url").toString())).toMatchObject(claims);
});

test("a session token ends when it says", async () => {
  const token = await session();
  expect(await readSessionToken(secret, token, later(12 * 3600 - 1))).not.toBeNull();
  expect(await readSessionToken(secret, token, later(12 * 3600 + 1))).toBeNull();
});

test("a public token is good for ten minutes, and each one is new", async () => {
  const token = await signPublicToken(secret, now);
  expect(await readPublicToken(secret, token, later(599))).toMatch(/^[\da-f-]{36}$/);
  expect(await readPublicToken(secret, token, later(601))).toBeNull();
  expect(await signPublicToken(secret, now)).not.toBe(token);
});

test("a public token is no session token, nor the other way round", async () => {
  expect(await readSessionToken(secret, await signPublicToken(secret, now), now)).toBeNull();
  expect(await readPublicToken(secret, await session(), now)).toBeNull();
});

test("a token signed for another purpose or under another secret is refused", async () => {
  expect(await readSessionToken("another secret of the tests, long too", await session(), now)).toBeNull();
  const signedAs = (key: Uint8Array, audience: string, typ: string) =>
    new SignJWT({ ...claims, typ })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience(audience)
      .setIssuedAt(now)
      .sign(key);
  const key = deriveKey(secret, "session token");
  expect(await readSessionToken(secret, await signedAs(key, "prahari-session", "session"), now)).not.toBeNull();
  expect(
    await readSessionToken(
      secret,
      await signedAs(deriveKey(secret, "public token"), "prahari-session", "session"),
      now,
    ),
  ).toBeNull();
  expect(await readSessionToken(secret, await signedAs(key, "prahari-public", "session"), now)).toBeNull();
  expect(await readSessionToken(secret, await signedAs(key, "prahari-session", "public"), now)).toBeNull();
  expect(
    await readSessionToken(secret, await signedAs(base64url.decode(encode(secret)), "prahari-session", "session"), now),
  ).toBeNull();
});

test.each(["none", "None", "NONE", "HS384", "HS512", "RS256"])(
  "a token that asks for the algorithm %s is refused",
  async (alg) => {
    const [, payload, signature] = await parts();
    const header = encode({ alg, typ: "JWT" });
    const key = deriveKey(secret, "session token");
    for (const forged of ["", signature, sign(`${header}.${payload}`, key)])
      expect(await readSessionToken(secret, `${header}.${payload}.${forged}`, now)).toBeNull();
  },
);

test("a key that the token brings along or points to is not used", async () => {
  const [, payload] = await parts();
  const own = Buffer.from("the attacker's own key of 32 byte");
  for (const more of [
    { jwk: { kty: "oct", k: own.toString("base64url") } },
    { jku: "https://attacker.example/keys" },
    { kid: "../../dev/null" },
  ]) {
    const header = encode({ alg: "HS256", ...more });
    for (const key of [own, Buffer.alloc(0)])
      expect(
        await readSessionToken(secret, `${header}.${payload}.${sign(`${header}.${payload}`, key)}`, now),
      ).toBeNull();
  }
});

test("a changed payload or a cut signature is refused", async () => {
  const [header, payload, signature] = await parts();
  const promoted = encode({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), role: "admin" });
  expect(await readSessionToken(secret, `${header}.${promoted}.${signature}`, now)).toBeNull();
  expect(await readSessionToken(secret, `${header}.${payload}.${signature.slice(0, -2)}`, now)).toBeNull();
  expect(await readSessionToken(secret, `${header}.${payload}.`, now)).toBeNull();
});

test.each([
  ["a space before", (token: string) => ` ${token}`],
  ["a line break after", (token: string) => `${token}\n`],
  ["padding", (token: string) => `${token}=`],
  ["a space inside", (token: string) => token.replace(".", " .")],
  ["plain base64", (token: string) => token.replaceAll("-", "+").replaceAll("_", "/") + "/"],
  ["a fourth part", (token: string) => `${token}.x`],
  ["nothing", () => ""],
])("the same token with %s is refused", async (_what, change) => {
  expect(await readSessionToken(secret, change(await session()), now)).toBeNull();
});

test("a token without an end, or with claims of another kind, is refused", async () => {
  const key = deriveKey(secret, "session token");
  const signed = (payload: Record<string, unknown>) =>
    new SignJWT({ typ: "session", ...payload })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience("prahari-session")
      .setIssuedAt(now)
      .sign(key);
  const { exp: _end, ...endless } = claims;
  expect(await readSessionToken(secret, await signed(endless), now)).toBeNull();
  expect(await readSessionToken(secret, await signed({ ...claims, role: "owner" }), now)).toBeNull();
  expect(await readSessionToken(secret, await signed({ ...claims, sid: "1" }), now)).toBeNull();
});

test.each(["", "short", "a".repeat(31)])("nothing is signed or read with %j: everybody could", async (short) => {
  expect(() => signPublicToken(short, now)).toThrow(/too short/);
  expect(() => signSessionToken(short, claims, now)).toThrow(/too short/);
  await expect(readSessionToken(short, await session(), now)).rejects.toThrow(/too short/);
  await expect(readPublicToken(short, await session(), now)).rejects.toThrow(/too short/);
  expect(() => deriveKey(short, "file address")).toThrow(/too short/);
});

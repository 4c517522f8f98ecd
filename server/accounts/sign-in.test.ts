import { eq } from "drizzle-orm";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customer, password, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { auditEntries, people, rateLimits, sessions, signInCodes } from "../database/schema/index.ts";
import { applyRetention } from "../retention.ts";
import { readSessionToken } from "../tokens.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { trustProxy: 1 } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const registered = async () => {
  const form = registration();
  await server.call("auth/register", form);
  return form;
};
const codeMailed = async (email: string) =>
  /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
const withCode = async () => {
  const { email } = await registered();
  expect((await server.call("auth/login", { email, password })).status).toBe(200);
  return { email, otp: await codeMailed(email) };
};
const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, "0");
const from = (address: string) => ({ "x-forwarded-for": address });

test("a password and the mailed code give a session of twelve hours", async () => {
  const { email, otp } = await withCode();
  const { status, body } = await server.call("auth/verify-otp", { email: email.toUpperCase(), otp: ` ${otp} ` });
  expect(status).toBe(200);
  const claims = await readSessionToken(server.services.env.tokenSecret, body.token, server.services.now());
  expect(claims).toMatchObject({ role: "user", email });
  expect((claims?.exp ?? 0) - server.services.now().getTime() / 1000).toBeCloseTo(12 * 3600, -2);
  expect((await server.call("user/me", {}, body.token)).status).toBe(200);
});

test("a quote that was asked for before registering is the customer's after the first sign-in", async () => {
  const form = registration();
  expect((await server.send("estimator", quoteRequest({ userEmail: form.email }))).status).toBe(201);
  const { token } = await customer(server, form);
  const { body } = await server.call("user/get-estimation", {}, token);
  expect(body.estimation).toHaveLength(1);
});

test("unknown e-mail, wrong password, suspended and invited people get one and the same answer", async () => {
  const { database } = server.services;
  const [wrongOne, suspended, invited] = [await registered(), await registered(), await registered()];
  await database.update(people).set({ suspendedAt: new Date() }).where(eq(people.email, suspended.email));
  await database.update(people).set({ passwordHash: null }).where(eq(people.email, invited.email));
  const answers = [
    await server.call("auth/login", { email: "nobody@example.in", password }),
    await server.call("auth/login", { email: wrongOne.email, password: "x" }),
    await server.call("auth/login", { email: suspended.email, password }),
    await server.call("auth/login", { email: invited.email, password }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual({ error: messages.invalidCredentials, code: "wrong_password" });
  }
});

test("a code for an unknown e-mail is refused like a wrong one", async () => {
  const { email, otp } = await withCode();
  const unknown = await server.call("auth/verify-otp", { email: "nobody@example.in", otp });
  const known = await server.call("auth/verify-otp", { email, otp: wrong(otp) });
  expect(unknown.status).toBe(401);
  expect(unknown.body).toEqual({ error: messages.invalidOtp, code: "wrong_password" });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
});

test("a code works once, and an expired one not at all", async () => {
  const { email, otp } = await withCode();
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(200);
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
  const late = await withCode();
  server.passTime(10 * 60 + 1);
  expect((await server.call("auth/verify-otp", late)).status).toBe(401);
});

test("a new code takes the place of the old one", async () => {
  const { email, otp } = await withCode();
  await server.call("auth/login", { email, password });
  const newer = await codeMailed(email);
  // Once in a million times both are the same.
  const old = newer === otp ? wrong(otp) : otp;
  expect((await server.call("auth/verify-otp", { email, otp: old })).status).toBe(401);
  expect((await server.call("auth/verify-otp", { email, otp: newer })).status).toBe(200);
});

test("after five wrong tries the right code is refused too, until a new one is asked for", async () => {
  const { email, otp } = await withCode();
  for (let tried = 0; tried < 5; tried++)
    expect((await server.call("auth/verify-otp", { email, otp: wrong(otp) })).status).toBe(401);
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
  expect(await signIn(server, email)).toMatch(/^ey/);
});

test("100 submits of the right code at once open one session", async () => {
  const { email, otp } = await withCode();
  const token = await server.publicToken();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, host) =>
      server.send("auth/verify-otp", { email, otp }, token, from(`203.0.113.${host}`)),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const [person] = await server.services.database.select().from(people).where(eq(people.email, email));
  expect(await server.services.database.$count(sessions, eq(sessions.personId, person?.id ?? ""))).toBe(1);
});

test("of 60 guesses at once at most five are compared, from wherever they come", async () => {
  const { email, otp } = await withCode();
  const token = await server.publicToken();
  await Promise.all(
    Array.from({ length: 60 }, (_, host) =>
      server.send("auth/verify-otp", { email, otp: wrong(otp) }, token, from(`198.51.100.${host}`)),
    ),
  );
  const [person] = await server.services.database.select().from(people).where(eq(people.email, email));
  const [code] = await server.services.database
    .select()
    .from(signInCodes)
    .where(eq(signInCodes.personId, person?.id ?? ""));
  expect(code).toMatchObject({ wrongTries: 5, usedAt: null });
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
});

test("an account's codes can be guessed at fifty times a day; without a living code no guess counts", async () => {
  const { email } = await registered();
  const token = await server.publicToken();
  let hosts = 0;
  const tryCode = (otp: string) => server.send("auth/verify-otp", { email, otp }, token, from(`192.0.2.${++hosts}`));
  for (let tried = 0; tried < 60; tried++) expect((await tryCode("000000")).status).toBe(401);
  for (let codes = 0; codes < 10; codes++) {
    await server.call("auth/login", { email, password });
    const otp = await codeMailed(email);
    for (let tried = 0; tried < 5; tried++) expect((await tryCode(wrong(otp))).status).toBe(401);
  }
  await server.call("auth/login", { email, password });
  const refused = await tryCode(await codeMailed(email));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
});

test("ten wrong passwords from one address are enough; the owner elsewhere is not locked out", async () => {
  const { email } = await registered();
  const token = await server.publicToken();
  const login = (secret: string, address: string) =>
    server.send("auth/login", { email, password: secret }, token, from(address));
  const guesses = await Promise.all(Array.from({ length: 30 }, () => login("wrong password!", "198.51.100.7")));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
  const refused = await login(password, "198.51.100.7");
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    code: "too_many_requests",
    error: expect.stringMatching(/Please wait \d+ (minutes|seconds)/),
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await login(password, "203.0.113.50")).status).toBe(200);
});

test("right passwords do not use up the tries of an account", async () => {
  const { email } = await registered();
  for (let tried = 0; tried < 12; tried++)
    expect((await server.call("auth/login", { email, password })).status).toBe(200);
});

test("a forged X-Forwarded-For escapes no limit", async () => {
  const token = await server.publicToken();
  const login = (forged: string) =>
    server.send(
      "auth/login",
      { email: `nobody-${forged}@example.in`, password },
      token,
      from(`${forged}, 203.0.113.99`),
    );
  const answers = await Promise.all(Array.from({ length: 70 }, (_, host) => login(`10.0.0.${host}`)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

test("500 sign-ins at once are answered or turned away, none fails", async () => {
  const { email } = await registered();
  const token = await server.publicToken();
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, host) =>
      server.send("auth/login", { email, password: "wrong password!" }, token, from(`10.9.${host >> 8}.${host & 255}`)),
    ),
  );
  const byStatus = Object.groupBy(answers, ({ status }) => String(status));
  expect(Object.keys(byStatus).toSorted()).toEqual(["401", "503"]);
  expect(byStatus["503"]?.every(({ headers }) => headers.get("retry-after") === "5")).toBe(true);
});

test("a signed-out token is refused on its next request, another session lives on", async () => {
  const { email, token } = await customer(server);
  const other = await signIn(server, email);
  expect((await server.call("auth/logout", {}, token)).body).toEqual({ message: "You are signed out." });
  const refused = await server.call("user/me", {}, token);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect((await server.call("auth/logout", {}, token)).status).toBe(401);
  expect((await server.call("user/me", {}, other)).status).toBe(200);
});

test("a session ends after twelve hours, and at once when its person is suspended", async () => {
  const first = await customer(server);
  server.passTime(12 * 3600 + 1);
  expect((await server.call("user/me", {}, first.token)).status).toBe(401);
  const second = await customer(server);
  await server.services.database.update(people).set({ suspendedAt: new Date() }).where(eq(people.email, second.email));
  expect((await server.call("user/me", {}, second.token)).status).toBe(401);
});

test("a changed role counts at once", async () => {
  const { email, token } = await customer(server);
  expect((await server.call("user/get-estimation", {}, token)).status).toBe(200);
  await server.services.database.update(people).set({ role: "partner" }).where(eq(people.email, email));
  expect((await server.call("user/get-estimation", {}, token)).status).toBe(403);
  expect((await server.call("user/me", {}, token)).body.user.role).toBe("partner");
});

test.each(["user/me", "auth/logout", "auth/change-password"] as const)("%s refuses a visitor", async (name) => {
  expect((await server.send(name, {})).status).toBe(401);
  expect((await server.send(name, {}, null)).status).toBe(401);
});

test("signing in takes a public token, neither none nor a session", async () => {
  const { email, token } = await customer(server);
  expect((await server.call("auth/login", { email, password }, null)).status).toBe(401);
  expect((await server.call("auth/login", { email, password }, token)).status).toBe(403);
});

test.each([
  ["auth/login", { email: "asha@example.in" }, "password"],
  ["auth/login", { email: "asha@example.in", password: "" }, "password"],
  ["auth/login", { email: "asha@example.in", password: { $ne: "" } }, "password"],
  ["auth/login", { email: "not an address", password: "x" }, "email"],
  ["auth/verify-otp", { email: "asha@example.in", otp: "12345" }, "otp"],
  ["auth/verify-otp", { email: "asha@example.in", otp: "1234567" }, "otp"],
  ["auth/verify-otp", { email: "asha@example.in", otp: "१२३४५६" }, "otp"],
  ["auth/verify-otp", { email: "asha@example.in", otp: 123_456 }, "otp"],
])("%s with %j is refused on its field", async (name, input, field) => {
  const { status, body } = await server.send(name, input);
  expect(status).toBe(422);
  expect(Object.keys(body.fields ?? {})).toEqual([field]);
});

test("sign-ins and refusals are noted, and no secret is in log, audit or database", async () => {
  const { email, otp } = await withCode();
  await server.call("auth/login", { email, password: "my wrong secret 1" });
  await server.call("auth/verify-otp", { email, otp: wrong(otp) });
  const { body } = await server.call("auth/verify-otp", { email, otp });
  const [person] = await server.services.database.select().from(people).where(eq(people.email, email));
  const audited = await server.services.database.select().from(auditEntries).orderBy(auditEntries.id);
  const actions = audited
    .filter(({ subject, actorId }) => subject === `person:${person?.id}` || actorId === person?.id)
    .map(({ action }) => action);
  expect(actions).toEqual(["register", "refuse password", "refuse code", "sign-in"]);
  const codes = await server.services.database.select().from(signInCodes);
  const kept = JSON.stringify([audited, codes, server.log]);
  for (const secret of [password, "my wrong secret 1", `"${otp}"`, body.token, email])
    expect(kept).not.toContain(secret);
  expect(kept).not.toContain(createHash("sha256").update(otp).digest("hex"));
  expect(server.log.some((line) => line.includes("refuse password") && line.includes(person?.id ?? "-"))).toBe(true);
});

test("codes and counters that are of no use any more are deleted, those that live stay", async () => {
  const { database } = server.services;
  const old = await withCode();
  server.passTime(26 * 3600);
  const live = await withCode();
  await database.update(rateLimits).set({ expire: Date.now() - 1000 });
  await applyRetention(server.services);
  const emails = (
    await database
      .select({ email: people.email })
      .from(signInCodes)
      .innerJoin(people, eq(people.id, signInCodes.personId))
  ).map(({ email }) => email);
  expect(emails).toContain(live.email);
  expect(emails).not.toContain(old.email);
  expect(await database.$count(rateLimits)).toBe(0);
});

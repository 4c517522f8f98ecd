import { eq } from "drizzle-orm";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customer, password, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { auditEntries, people, rateLimits, sessions, signInCodes } from "../database/schema/index.ts";
import { applyRetention } from "../upkeep/retention.ts";
import { accountFrom, rules } from "../protection/limiter.ts";
import { readSessionToken } from "../protection/tokens.ts";

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
const anotherToken = async () => (await server.call("generate-token", undefined, null)).body.token;
const codeOf = async (email: string) => {
  const [found] = await server.services.database
    .select()
    .from(signInCodes)
    .innerJoin(people, eq(people.id, signInCodes.personId))
    .where(eq(people.email, email));
  return found?.sign_in_codes;
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

test("unknown e-mail, wrong password and invited people get one and the same answer, and so do the suspended without theirs", async () => {
  const { database } = server.services;
  const [wrongOne, suspended, invited] = [await registered(), await registered(), await registered()];
  await database.update(people).set({ suspendedAt: new Date() }).where(eq(people.email, suspended.email));
  await database.update(people).set({ joinedAt: null }).where(eq(people.email, invited.email));
  const answers = [
    await server.call("auth/login", { email: "nobody@example.in", password }),
    await server.call("auth/login", { email: wrongOne.email, password: "x" }),
    await server.call("auth/login", { email: suspended.email, password: "x" }),
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
  // Once in a million times both codes are the same.
  const old = newer === otp ? wrong(otp) : otp;
  expect((await server.call("auth/verify-otp", { email, otp: old })).status).toBe(401);
  expect((await server.call("auth/verify-otp", { email, otp: newer })).status).toBe(200);
});

test("after five wrong tries with the token that asked, the right code is refused too, until a new one is asked for", async () => {
  const { email, otp } = await withCode();
  for (let tried = 0; tried < 5; tried++)
    expect((await server.call("auth/verify-otp", { email, otp: wrong(otp) })).status).toBe(401);
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
  // The code is void, not only this way to bring it.
  expect((await server.send("auth/verify-otp", { email, otp }, await anotherToken())).status).toBe(401);
  expect(await signIn(server, email)).toMatch(/^ey/);
});

describe("Strangers who know the e-mail and nothing else", () => {
  const strangers = async (
    email: string,
    otp: string,
    count: number,
    address = (host: number) => `203.0.113.${host}`,
  ) => {
    const token = await anotherToken();
    return Promise.all(
      Array.from({ length: count }, (_, host) =>
        server.send("auth/verify-otp", { email, otp }, token, from(address(host))),
      ),
    );
  };
  const nearby = () => "198.51.100.7";

  it.each([
    ["elsewhere", undefined],
    ["in the owner's own network", nearby],
  ])(
    "%s may submit 120 codes at once without one being asked for: the owner's next code opens",
    async (_where, address) => {
      const { email } = await registered();
      const answers = await strangers(email, "000000", 120, address);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(0);
      const own = await server.publicToken();
      expect((await server.send("auth/login", { email, password }, own, from(nearby()))).status).toBe(200);
      const otp = await codeMailed(email);
      expect((await server.send("auth/verify-otp", { email, otp }, own, from(nearby()))).status).toBe(200);
    },
  );

  it.each([
    ["elsewhere", undefined],
    ["in the owner's own network", nearby],
  ])(
    "%s may submit 120 codes while one is living: five are compared, and the owner's opens all the same",
    async (_where, address) => {
      const { email, otp } = await withCode();
      await strangers(email, wrong(otp), 120, address);
      expect(await codeOf(email)).toMatchObject({ wrongTries: 0, wrongTriesElsewhere: 5, usedAt: null });
      // Codes from elsewhere are refused now, even the right one.
      expect((await strangers(email, otp, 1, () => "203.0.113.200")).map(({ status }) => status)).toEqual([401]);
      const own = await server.publicToken();
      expect((await server.send("auth/verify-otp", { email, otp }, own, from(nearby()))).status).toBe(200);
    },
  );

  it("are stopped by their address, in whatever network of 2^64 addresses", async () => {
    const { email } = await registered();
    const answers = [];
    for (let turn = 0; turn < 7; turn++)
      answers.push(...(await strangers(email, "000000", 10, (host) => `2001:db8:1:2::${turn}${host}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it("may guess twenty times a day in all, by another token than the one that asked", async () => {
    const { email } = await registered();
    for (let codes = 0; codes < 6; codes++) {
      await server.call("auth/login", { email, password });
      await strangers(email, wrong(await codeMailed(email)), 5);
    }
    expect(await codeOf(email)).toMatchObject({ wrongTriesElsewhereOfDay: 20, wrongTriesOfDay: 0, codesOfDay: 6 });
    expect(await signIn(server, email)).toMatch(/^ey/);
    server.passTime(24 * 3600 + 1);
    await server.call("auth/login", { email, password });
    expect((await strangers(email, await codeMailed(email), 1)).map(({ status }) => status)).toEqual([200]);
  });
});

describe("Strangers who type somebody's e-mail into a form", () => {
  const contact = (email: string) => ({
    userName: "Asha Rao",
    userEmail: email,
    phone: "9876543210",
    organization: "Kaveri Textiles",
    organizationSize: 120,
    message: "Please call in the morning.",
  });

  it.each([
    ["auth/register", (email: string) => registration({ email }), 201],
    ["contact", contact, 200],
    ["estimator", (email: string) => quoteRequest({ userEmail: email }), 201],
    ["auth/login", (email: string) => ({ email, password: "wrong password!" }), 401],
  ] as const)("by %s are stopped where they are, and not the owner elsewhere", async (name, form, done) => {
    const { email } = registration();
    const token = await server.publicToken();
    const send = (address: string) => server.send(name, form(email), token, from(address));
    const statuses = [];
    for (let sent = 0; sent < 12; sent++) statuses.push((await send("198.51.100.7")).status);
    expect(new Set(statuses)).toEqual(new Set([done, 429]));
    expect((await send("203.0.113.50")).status).toBe(done);
  });

  it("by the estimator do not stop the owner who is signed in, in the same network neither", async () => {
    const { email, token } = await customer(server);
    for (let sent = 0; sent < 12; sent++) await server.call("estimator", quoteRequest({ userEmail: email }));
    expect((await server.call("estimator", quoteRequest({ userEmail: email }))).status).toBe(429);
    expect((await server.call("estimator", quoteRequest(), token)).status).toBe(201);
  });

  it("by registering get the mailbox five mails an hour, whatever networks they come from", async () => {
    const { email } = await customer(server);
    await server.services.database.delete(rateLimits);
    const token = await server.publicToken();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, host) =>
        server.send("auth/register", registration({ email }), token, from(`192.0.2.${host}`)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    await jobsDone(server, "send-mail");
    const told = server.mailbox.mails.filter(
      ({ to, subject }) => to?.[0]?.address === email && /already have/i.test(subject ?? ""),
    );
    expect(told).toHaveLength(5);
  });
});

test("codes for registrations of one mailbox, however its address is spelt, are counted together for one network", async () => {
  const { limiter } = server.services;
  const token = await server.publicToken();
  const spelt = (label: string) => registration().email.replace(/.*(?=@)/, `asha-of-plus${label}`);
  for (const label of ["", "+one"]) await server.call("auth/register", registration({ email: spelt(label) }));
  const ask = (label: string, address: string) =>
    server.send("auth/login", { email: spelt(label), password }, token, from(address));
  expect((await ask("", "198.51.100.9")).status).toBe(200);
  for (let sent = 1; sent < rules.codeByUnproved.points; sent++)
    await limiter.consume("codeByUnproved", accountFrom("198.51.100.9", spelt("")));
  expect((await ask("+one", "198.51.100.9")).status).toBe(429);
  expect((await ask("+one", "203.0.113.77")).status).toBe(200);
});

test("a client that verifies with another public token than it asked with is let in", async () => {
  const { email, otp } = await withCode();
  expect((await server.call("auth/verify-otp", { email, otp }, await anotherToken())).status).toBe(200);
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
  expect(await codeOf(email)).toMatchObject({ wrongTries: 5, usedAt: null });
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
});

test("who knows the password can guess thirty codes a day; then the mailbox is needed, which opens at once", async () => {
  const { email } = await customer(server);
  const token = await anotherToken();
  let hosts = 0;
  const guess = (otp: string) => server.send("auth/verify-otp", { email, otp }, token, from(`192.0.2.${++hosts}`));
  const login = () => server.send("auth/login", { email, password }, token, from(`192.0.2.${++hosts}`));
  for (let codes = 0; codes < 6; codes++) {
    expect((await login()).status).toBe(200);
    const otp = await codeMailed(email);
    for (let tried = 0; tried < 5; tried++) expect((await guess(wrong(otp))).status).toBe(401);
  }
  for (let asked = 0; asked < 8; asked++) {
    const refused = await login();
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining("Forgot Password")]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
  }
  expect(await codeOf(email)).toMatchObject({ wrongTriesOfDay: 30, codesOfDay: 7 });
  await server.call("auth/forgot-password", { email });
  const secret = /#token=([\w-]+)/.exec((await server.mailbox.take(email, /set a new/i)).text ?? "")?.[1] ?? "";
  const newPassword = "seven blue tables 77";
  await server.call("auth/reset-password", { token: secret, newPassword, confirmPassword: newPassword });
  expect(await signIn(server, email, newPassword)).toMatch(/^ey/);
});

test("of many codes asked for at once no more are mailed than a day allows", async () => {
  const { email } = await withCode();
  await server.services.database.update(signInCodes).set({ codesOfDay: 58 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => server.call("auth/login", { email, password })));
  expect(
    answers
      .map(({ status }) => String(status))
      .toSorted()
      .join(" "),
  ).toBe("200 200 429 429 429 429 429 429");
});

test("wrong passwords slow an account down where they come from, for a minute at most; its owner elsewhere feels nothing", async () => {
  const { email } = await registered();
  const token = await server.publicToken();
  const login = (secret: string, address: string) =>
    server.send("auth/login", { email, password: secret }, token, from(address));
  const guesses = await Promise.all(Array.from({ length: 30 }, () => login("wrong password!", "198.51.100.7")));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
  const untilPauseIsOver = async (round: number) => {
    const refused = await login(password, "198.51.100.7");
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
    expect(refused.body.error).toMatch(/Please wait \d+ seconds/);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeLessThanOrEqual(60);
    expect((await login(password, `203.0.113.${round}`)).status).toBe(200);
    server.passTime(wait);
  };
  for (let round = 0; round < 7; round++) {
    await untilPauseIsOver(round);
    expect((await login("wrong password!", "198.51.100.7")).status).toBe(401);
  }
  await untilPauseIsOver(7);
  expect((await login(password, "198.51.100.7")).status).toBe(200);
  expect((await login("wrong password!", "198.51.100.7")).status).toBe(401);
  expect((await login(password, "198.51.100.7")).status).toBe(200);
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
  // Uses up all but ten of the address's tries; hashing that many at once could run into time limits.
  for (let tried = 0; tried < rules.wrongPasswordByAddress.freeTries - 10; tried++)
    await server.services.limiter.consumePassword(`somebody-${tried}@example.in`, "203.0.113.99");
  const answers = await Promise.all(Array.from({ length: 30 }, (_, host) => login(`10.0.0.${host}`)));
  const looked = answers.filter(({ status }) => status === 401).length;
  // After these, the address may continue slowly, once in a second or two.
  expect([looked >= 10, looked < 30]).toEqual([true, true]);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - looked);
});

test("neighbours who mistype a hundred passwords slow the network down and keep nobody out", async () => {
  const { email } = await registered();
  const token = await server.publicToken();
  const login = (as: string, secret: string) =>
    server.send("auth/login", { email: as, password: secret }, token, from("203.0.113.77"));
  await Promise.all(Array.from({ length: 80 }, (_, index) => login(`nobody-${index}@example.in`, "x")));
  const first = await login(email, password);
  expect(Number(first.headers.get("retry-after") ?? 0)).toBeLessThanOrEqual(2);
  server.passTime(2);
  expect((await login(email, password)).status).toBe(200);
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
  expect(byStatus["503"]?.every(({ headers }) => headers.get("retry-after") === "2")).toBe(true);
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

test.each([
  ["is suspended", "suspended_at = now()"],
  ["gets another password", "password_hash = 'another'"],
])("whoever %s between the password and the code gets no code", async (_what, change) => {
  const { email } = await registered();
  const update = `update people set ${change} where email = '${email}'`;
  const [answer] = await whileHeld(server, update, () => [server.call("auth/login", { email, password })], 1, "commit");
  expect(answer).toMatchObject({ status: 401, body: { error: messages.invalidCredentials } });
  expect(await codeOf(email)).toBeUndefined();
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

import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { people, rateLimits, signInCodes, singleUseLinks } from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const newPassword = "seven blue tables 77";
const gone = "This link has expired or was already used. Please ask for a new one.";

const secretMailed = async (email: string) => {
  const { text = "" } = await server.mailbox.take(email, /set a new/i);
  expect(text).toContain(`${server.url}/reset-password#token=`);
  return /#token=([\w-]+)/.exec(text)?.[1] ?? "";
};
const forgotten = async () => {
  const person = await customer(server);
  await server.call("auth/forgot-password", { email: person.email });
  return { ...person, secret: await secretMailed(person.email) };
};
const reset = (token: string, secret = newPassword) =>
  server.call("auth/reset-password", { token, newPassword: secret, confirmPassword: secret });

test("the mailed link sets a new password once, ends all sessions and is told by mail", async () => {
  const { email, token, secret } = await forgotten();
  expect(Buffer.from(secret, "base64url").byteLength).toBe(32);
  const { status, body } = await reset(secret);
  expect([status, body]).toEqual([200, { message: "Your new password is set. Please sign in." }]);
  expect((await server.call("user/me", {}, token)).status).toBe(401);
  expect((await server.call("auth/login", { email, password })).status).toBe(401);
  expect((await server.mailbox.take(email, /password was changed/i)).text).toContain("India time");
  expect(await signIn(server, email, newPassword)).toMatch(/^ey/);
  const again = await reset(secret, "eight green chairs 88");
  expect(again.status).toBe(422);
  expect(again.body).toEqual({ error: gone, code: "invalid", fields: { token: gone } });
});

test("of two resets at once with one link just one is made", async () => {
  const { email, secret } = await forgotten();
  const candidates = [newPassword, "eight green chairs 88"];
  const answers = await Promise.all(candidates.map((candidate) => reset(secret, candidate)));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "422"]);
  const winner = candidates[answers.findIndex(({ status }) => status === 200)] ?? "";
  expect((await server.call("auth/login", { email, password: winner })).status).toBe(200);
  const loser = candidates[answers.findIndex(({ status }) => status === 422)] ?? "";
  expect((await server.call("auth/login", { email, password: loser })).status).toBe(401);
});

test("a link is good for 30 minutes", async () => {
  const late = await forgotten();
  server.passTime(30 * 60 + 1);
  expect((await reset(late.secret)).status).toBe(422);
});

test("a stranger who asks too voids nobody's link; one that is used voids the others", async () => {
  const first = await forgotten();
  await server.call("auth/forgot-password", { email: first.email });
  const second = await secretMailed(first.email);
  expect((await reset(first.secret)).status).toBe(200);
  expect((await reset(second, "eight green chairs 88")).status).toBe(422);
  expect(await signIn(server, first.email, newPassword)).toMatch(/^ey/);
});

test("a link is of no use for another purpose, cut short, made up, or once its person is suspended", async () => {
  const { secret, email } = await forgotten();
  const asInvite = { token: secret, password: newPassword, confirmPassword: newPassword };
  expect((await server.call("auth/accept-invite", asInvite)).status).toBe(422);
  expect((await reset(secret.slice(0, -1))).status).toBe(422);
  expect((await reset("A".repeat(43))).body.error).toBe(gone);
  expect(
    (await server.send("auth/reset-password", { token: "%00", newPassword, confirmPassword: newPassword })).status,
  ).toBe(422);
  await server.services.database.update(people).set({ suspendedAt: new Date() }).where(eq(people.email, email));
  expect((await reset(secret)).body.error).toBe(gone);
});

test("a guessable or unconfirmed new password leaves the link good", async () => {
  const { secret } = await forgotten();
  const guessable = await reset(secret, "Welcome@12345");
  expect(guessable.status).toBe(422);
  expect(Object.keys(guessable.body.fields ?? {})).toEqual(["newPassword"]);
  const differing = await server.call("auth/reset-password", {
    token: secret,
    newPassword,
    confirmPassword: `${newPassword}!`,
  });
  expect(differing.body.fields).toEqual({ confirmPassword: messages.newPasswordsDiffer });
  expect((await reset(secret)).status).toBe(200);
});

test("forgot password answers the same for everyone, and mails only who may use it", async () => {
  const known = await customer(server);
  const suspended = await customer(server);
  await server.services.database
    .update(people)
    .set({ suspendedAt: new Date() })
    .where(eq(people.email, suspended.email));
  const unproved = registration();
  await server.call("auth/register", unproved);
  const emails = [known.email, suspended.email, unproved.email, "nobody@example.in"];
  const answers = [];
  for (const email of emails) answers.push(await server.call("auth/forgot-password", { email }));
  for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
  await secretMailed(known.email);
  // The person who registered may not own the mailbox, and its owner gets no account that somebody else has named.
  const { text } = await server.mailbox.take(unproved.email, /register at .* again/i);
  expect(text).toContain(`${server.url}/login?register`);
  expect(text).not.toMatch(/reset-password|#token/);
  const links = await server.services.database
    .select({ email: people.email })
    .from(singleUseLinks)
    .innerJoin(people, eq(people.id, singleUseLinks.personId));
  expect(links.filter(({ email }) => emails.includes(email))).toEqual([{ email: known.email }]);
});

test("the owner of an address whose codes a stranger used up today gets another by setting a password", async () => {
  const form = registration();
  const stranger = { ...form, password: newPassword, confirmPassword: newPassword };
  await server.call("auth/register", stranger);
  await server.call("auth/login", { email: form.email, password: newPassword });
  const ofStranger = inArray(
    signInCodes.personId,
    server.services.database.select({ id: people.id }).from(people).where(eq(people.email, form.email)),
  );
  await server.services.database.update(signInCodes).set({ codesOfDay: limits.otpCodesOfDay }).where(ofStranger);
  await server.call("auth/register", form);
  const refused = await server.call("auth/login", { email: form.email, password });
  expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining("Forgot Password")]);
  await server.call("auth/forgot-password", { email: form.email });
  const chosen = "eight green chairs 88";
  expect((await reset(await secretMailed(form.email), chosen)).status).toBe(200);
  expect((await server.call("auth/login", { email: form.email, password: chosen })).status).toBe(200);
});

test("codes that were used up while the clock was ahead do not count once it is right again", async () => {
  const { email } = await customer(server);
  const ofOwner = inArray(
    signInCodes.personId,
    server.services.database.select({ id: people.id }).from(people).where(eq(people.email, email)),
  );
  const ahead = new Date(server.services.now().getTime() + 40 * 86_400_000);
  await server.services.database
    .update(signInCodes)
    .set({ codesOfDay: limits.otpCodesOfDay, dayBeganAt: ahead })
    .where(ofOwner);
  expect((await server.call("auth/login", { email, password })).status).toBe(200);
  expect(await server.services.database.select().from(signInCodes).where(ofOwner)).toMatchObject([{ codesOfDay: 1 }]);
});

test("however often strangers ask, two fresh links lie in the mailbox, no more and no fewer", async () => {
  const { email } = await customer(server);
  const ask = () => server.call("auth/forgot-password", { email });
  const linksAsked = () =>
    server.mailbox.mails.filter(({ to, subject }) => to?.[0]?.address === email && /set a new/i.test(subject ?? ""));
  const answers = await Promise.all(Array.from({ length: 25 }, ask));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [one, other] = [await secretMailed(email), await secretMailed(email)];
  await jobsDone(server, "mail-reset-link", "send-mail");
  expect(linksAsked()).toHaveLength(2);
  // They are valid for half an hour, and new ones are mailed when ten minutes of that are left.
  server.passTime(20 * 60 + 1);
  await Promise.all(Array.from({ length: 5 }, ask));
  const fresh = await secretMailed(email);
  expect((await reset(fresh)).status).toBe(200);
  for (const earlier of [one, other]) expect((await reset(earlier, "eight green chairs 88")).status).toBe(422);
  expect(await signIn(server, email, newPassword)).toMatch(/^ey/);
});

/** Ten at a time: with more, some could be refused for want of a connection. */
async function inTurns<Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const turn = Math.min(10, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: turn }, (_, index) => call(answers.length + index)))));
  }
  return answers;
}

test("an address asks sixty times an hour for links", async () => {
  const answers = await inTurns(62, (each) => server.call("auth/forgot-password", { email: `n${each}@example.in` }));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
});

test("a good link is let through where somebody else has used up the address's tries at links", async () => {
  const { secret } = await forgotten();
  const misses = await inTurns(62, () => reset("A".repeat(43)));
  expect(misses.filter(({ status }) => status === 422)).toHaveLength(60);
  expect(misses.filter(({ status }) => status === 429)).toHaveLength(2);
  expect((await reset(secret)).status).toBe(200);
});

const change = (token: string, currentPassword: string, secret = newPassword) =>
  server.call("auth/change-password", { currentPassword, newPassword: secret, confirmPassword: secret }, token);

test("a changed password ends the other sessions, the code under way and open links, and is told by mail", async () => {
  const { email, token, secret } = await forgotten();
  const other = await signIn(server, email);
  await server.call("auth/login", { email, password });
  const otp = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
  const { status, body } = await change(token, password);
  expect([status, body.message]).toEqual([200, "Your password is changed. Your other sessions have been signed out."]);
  expect((await server.call("user/me", {}, token)).status).toBe(200);
  expect((await server.call("user/me", {}, other)).status).toBe(401);
  expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
  expect((await reset(secret)).status).toBe(422);
  await server.mailbox.take(email, /password was changed/i);
  expect(await signIn(server, email, newPassword)).toMatch(/^ey/);
});

test("a wrong current password answers 401 with its own sentence and changes nothing", async () => {
  const { email, token } = await customer(server);
  const { status, body } = await change(token, "not my password");
  expect(status).toBe(401);
  expect(body).toEqual({ error: "Your current password is not right.", code: "wrong_password" });
  expect((await server.call("auth/login", { email, password })).status).toBe(200);
});

test("whoever never got the answer and changes the password again is told that it is done, and nothing changes", async () => {
  const { email, token } = await customer(server);
  const first = await change(token, password);
  await server.mailbox.take(email, /password was changed/i);
  const other = await signIn(server, email, newPassword);
  const hashNow = async () =>
    (await server.services.database.select().from(people).where(eq(people.email, email)))[0]?.passwordHash;
  const before = [await hashNow(), server.mailbox.mails.length];
  const again = await change(token, password);
  expect([again.status, again.body]).toEqual([200, first.body]);
  await jobsDone(server, "send-mail");
  expect([await hashNow(), server.mailbox.mails.length]).toEqual(before);
  expect((await server.call("user/me", {}, other)).status).toBe(200);
});

test("a password that is found by trying it as the new one counts as a wrong try, and so do those before it", async () => {
  const { token } = await customer(server);
  expect((await change(token, password)).status).toBe(200);
  for (const secret of ["eight green chairs 88", newPassword, newPassword, "nine red lamps 99", newPassword])
    expect((await change(token, "not my password", secret)).status).toBe(secret === newPassword ? 200 : 401);
  for (const secret of ["eight green chairs 88", newPassword])
    expect((await change(token, "not my password", secret)).status).toBe(429);
});

test("the new password has to differ, to be confirmed, long enough and not guessable", async () => {
  const { token } = await customer(server);
  const fieldOf = async (secret: string) => Object.keys((await change(token, password, secret)).body.fields ?? {});
  expect(await fieldOf(password)).toEqual(["newPassword"]);
  expect(await fieldOf("Asha Rao 12345")).toEqual(["newPassword"]);
  expect(await fieldOf("elevenchars")).toEqual(["newPassword"]);
  expect(await fieldOf("é".repeat(129))).toEqual(["newPassword"]);
  const differing = { currentPassword: password, newPassword, confirmPassword: "another" };
  expect((await server.call("auth/change-password", differing, token)).body.fields).toEqual({
    confirmPassword: messages.newPasswordsDiffer,
  });
  const long = "ஆ".repeat(64) + "नदी किनारे पुराना पुल".repeat(3);
  expect((await change(token, password, long.slice(0, 128))).status).toBe(200);
});

test("of two changes at once just one is made", async () => {
  const { token } = await customer(server);
  const answers = await Promise.all([
    change(token, password, newPassword),
    change(token, password, "eight green chairs 88"),
  ]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "401"]);
});

test("guessing the current password is slowed down; right ones are not counted", async () => {
  const { token } = await customer(server);
  const secrets = [password, newPassword];
  for (let changed = 0; changed < 12; changed++)
    expect((await change(token, secrets[changed % 2] ?? "", secrets[(changed + 1) % 2])).status).toBe(200);
  for (let tried = 0; tried < 5; tried++) expect((await change(token, "not my password")).status).toBe(401);
  const refused = await change(token, password);
  expect(refused.status).toBe(429);
  server.passTime(Number(refused.headers.get("retry-after")));
  expect((await change(token, password)).status).toBe(200);
});

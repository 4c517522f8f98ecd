import { and, eq, isNull } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customer, password, quoteRequest, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { member } from "../../tests/people.ts";
import {
  auditEntries,
  incidents,
  organisations,
  people,
  quotes,
  rateLimits,
  regulatorFacts,
} from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const gone = "This link has expired or was already used. Please ask for a new one.";
const childForm = (email: string) => ({ firstName: "Ravi", lastName: "Nair", email, phoneNo: "+919800000001" });

/** Invites a new person as a child account: by a new customer, unless another inviter is given. */
const invite = async (email = registration().email, token?: string) => {
  const inviter = token ?? (await customer(server)).token;
  expect((await server.call("user/create-child-user", childForm(email), inviter)).status).toBe(201);
  return email;
};
const secretMailed = async (email: string) => {
  const { text = "" } = await server.mailbox.take(email, /invited/i);
  expect(text).toContain(`${server.url}/accept-invite#token=`);
  return /#token=([\w-]+)/.exec(text)?.[1] ?? "";
};
const invitedSecret = async (email?: string, token?: string) => secretMailed(await invite(email, token));
const accept = (token: string, over: object = {}) =>
  server.call("auth/accept-invite", { token, password, confirmPassword: password, ...over });
const look = (token: string) => server.call("auth/invitation", { token });
const me = async (email: string, secret = password) =>
  (await server.call("user/me", {}, await signIn(server, email, secret))).body.user;
const rowsOf = (email: string) => server.services.database.select().from(people).where(eq(people.email, email));

test("who is invited sees by whom and to what, chooses a password once, and signs in with their role", async () => {
  const inviter = await customer(server);
  const email = await invite(undefined, inviter.token);
  const secret = await secretMailed(email);
  expect((await server.call("auth/login", { email, password })).status).toBe(401);
  expect((await look(secret)).body).toEqual({
    invitation: {
      organizationName: "Kaveri Textiles",
      firstName: "Ravi",
      lastName: "Nair",
      email,
      invitedBy: { name: "Asha Rao", organizationName: "Kaveri Textiles" },
      estimates: 0,
    },
  });
  expect(await accept(secret)).toMatchObject({
    status: 200,
    body: { message: "Your password is set. Please sign in." },
  });
  expect(await me(email)).toMatchObject({ firstName: "Ravi", role: "userChild", organizationName: "Kaveri Textiles" });
  const { notices } = (await server.call("notices", {}, inviter.token)).body;
  expect(notices.map(({ title, link }) => [title, link])).toEqual([
    ["Ravi Nair has accepted your invitation", "/user/myuser?search=Ravi%20Nair"],
  ]);
  for (const answer of [await accept(secret), await look(secret)])
    expect(answer).toMatchObject({ status: 422, body: { fields: { token: messages.invitationAccepted } } });
});

test("only the link that was accepted tells that it was: no earlier one, no other purpose, and not once its person is erased", async () => {
  const inviter = await customer(server);
  const email = await invite(undefined, inviter.token);
  const early = await secretMailed(email);
  const [person] = await rowsOf(email);
  await server.call("people/resend-invitation", { id: person?.id ?? "" }, inviter.token);
  const secret = await secretMailed(email);
  expect((await accept(secret)).status).toBe(200);
  for (const token of [early, secret.slice(0, -1), "A".repeat(43)]) expect((await look(token)).body.error).toBe(gone);
  const asReset = { token: secret, newPassword: password, confirmPassword: password };
  expect((await server.call("auth/reset-password", asReset)).body.error).toBe(gone);
  server.passTime(73 * 3600);
  expect((await look(secret)).body.error).toBe(messages.invitationAccepted);
  await server.services.database.update(people).set({ erasedAt: new Date() }).where(eq(people.email, email));
  expect((await look(secret)).body.error).toBe(gone);
});

test("of two acceptances at once just one is made", async () => {
  const secret = await invitedSecret();
  const other = "seven blue tables 77";
  const answers = await Promise.all([accept(secret), accept(secret, { password: other, confirmPassword: other })]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "422"]);
  expect(answers.find(({ status }) => status === 422)?.body.error).toBe(messages.invitationAccepted);
});

test("an invitation is good for 72 hours, and a reset accepts none", async () => {
  const email = await invite();
  const secret = await secretMailed(email);
  await server.call("auth/forgot-password", { email });
  server.passTime(72 * 3600 + 1);
  expect((await accept(secret)).body.error).toBe(gone);
  expect((await look(secret)).body.error).toBe(gone);
  await server.call("auth/forgot-password", { email });
  await jobsDone(server, "mail-reset-link", "send-mail");
  expect(server.mailbox.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1);
});

test("a guessable password leaves the invitation good, and an invitation resets no password", async () => {
  const secret = await invitedSecret();
  const guessable = await accept(secret, { password: "Ravi Nair 2026", confirmPassword: "Ravi Nair 2026" });
  expect([guessable.status, Object.keys(guessable.body.fields ?? {})]).toEqual([422, ["password"]]);
  const asReset = { token: secret, newPassword: password, confirmPassword: password };
  expect((await server.call("auth/reset-password", asReset)).status).toBe(422);
  expect((await accept(secret)).status).toBe(200);
});

describe("An invitation that was not accepted binds nobody", () => {
  it("who is invited and registers gets an organisation of their own, and the invitation ends", async () => {
    const email = registration().email;
    const stranger = await customer(server, { organizationName: "Stranger & Sons" });
    const quoteId = (await server.call("estimator", quoteRequest({ userEmail: email }))).body.quoteId;
    const secret = await invitedSecret(email, stranger.token);
    const prospect = await customer(server, { email, firstName: "Priya", organizationName: "Priya Foods" });
    const { body } = await server.call("user/me", {}, prospect.token);
    expect(body.user).toMatchObject({ firstName: "Priya", role: "user", organizationName: "Priya Foods" });
    // Its estimates are its own: the stranger who invited it can't read them.
    const own = await server.call("user/get-estimation", {}, prospect.token);
    expect(own.body.estimation.map(({ id }) => id)).toEqual([quoteId]);
    expect((await server.call("user/get-estimation", {}, stranger.token)).body.total).toBe(0);
    for (const answer of [await accept(secret), await look(secret)])
      expect(answer).toMatchObject({ status: 422, body: { fields: { token: messages.invitationOvertaken } } });
    const { children } = (await server.call("user/children", {}, stranger.token)).body;
    expect(children).toMatchObject([{ email, status: "expired" }]);
    // A reset also leads back to the same account.
    await server.call("auth/forgot-password", { email });
    const reset = /#token=([\w-]+)/.exec((await server.mailbox.take(email, /set a new/i)).text ?? "")?.[1] ?? "";
    const newPassword = "seven blue tables 77";
    await server.call("auth/reset-password", { token: reset, newPassword, confirmPassword: newPassword });
    expect(await me(email, newPassword)).toMatchObject({ role: "user", organizationName: "Priya Foods" });
  });

  it("any number of organisations may invite one e-mail; the first that is accepted ends the others", async () => {
    const email = registration().email;
    const [first, second, third] = [
      await invitedSecret(email),
      await invitedSecret(email),
      await invitedSecret(email),
    ] as const;
    const answers = await Promise.all([first, second, third].map((secret) => accept(secret)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "422", "422"]);
    const joined = (await rowsOf(email)).filter(({ joinedAt }) => joinedAt);
    expect(joined).toHaveLength(1);
    expect(await me(email)).toMatchObject({ role: "userChild" });
  });

  it("who merely typed the e-mail into a registration neither stops an invitation nor its acceptance", async () => {
    const email = registration().email;
    const typed = registration({ email, organizationName: "Typed by Mallory" });
    await server.call("auth/register", typed);
    const secret = await invitedSecret(email);
    await server.call("auth/register", { ...typed, firstName: "Again" });
    expect(
      (await accept(secret, { password: "seven blue tables 77", confirmPassword: "seven blue tables 77" })).status,
    ).toBe(200);
    expect((await server.call("auth/login", { email, password })).status).toBe(401);
    expect(await me(email, "seven blue tables 77")).toMatchObject({ firstName: "Ravi", role: "userChild" });
    expect(await server.services.database.$count(organisations, eq(organisations.name, "Typed by Mallory"))).toBe(0);
  });

  it("what is opened for an e-mail is with whoever invited it, also what was opened while it was merely registered", async () => {
    const { database } = server.services;
    const admin = await member(server, "admin");
    const inviter = await member(server, "user");
    const typed = registration({ organizationName: `Typed ${randomUUID()}` });
    const open = async () => {
      const asked = { id: randomUUID(), email: typed.email, title: "Sign-ins", severity: "P3" as const };
      return (await server.call("admin/incidents/open", asked, admin.token)).body.incident_id;
    };
    const holderOf = async (id: string) =>
      (await database.select().from(incidents).where(eq(incidents.id, id))).map(({ organisationId }) => organisationId);
    await server.call("auth/register", typed);
    const early = await open();
    const [organisationId = ""] = await holderOf(early);
    const fact = { kind: "noticed", value: { at: "2026-11-20T10:00:00.000Z" }, enteredBy: admin.id } as const;
    await database.insert(regulatorFacts).values({ id: randomUUID(), organisationId, incidentId: early, ...fact });
    const secret = await invitedSecret(typed.email, inviter.token);
    expect(await holderOf(await open())).toEqual([inviter.organisationId]);
    expect((await accept(secret)).status).toBe(200);
    expect(await holderOf(early)).toEqual([inviter.organisationId]);
    expect(await database.$count(organisations, eq(organisations.id, organisationId))).toBe(0);
  });

  it("registering, signing in and accepting at once end in one account, whichever is first", async () => {
    for (let round = 0; round < 4; round++) {
      const email = registration().email;
      const secret = await invitedSecret(email);
      const form = registration({ email });
      const [accepted, registered] = await Promise.all([accept(secret), server.call("auth/register", form)]);
      expect([accepted.status, registered.status]).toEqual([200, 201]);
      expect((await rowsOf(email)).filter(({ joinedAt }) => joinedAt)).toHaveLength(1);
      expect(await me(email)).toMatchObject({ role: "userChild" });
    }
  });

  it("an e-mail that has an account is not invited, whatever its case, and no mail goes out", async () => {
    const inviter = await customer(server);
    const { email } = await customer(server);
    const before = server.mailbox.mails.length;
    const refused = await server.call("user/create-child-user", childForm(email.toUpperCase()), inviter.token);
    expect([refused.status, refused.body.fields]).toEqual([422, { email: messages.emailNotAddable }]);
    await jobsDone(server, "mail-reset-link", "send-mail");
    expect(server.mailbox.mails.slice(before).some(({ subject }) => /invited/i.test(subject ?? ""))).toBe(false);
  });
});

describe("Estimates that were asked for before", () => {
  const asked = async () => {
    const email = registration().email;
    const quoteId = (await server.call("estimator", quoteRequest({ userEmail: email }))).body.quoteId;
    return { email, quoteId, secret: await invitedSecret(email) };
  };
  const ownerOf = async (quoteId: string) =>
    (await server.services.database.select().from(quotes).where(eq(quotes.id, quoteId)))[0]?.organisationId;

  it("stay nobody's unless the invited person agrees, at the acceptance and at each sign-in", async () => {
    const { email, quoteId, secret } = await asked();
    expect((await look(secret)).body.invitation.estimates).toBe(1);
    expect((await accept(secret)).status).toBe(200);
    await signIn(server, email);
    expect(await ownerOf(quoteId)).toBeNull();
    // A member's requests, even signed out, belong to their organisation like everybody's.
    const later = (await server.call("estimator", quoteRequest({ userEmail: email }))).body.quoteId;
    await signIn(server, email);
    const [person] = await rowsOf(email);
    expect([await ownerOf(later), await ownerOf(quoteId)]).toEqual([person?.organisationId, null]);
  });

  it("come along when they agree", async () => {
    const { email, quoteId, secret } = await asked();
    expect((await accept(secret, { claimQuotes: true })).status).toBe(200);
    const [person] = await rowsOf(email);
    expect(await ownerOf(quoteId)).toBe(person?.organisationId);
    const { estimation } = (await server.call("user/get-estimation", {}, await signIn(server, email))).body;
    expect(estimation.map(({ id }) => id)).toEqual([quoteId]);
    const noted = await server.services.database
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.actorId, person?.id ?? ""), eq(auditEntries.action, "bring quotes")));
    expect(noted).toMatchObject([{ detail: { count: 1 } }]);
  });

  it("neither show nor come along for a partner's or the provider's people", async () => {
    const partner = await member(server, "partner");
    const email = registration().email;
    const quoteId = (await server.call("estimator", quoteRequest({ userEmail: email }))).body.quoteId;
    await server.call("partner/create-child-user", childForm(email), partner.token);
    const secret = await secretMailed(email);
    expect((await look(secret)).body.invitation.estimates).toBe(0);
    expect((await accept(secret, { claimQuotes: true })).status).toBe(200);
    expect(await ownerOf(quoteId)).toBeNull();
  });
});

test("made-up links are told nothing, and sixty of them an hour keep no good one out", async () => {
  for (let looked = 0; looked < 60; looked++) expect((await look("A".repeat(43))).body.error).toBe(gone);
  expect((await look("A".repeat(43))).status).toBe(429);
  expect((await look(await invitedSecret())).status).toBe(200);
});

test("an invitation leaves no trace of its secret in database or log", async () => {
  const secret = await invitedSecret();
  await accept(secret);
  const { rows } = await server.services.database.$client.query("select secret_hash from single_use_links");
  const audited = await server.services.database.select().from(auditEntries).where(isNull(auditEntries.actorId));
  expect(JSON.stringify([rows, audited, server.log])).not.toContain(secret);
});

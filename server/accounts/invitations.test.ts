import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { people, rateLimits } from "../database/schema/index.ts";
import type { Failure } from "../errors.ts";
import { invitePerson } from "./invitations.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const gone = "This link has expired or was already used. Please ask for a new one.";

const invite = async (email = registration().email) => {
  const inviting = await customer(server);
  const [owner] = await server.services.database.select().from(people).where(eq(people.email, inviting.email));
  await server.services.database.transaction((transaction) =>
    invitePerson(server.services, transaction, {
      organisationId: owner?.organisationId ?? "",
      role: "userChild",
      firstName: "Ravi",
      lastName: "Nair",
      email,
      phone: "+919800000001",
    }),
  );
  return email;
};
const secretMailed = async (email: string) => {
  const { text = "" } = await server.mailbox.take(email, /invited/i);
  expect(text).toContain("Kaveri Textiles");
  expect(text).toContain(`${server.url}/accept-invite#token=`);
  return /#token=([\w-]+)/.exec(text)?.[1] ?? "";
};
const accept = (token: string, secret = password) =>
  server.call("auth/accept-invite", { token, password: secret, confirmPassword: secret });

test("who is invited chooses a password by the mailed link, once, and signs in with their role", async () => {
  const email = await invite();
  const secret = await secretMailed(email);
  expect((await server.call("auth/login", { email, password })).status).toBe(401);
  expect(await accept(secret)).toMatchObject({
    status: 200,
    body: { message: "Your password is set. Please sign in." },
  });
  const { body } = await server.call("user/me", {}, await signIn(server, email));
  expect(body.user).toMatchObject({ firstName: "Ravi", role: "userChild", organizationName: "Kaveri Textiles" });
  expect(await accept(secret)).toMatchObject({ status: 422, body: { fields: { token: gone } } });
});

test("of two acceptances at once just one is made", async () => {
  const secret = await secretMailed(await invite());
  const answers = await Promise.all([accept(secret), accept(secret, "seven blue tables 77")]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "422"]);
});

test("an invitation is good for 72 hours; afterwards forgot password mails a new link", async () => {
  const email = await invite();
  const secret = await secretMailed(email);
  server.passTime(72 * 3600 + 1);
  expect((await accept(secret)).body.error).toBe(gone);
  await server.call("auth/forgot-password", { email });
  const { text = "" } = await server.mailbox.take(email, /set a new/i);
  const token = /#token=([\w-]+)/.exec(text)?.[1] ?? "";
  expect(
    (await server.call("auth/reset-password", { token, newPassword: password, confirmPassword: password })).status,
  ).toBe(200);
  expect(await signIn(server, email)).toMatch(/^ey/);
});

test("a guessable password leaves the invitation good, and an invitation resets no password", async () => {
  const secret = await secretMailed(await invite());
  const guessable = await accept(secret, "Ravi Nair 2026");
  expect([guessable.status, Object.keys(guessable.body.fields ?? {})]).toEqual([422, ["password"]]);
  const asReset = { token: secret, newPassword: password, confirmPassword: password };
  expect((await server.call("auth/reset-password", asReset)).status).toBe(422);
  expect((await accept(secret)).status).toBe(200);
});

test("registering with an invited e-mail changes nothing about the invitation", async () => {
  const email = await invite();
  const secret = await secretMailed(email);
  expect((await server.call("auth/register", registration({ email, firstName: "Mallory" }))).status).toBe(201);
  await server.mailbox.take(email, /already have/i);
  expect((await server.call("auth/login", { email, password })).status).toBe(401);
  expect((await accept(secret)).status).toBe(200);
  expect((await server.call("user/me", {}, await signIn(server, email))).body.user).toMatchObject({
    firstName: "Ravi",
    role: "userChild",
  });
});

test("an e-mail that is taken is told of on its field, whatever its case, and no mail goes out", async () => {
  const { email } = await customer(server);
  const before = server.mailbox.mails.length;
  const failure = await invite(email.toUpperCase()).then(
    () => expect.unreachable("was let through"),
    (thrown: Failure) => thrown,
  );
  expect(failure).toMatchObject({ code: "invalid", status: 422 });
  expect(Object.keys(failure.fields ?? {})).toEqual(["email"]);
  expect(server.mailbox.mails.slice(before).some(({ subject }) => /invited/i.test(subject ?? ""))).toBe(false);
});

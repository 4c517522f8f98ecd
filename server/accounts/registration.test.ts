import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { messages } from "../../contract/messages.ts";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { organisations, people, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const another = "seven blue tables 77";

const findPerson = async (email: string) => {
  const [found] = await server.services.database
    .select()
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(eq(people.email, email));
  return found;
};

test("who registers gets an organisation, a welcome mail and can sign in", async () => {
  const form = registration({ organizationName: "गोदावरी Mills & Söhne <b>", firstName: "நிலா" });
  const { status, body } = await server.call("auth/register", form);
  expect(status).toBe(201);
  expect(body).toEqual({ message: messages.registered });
  expect(await findPerson(form.email)).toMatchObject({
    people: { role: "user", phone: "+919876543210", emailVerifiedAt: null, suspendedAt: null },
    organisations: { kind: "customer", name: form.organizationName, partnerId: null },
  });
  const mail = await server.mailbox.take(form.email, /welcome/i);
  expect(mail.text).toContain(`${server.url}/login`);
  const token = await signIn(server, form.email);
  const { body: me } = await server.call("user/me", {}, token);
  expect(me.user).toEqual({
    firstName: "நிலா",
    lastName: "Rao",
    email: form.email,
    phoneNo: "+919876543210",
    phone: "+919876543210",
    organizationName: form.organizationName,
    role: "user",
  });
  expect((await findPerson(form.email))?.people.emailVerifiedAt).toBeInstanceOf(Date);
});

test("a known e-mail gets the same answer; its owner is told by mail and nothing changes", async () => {
  const known = await customer(server);
  await server.mailbox.take(known.email, /welcome/i);
  const before = await findPerson(known.email);
  const count = () => server.services.database.$count(organisations);
  const organisationsBefore = await count();
  const answer = await server.call("auth/register", {
    ...known,
    email: known.email.toUpperCase(),
    firstName: "Mallory",
    password: another,
    confirmPassword: another,
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ message: messages.registered });
  expect((await server.mailbox.take(known.email, /already have/i)).text).toContain(
    "Nothing about your account has changed",
  );
  expect(await findPerson(known.email)).toEqual(before);
  expect(await count()).toBe(organisationsBefore);
  expect((await server.call("auth/login", { email: known.email, password: another })).status).toBe(401);
});

test("registering again before the first sign-in takes the place of the earlier data and voids its code", async () => {
  const first = registration();
  await server.call("auth/register", first);
  await server.call("auth/login", { email: first.email, password });
  const code = /\b\d{6}\b/.exec((await server.mailbox.take(first.email, /sign-in code/i)).text ?? "")?.[0] ?? "";
  const second = {
    ...first,
    lastName: "Iyer",
    organizationName: "Narmada Steel",
    password: another,
    confirmPassword: another,
  };
  expect((await server.call("auth/register", second)).status).toBe(201);
  expect(await findPerson(first.email)).toMatchObject({
    people: { lastName: "Iyer" },
    organisations: { name: "Narmada Steel" },
  });
  expect((await server.call("auth/verify-otp", { email: first.email, otp: code })).status).toBe(401);
  expect((await server.call("auth/login", { email: first.email, password })).status).toBe(401);
  expect(await signIn(server, first.email, another)).toMatch(/^ey/);
});

test("five registrations with one e-mail at once make one person and one organisation", async () => {
  const form = registration({ organizationName: "Once Only" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => server.call("auth/register", form)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const made = await server.services.database.select().from(organisations).where(eq(organisations.name, "Once Only"));
  expect(made).toHaveLength(1);
});

test.each([
  [{ firstName: " " }, "firstName", messages.firstNameRequired],
  [{ lastName: "" }, "lastName", messages.lastNameRequired],
  [{ organizationName: "" }, "organizationName", messages.organizationRequired],
  [{ organizationName: "x".repeat(121) }, "organizationName", "Please use at most 120 characters"],
  [{ firstName: "Asha\r\nBcc: all@example.in" }, "firstName", "Please remove line breaks and the character |"],
  [{ email: "asha" }, "email", messages.emailInvalid],
  [{ email: "a@b.in, c@d.in" }, "email", messages.emailInvalid],
  [{ phoneNo: "1234567" }, "phoneNo", messages.phoneExample],
  [{ phoneNo: "+1234567890123456" }, "phoneNo", messages.phoneExample],
  [{ confirmPassword: "correct horse battery 43" }, "confirmPassword", messages.passwordsDiffer],
  [{ password: "elevenchars", confirmPassword: "elevenchars" }, "password", "Please use at least 12 characters"],
  [{ password: "x".repeat(129), confirmPassword: "x".repeat(129) }, "password", "Please use at most 128 characters"],
  [
    { password: "Welcome@12345", confirmPassword: "Welcome@12345" },
    "password",
    "This password is among the first that are guessed. Please use a longer or less common one.",
  ],
  [
    { password: "KaveriTextiles", confirmPassword: "KaveriTextiles" },
    "password",
    "This password is among the first that are guessed. Please use a longer or less common one.",
  ],
])("a registration with %j is refused on %s", async (over, field, sentence) => {
  const form = registration(over);
  const { status, body } = await server.send("auth/register", form);
  expect(status).toBe(422);
  expect(body.code).toBe("invalid");
  expect(body.fields?.[field]).toBe(sentence);
  expect(await findPerson(form.email)).toBeUndefined();
});

test("missing fields and wrong types are refused, and what is not asked for is ignored", async () => {
  for (const field of ["firstName", "lastName", "email", "organizationName", "phoneNo", "password", "confirmPassword"])
    for (const value of [undefined, null, 7, ["x"], { $gt: "" }]) {
      const { status, body } = await server.send("auth/register", { ...registration(), [field]: value });
      expect([status, Object.keys(body.fields ?? {})], `${field} = ${JSON.stringify(value)}`).toEqual([
        422,
        expect.arrayContaining([field]),
      ]);
    }
  const form = registration();
  const text = `{"role":"admin","emailVerifiedAt":"2026-01-01","suspendedAt":null,"__proto__":{"role":"admin"},${JSON.stringify(form).slice(1)}`;
  expect((await server.send("auth/register", text)).status).toBe(201);
  expect((await findPerson(form.email))?.people).toMatchObject({ role: "user", emailVerifiedAt: null });
});

test("registration takes a public token, neither none nor a session", async () => {
  const { token } = await customer(server);
  expect((await server.call("auth/register", registration(), null)).status).toBe(401);
  expect((await server.call("auth/register", registration(), token)).status).toBe(403);
});

test("an e-mail can be registered five times an hour, an address can register twenty", async () => {
  const form = registration();
  for (let tried = 0; tried < 5; tried++) expect((await server.call("auth/register", form)).status).toBe(201);
  const sixth = await server.call("auth/register", form);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(3500);
  const others = await Promise.all(Array.from({ length: 20 }, () => server.call("auth/register", registration())));
  expect(others.filter(({ status }) => status === 201)).toHaveLength(14);
  expect(others.filter(({ status }) => status === 429)).toHaveLength(6);
});

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { consents, leads, people, quotes, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  await server.services.database.delete(consents);
});

const contact = () => ({
  userName: "Asha Rao",
  userEmail: "asha.rao@example.in",
  phone: "9876543210",
  organization: "Kaveri Textiles",
  organizationSize: 120,
  message: "Please call.",
});
const given = () => server.services.database.select().from(consents).orderBy(consents.id);
const personOf = async (email: string) =>
  (await server.services.database.select().from(people).where(eq(people.email, email)))[0]?.id;

const forms = {
  "auth/register": () => registration(),
  contact,
  estimator: () => quoteRequest(),
} as const;
const operations = Object.keys(forms) as (keyof typeof forms)[];

describe.each(operations)("%s", (operation) => {
  const send = (over: object) => server.send(operation, { ...forms[operation](), ...over });

  it("keeps with what it made when it was sent, and which notice was on the screen", async () => {
    const before = server.services.now().getTime();
    const form = { ...forms[operation](), noticeVersion: currentNotice };
    const { status, body } = await server.send(operation, form);
    expect(status).toBeLessThan(300);
    const [consent, ...others] = await given();
    expect(others).toEqual([]);
    const { database } = server.services;
    const made = {
      "auth/register": { purpose: "registration", personId: "email" in form ? await personOf(form.email) : null },
      contact: { purpose: "contact", leadId: (await database.select().from(leads).orderBy(leads.id)).at(-1)?.id },
      estimator: { purpose: "estimate", quoteId: body["quoteId"] },
    }[operation];
    expect(consent).toMatchObject({ noticeVersion: currentNotice, ...made });
    expect(consent?.givenAt.getTime()).toBeGreaterThanOrEqual(before);
  });
  it("takes a call that names no notice, and keeps that none is known", async () => {
    expect((await send({})).status).toBeLessThan(300);
    expect(await given()).toMatchObject([{ noticeVersion: null }]);
  });
  it.each(["2026-11-20", "", 7, null])("refuses %j as a notice, and keeps nothing", async (noticeVersion) => {
    const { status, body } = await send({ noticeVersion });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ["noticeVersion"]]);
    expect(await given()).toEqual([]);
  });
});

describe("registering", () => {
  it("with an e-mail that has an account records nothing: somebody else may have typed it", async () => {
    const { email } = await member(server, "user", { emailVerifiedAt: new Date() });
    const form = registration({ email, noticeVersion: currentNotice });
    expect((await server.send("auth/register", form)).status).toBe(201);
    expect(await given()).toEqual([]);
  });
  it("again before the first sign-in takes the place of what was agreed to before", async () => {
    const form = registration();
    await server.send("auth/register", form);
    const { status } = await server.send("auth/register", { ...form, noticeVersion: currentNotice });
    expect(status).toBe(201);
    expect(await given()).toMatchObject([{ noticeVersion: currentNotice, personId: await personOf(form.email) }]);
  });
});

it("who was invited agrees by choosing a password; being added by somebody records nothing", async () => {
  const parent = await member(server, "user");
  const email = "invited@example.in";
  const child = { firstName: "Vikram", lastName: "Shetty", email, phoneNo: "+919876543210" };
  expect((await server.call("user/create-child-user", child, parent.token)).status).toBe(201);
  expect(await given()).toEqual([]);
  const mail = await server.mailbox.take(email, /invited/i);
  expect(mail.text).toContain("Whoever invited you gave us your name, e-mail address and phone number");
  expect(mail.text).toContain(`${server.url}/privacy-policy`);
  const token = /#token=([\w-]+)/.exec(mail.text ?? "")?.[1] ?? "";
  const chosen = { token, password: "seven blue tables 77", confirmPassword: "seven blue tables 77" };
  expect((await server.call("auth/accept-invite", { ...chosen, noticeVersion: currentNotice })).status).toBe(200);
  expect(await given()).toMatchObject([
    { purpose: "invitation", noticeVersion: currentNotice, personId: await personOf(email) },
  ]);
});

describe("an estimate", () => {
  it("of a signed-in customer is agreed to by that customer", async () => {
    const { token } = await member(server, "user");
    const { body } = await server.call("estimator", { ...quoteRequest(), noticeVersion: currentNotice }, token);
    expect(await given()).toMatchObject([{ purpose: "estimate", quoteId: body.quoteId }]);
  });
  it.each(["partner", "admin"] as const)(
    "that a %s sends for somebody is nobody's consent; the mail says where the notice is",
    async (role) => {
      const { token } = await member(server, role);
      const request = { ...quoteRequest(), noticeVersion: currentNotice };
      expect((await server.call("estimator", request, token)).status).toBe(201);
      expect(await given()).toEqual([]);
      expect((await server.mailbox.take(request.userEmail)).text).toContain(`${server.url}/privacy-policy`);
    },
  );
});

it("consent goes with what it was given for", async () => {
  const { database } = server.services;
  for (const operation of operations) await server.send(operation, forms[operation]());
  expect(await given()).toHaveLength(3);
  await database.delete(leads);
  await database.delete(quotes);
  expect(await given()).toMatchObject([{ purpose: "registration" }]);
  await database.delete(people);
  expect(await given()).toEqual([]);
});

import { like } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { consents, leads, mails, rateLimits } from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  await server.services.database.delete(leads);
});

const contact = (over: Record<string, unknown> = {}) => ({
  userName: "Asha Rao",
  userEmail: "asha.rao@example.in",
  phone: "9876543210",
  organization: "Kaveri Textiles",
  organizationSize: "120",
  message: "Two plants and a head office.\nPlease call in the morning.",
  ...over,
});
const send = (over?: Record<string, unknown>) => server.send("contact", contact(over));

it("A phone number with blanks and a number with commas are taken as they are meant", async () => {
  expect((await send({ phone: "98765-43 210", organizationSize: "1,200" })).status).toBe(200);
  const [lead] = await server.services.database.select().from(leads);
  expect(lead).toMatchObject({ phone: "+919876543210", organizationSize: 1200 });
});

it("Whoever asks is kept as a lead and mailed to sales, to be answered directly, and gets no mail", async () => {
  const { status, body } = await send();
  expect([status, body]).toEqual([200, { message: messages.contactSent }]);
  const [lead] = await server.services.database.select().from(leads);
  expect(lead).toMatchObject({
    userName: "Asha Rao",
    userEmail: "asha.rao@example.in",
    phone: "+919876543210",
    organization: "Kaveri Textiles",
    organizationSize: 120,
    message: "Two plants and a head office.\nPlease call in the morning.",
  });
  const mail = await server.mailbox.take(brand.emails.sales);
  expect(mail.subject).toBe("Contact request from Kaveri Textiles");
  expect(mail.replyTo).toEqual([{ name: "", address: "asha.rao@example.in" }]);
  for (const said of ["Asha Rao", "+919876543210", "120", "Two plants and a head office.", "Please call"]) {
    expect(mail.text).toContain(said);
    expect(mail.html).toContain(said);
  }
  expect(server.mailbox.mails.every(({ to }) => to?.every(({ address }) => address === brand.emails.sales))).toBe(true);
});

it("What a visitor typed stays text in the mail", async () => {
  await send({
    userName: `<img src=x onerror="alert(1)">`,
    organization: `A "B" & <b>Sons</b>`,
    message: `<script>alert(1)</script>\n</td><a href="javascript:x">y</a>`,
  });
  const { html = "", subject } = await server.mailbox.take(brand.emails.sales, /Sons/);
  expect(subject).toBe(`Contact request from A "B" & <b>Sons</b>`);
  expect(html).not.toMatch(/<script|<img|<b>Sons|<a href="javascript/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});

describe("bad input answers 422, names the field and keeps nothing", () => {
  test.each([
    ["userName", ""],
    ["userName", "   "],
    ["userName", 5],
    ["userName", "a".repeat(limits.fullNameLengthMax + 1)],
    ["userName", "Asha\r\nBcc: all@example.in"],
    ["userName", "Win a prize at https://evil.example"],
    ["userName", "A\u202Eevil"],
    ["userName", "URGENT pay at evil.example"],
    ["userEmail", "nobody"],
    ["userEmail", "a@b.in, c@d.in"],
    ["userEmail", ["a@b.in"]],
    ["phone", "987654321"],
    ["phone", "98765432101"],
    ["phone", "+919876543210"],
    ["phone", "98765 4321"],
    ["phone", "987654321x"],
    ["phone", 9876543210],
    ["organization", ""],
    ["organization", "a".repeat(limits.organizationLengthMax + 1)],
    ["organization", "WWW.evil.example"],
    ["organization", "Kaveri\u200B Textiles"],
    ["organization", "URGENT pay at evil.example/pay"],
    ["organizationSize", ""],
    ["organizationSize", "many"],
    ["organizationSize", 0],
    ["organizationSize", -5],
    ["organizationSize", 1.5],
    ["organizationSize", true],
    ["organizationSize", [7]],
    ["organizationSize", limits.usersMax + 1],
    ["message", ""],
    ["message", "\n \t"],
    ["message", "a".repeat(limits.messageLengthMax + 1)],
    ["message", "a\0b"],
    ["message", "a\uD800"],
    ["message", "a\u202Eb"],
    ["message", "a\n".repeat(limits.messageLinesMax) + "a"],
  ])("%s: %j", async (field, value) => {
    const { status, body } = await send({ [field]: value });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    expect(await server.services.database.$count(leads)).toBe(0);
  });
  it("every field is required", async () => {
    const { status, body } = await server.send("contact", {});
    expect(status).toBe(422);
    expect(Object.keys(body.fields ?? {}).toSorted()).toEqual(Object.keys(contact()).toSorted());
  });
});

describe("a name that carries a web address is refused everywhere, so that our mails advertise nothing", () => {
  test.each([
    ["auth/register", "firstName", (name: string) => registration({ firstName: name })],
    ["auth/register", "lastName", (name: string) => registration({ lastName: name })],
    ["auth/register", "organizationName", (name: string) => registration({ organizationName: name })],
    ["estimator", "userName", (name: string) => quoteRequest({ userName: name })],
    ["estimator", "organizationName", (name: string) => quoteRequest({ organizationName: name })],
  ])("%s %s", async (operation, field, formOf) => {
    for (const name of [
      "http://evil.example",
      "Go to HTTPS://evil.example",
      "www.evil.example now",
      "evil.example/pay",
    ]) {
      const { status, body } = await server.send(operation, formOf(name));
      expect([status, body.fields]).toEqual([422, { [field]: "Please leave web addresses out of this field" }]);
    }
  });
});

describe("a flood is stopped and told how long to wait", () => {
  test.each([
    ["from one address", rules.contactByAddress, (number: number) => `person-${number}@example.in`],
    [
      "for one e-mail, in whatever case",
      rules.contactByAccount,
      (number: number) => (number % 2 ? "One@example.in" : "ONE@example.in"),
    ],
  ])("%s", async (_what, { points }, userEmailOf) => {
    for (let number = 0; number < points; number++)
      expect((await send({ userEmail: userEmailOf(number) })).status, `${number}`).toBe(200);
    const { status, headers } = await send({ userEmail: userEmailOf(points) });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(await server.services.database.$count(leads)).toBe(points);
  });
});

it("The same request is kept and mailed once, however often and at once it is sent, and hides nobody else's", async () => {
  const { database } = server.services;
  const mailsToSales = () => database.$count(mails, like(mails.eventKey, "lead:%"));
  const before = [await mailsToSales(), await database.$count(consents)] as const;
  const request = { requestKey: randomUUID() };
  const answers = await Promise.all([send(request), send(request), send(request)]);
  for (const { status, body } of [...answers, await send(request)])
    expect([status, body]).toEqual([200, { message: messages.contactSent }]);
  const kept = async () => [
    await database.$count(leads),
    (await mailsToSales()) - before[0],
    (await database.$count(consents)) - before[1],
  ];
  expect(await kept()).toEqual([1, 1, 1]);
  await database.delete(rateLimits);
  // Another person's with the same key, and two without a key.
  await send({ ...request, userEmail: "b@example.in" });
  await send();
  await send();
  expect(await kept()).toEqual([4, 4, 4]);
});

it("Lead and mail are written together: once each", async () => {
  await Promise.all([send({ userEmail: "a@example.in" }), send({ userEmail: "b@example.in" })]);
  const keys = (await server.services.database.select().from(mails)).map(({ eventKey }) => eventKey);
  for (const { id } of await server.services.database.select().from(leads))
    expect(keys.filter((key) => key === `lead:${id}`)).toHaveLength(1);
});

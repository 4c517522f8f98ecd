import { and, eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
let partner: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  partner = await member(server, "partner");
});
afterAll(() => server.stop());

const newCustomer = () => member(server, "user", { partnerId: partner.organisationId });
const activate = (email: string, token = admin.token) =>
  server.call("admin/createCustomerToolByEmailApi", { email }, token);
const toolOf = async (email: string) =>
  (await server.call("admin/getcustomertToolByEmailApi", { email }, admin.token)).body.customerTool;
const setSiem = (email: string, over: object = {}) =>
  server.send(
    "admin/updateCustomerToolSiemByAdmin",
    { email, siemURL: "https://siem.example.in/kaveri", siemStatus: true, ...over },
    admin.token,
  );

it("Before activation a customer has no tool record; activation makes one with both tools off", async () => {
  const { email } = await newCustomer();
  expect(await toolOf(email)).toEqual([]);
  expect(await activate(email)).toMatchObject({ status: 201, body: { message: "Dashboard activated successfully!" } });
  expect(await toolOf(email)).toEqual([{ soarURL: "", soarStatus: false, siemURL: "", siemStatus: false, version: 1 }]);
  expect((await activate(email)).status).toBe(409);
});

it("An administrator sets each tool by itself, and the customer and its partner see it", async () => {
  const customer = await newCustomer();
  await activate(customer.email);
  expect(await setSiem(customer.email)).toMatchObject({
    status: 200,
    body: { message: "SIEM URL updated successfully!" },
  });
  const soar = { email: customer.email, soarURL: "https://soar.example.in/", soarStatus: true, version: 2 };
  const updated = await server.call("admin/updateCustomerToolSoarByAdmin", soar, admin.token);
  expect(updated).toMatchObject({ status: 200, body: { message: "SOAR URL updated successfully!" } });
  const expected = {
    soarURL: soar.soarURL,
    soarStatus: true,
    siemURL: "https://siem.example.in/kaveri",
    siemStatus: true,
    version: 3,
  };
  expect(await toolOf(customer.email)).toEqual([expected]);
  const asPartner = await server.call("partner/get-customer-tool", { email: customer.email }, partner.token);
  expect(asPartner.body.customerTool).toEqual([expected]);
  const { body: tiles } = await server.call("user/get-users-dashboard-url", {}, customer.token);
  expect(tiles.map(({ url }) => url)).toEqual([expected.siemURL, expected.soarURL]);
  const noted = await server.services.database
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.subject, `organisation:${customer.organisationId}`),
        ne(auditEntries.action, "view organisation"),
      ),
    );
  expect(noted.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["activate dashboard", admin.id],
    ["update siem", admin.id],
    ["update soar", admin.id],
  ]);
});

it("Of two administrators who edit the same record the second is told, and nothing of theirs is kept", async () => {
  const { email } = await newCustomer();
  await activate(email);
  const answers = await Promise.all([
    setSiem(email, { siemURL: "https://one.example.in/", version: 1 }),
    setSiem(email, { siemURL: "https://two.example.in/", version: 1 }),
  ]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
  const kept = answers[0]?.status === 200 ? "https://one.example.in/" : "https://two.example.in/";
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe(messages.toolChanged);
  expect(await toolOf(email)).toMatchObject([{ siemURL: kept, version: 2 }]);
  expect((await setSiem(email)).status).toBe(200);
});

it.each([
  "http://siem.example.in/",
  "javascript:alert(1)",
  "siem.example.in",
  "https://",
  "https:///siem.example.in",
  "https://admin:secret@siem.example.in/",
  "https://token@siem.example.in/",
  "https://siem.example.in/a b",
  "https://siem.example.in\\@evil.example/",
  "data:text/html,x",
])("The address %s is refused on its field", async (siemURL) => {
  const { status, body } = await setSiem("nobody@example.in", { siemURL });
  expect([status, body.fields]).toEqual([422, { siemURL: messages.toolUrlInvalid }]);
});

it("An address may have 300 characters, and be empty only while the tool is off", async () => {
  const { email } = await newCustomer();
  await activate(email);
  const long = `https://siem.example.in/${"a".repeat(276)}`;
  expect((await setSiem(email, { siemURL: long })).status).toBe(200);
  expect((await setSiem(email, { siemURL: `${long}a` })).body.fields).toEqual({
    siemURL: "Please use at most 300 characters",
  });
  expect((await setSiem(email, { siemURL: "" })).body.fields).toEqual({ siemURL: messages.toolUrlMissing });
  expect((await setSiem(email, { siemURL: "", siemStatus: false })).status).toBe(200);
  expect(Object.keys((await setSiem(email, { siemStatus: "yes" })).body.fields ?? {})).toEqual(["siemStatus"]);
});

it("Without activation, for a partner and for an unknown e-mail an update finds nothing", async () => {
  for (const email of [(await newCustomer()).email, partner.email, "nobody@example.in"])
    expect((await setSiem(email)).status).toBe(404);
  for (const email of [partner.email, "nobody@example.in"]) expect((await activate(email)).status).toBe(404);
  expect(await toolOf(partner.email)).toEqual([]);
});

it("Another partner's customer looks like one without tools; child administrators read and change nothing", async () => {
  const customer = await newCustomer();
  await activate(customer.email);
  const stranger = await member(server, "partner");
  const seen = await server.call("partner/get-customer-tool", { email: customer.email }, stranger.token);
  const unknown = await server.call("partner/get-customer-tool", { email: "nobody@example.in" }, stranger.token);
  expect([seen.status, seen.body]).toEqual([200, { customerTool: [] }]);
  expect(unknown.body).toEqual(seen.body);
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const read = await server.call("admin/getcustomertToolByEmailApi", { email: customer.email }, child.token);
  expect(read.body.customerTool).toHaveLength(1);
  expect((await activate(customer.email, child.token)).status).toBe(403);
});

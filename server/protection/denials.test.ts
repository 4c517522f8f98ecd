import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { access, mayCall } from "../../contract/access.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { type Role, roles } from "../../contract/roles.ts";
import { registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { forgetAudit } from "../../tests/forget-audit.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, rateLimits, sessions } from "../database/schema/index.ts";
import { rules } from "./limiter.ts";

let server: TestServer;
const people = {} as Record<Role, Member>;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { trustProxy: 1 } });
  for (const role of roles) people[role] = await member(server, role);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.denials.flush();
  server.log.length = 0;
  await server.services.database.delete(rateLimits);
  await forgetAudit(server);
});

const from = { "x-forwarded-for": "203.0.113.9" };
const names = Object.keys(operations) as OperationName[];

/** The log lines and audit entries of an event, once all are written. */
async function traces(event: string) {
  await server.services.denials.flush();
  const logged = server.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => entry["event"] === event);
  const audited = await server.services.database.select().from(auditEntries).where(eq(auditEntries.action, event));
  return { logged, audited };
}

test("whoever is refused for their role leaves who, whence and what, at every operation that is for some roles", async () => {
  const refused: { operation: string; personId: string }[] = [];
  for (const operation of names) {
    const stranger = roles.find((role) => !mayCall(operation, role));
    if (!stranger || access[operation].callers === "public") continue;
    const caller = people[stranger];
    const { status } = await server.send(operation, {}, caller.token, from);
    expect([operation, status]).toEqual([operation, 403]);
    refused.push({ operation, personId: caller.id });
    await server.services.denials.flush();
  }
  expect(refused.length).toBeGreaterThan(30);
  const { logged, audited } = await traces("refuse role");
  expect(logged.map(({ operation, personId }) => ({ operation, personId }))).toEqual(expect.arrayContaining(refused));
  expect(new Set(logged.map(({ address }) => address))).toEqual(new Set(["203.0.113.9"]));
  const kept = audited.map(({ actorId, subject }) => `${actorId} ${subject}`);
  expect(kept.toSorted()).toEqual(
    refused.map(({ personId, operation }) => `${personId} operation:${operation}`).toSorted(),
  );
  expect(audited[0]?.detail).toEqual({ times: 1 });
  expect(audited[0]?.address).toBe("203.0.113.9");
});

test("a session at a call for visitors is refused with a trace too", async () => {
  expect((await server.send("contact", {}, people.user.token, from)).status).toBe(403);
  expect((await traces("refuse role")).audited).toMatchObject([
    { actorId: people.user.id, subject: "operation:contact" },
  ]);
});

test("whoever asks for another tenant's record leaves a trace, whether the answer is a 404 or an empty list", async () => {
  const partner = await member(server, "partner");
  const owner = await member(server, "user", { partnerId: partner.organisationId });
  const quote = await insertQuote(server, owner, {});
  const [session] = await server.services.database.select().from(sessions).where(eq(sessions.personId, owner.id));
  const { user, partner: stranger } = people;
  const payment = { email: user.email, quote_id: quote.id, amount: "1.00", name: "Asha Rao", phone: "+919876543210" };
  const ofPartner = { email: owner.email };
  const asked: [OperationName, object, Member, string, number][] = [
    ["user/orders", payment, user, quote.id, 404],
    ["user/get-signed-url", { fileName: "invoice-x.pdf" }, user, "invoice-x.pdf", 404],
    ["auth/end-session", { id: session?.id }, user, session?.id ?? "", 404],
    ["partner/get-signed-url", { fileName: "invoice-x.pdf" }, stranger, "invoice-x.pdf", 404],
    ["partner/get-user-by-partner-email", ofPartner, stranger, `person:${owner.id}`, 200],
    ["partner/get-payment-details", ofPartner, stranger, `person:${owner.id}`, 200],
    ["partner/get-customer-tool", ofPartner, stranger, `person:${owner.id}`, 200],
  ];
  for (const [operation, input, caller, , status] of asked) {
    expect([operation, (await server.send(operation, input, caller.token, from)).status]).toEqual([operation, status]);
    await server.services.denials.flush();
  }
  const { logged, audited } = await traces("refuse record");
  const expected = asked.map(([operation, , { id }, sought]) => ({ operation, personId: id, sought: [sought] }));
  expect(logged.map(({ operation, personId, sought }) => ({ operation, personId, sought }))).toEqual(
    expect.arrayContaining(expected),
  );
  expect(audited).toHaveLength(asked.length);
  expect(server.log.join("")).not.toContain(owner.email);
});

test("what is one's own, and what an administrator does not find, is no denial", async () => {
  const { partner, admin } = people;
  const own = await member(server, "user", { partnerId: partner.organisationId });
  const nobody = { email: registration().email };
  expect((await server.send("partner/get-payment-details", { email: own.email }, partner.token)).status).toBe(200);
  expect((await server.send("partner/create-user", newCustomer(), partner.token)).status).toBe(201);
  expect((await server.send("admin/createCustomerToolByEmailApi", nobody, admin.token)).status).toBe(404);
  expect((await server.send("blogs/{idKey}", { idKey: "none" })).status).toBe(404);
  expect(await traces("refuse record")).toEqual({ logged: [], audited: [] });
});

const newCustomer = () => {
  const { firstName, lastName, email, phoneNo, organizationName } = registration();
  return { firstName, lastName, email, phoneNo, organizationName };
};

test("a stranger's bad tokens make two lines a minute, however many, and no row", async () => {
  for (const token of ["garbage", `${people.user.token.slice(0, -4)}AAAA`, randomUUID(), "a.b.c"])
    for (const operation of ["user/me", "admin/overview", "contact"] as const)
      expect((await server.send(operation, {}, token, from)).status).toBe(401);
  expect((await server.send("user/me", {}, null, from)).status).toBe(401);
  const { logged, audited } = await traces("refuse token");
  expect(logged.map(({ address, times }) => ({ address, times }))).toEqual([
    { address: "203.0.113.9", times: 1 },
    { address: "203.0.113.9", times: 11 },
  ]);
  expect(audited).toEqual([]);
});

test("who tries too often leaves a trace", async () => {
  const email = registration().email;
  for (let tried = 0; tried <= rules.forgotByAddress.points + 1; tried++)
    await server.send("auth/forgot-password", { email }, undefined, from);
  const { logged } = await traces("refuse rate");
  expect(logged).toMatchObject([
    { operation: "auth/forgot-password", address: "203.0.113.9", times: 1, sought: ["nobody known"] },
    { times: 1 },
  ]);
});

test("a person who is refused over and over makes two rows a minute, with the first ten things asked for", async () => {
  const ask = () => server.send("user/get-signed-url", { fileName: `${randomUUID()}.pdf` }, people.user.token, from);
  for (let asked = 0; asked < 20; asked++) expect((await ask()).status).toBe(404);
  const endSession = await server.send("auth/end-session", { id: randomUUID() }, people.user.token, from);
  expect(endSession.status).toBe(404);
  const { audited } = await traces("refuse record");
  expect(audited.map(({ detail }) => detail["times"])).toEqual([1, 20]);
  expect(audited[1]).toMatchObject({
    subject: "operation:user/get-signed-url",
    detail: { alsoAt: ["auth/end-session"] },
  });
  expect(audited[1]?.detail["sought"]).toHaveLength(10);
});

test("refusals from many networks at once make no more entries than one log can bear", async () => {
  const { denials } = server.services;
  for (let network = 0; network < 1500; network++)
    denials.note({
      event: "refuse token",
      operation: "user/me",
      address: `2001:db8:${network.toString(16)}::1`,
      actor: null,
    });
  const { logged } = await traces("refuse token");
  expect(logged).toHaveLength(1002);
  expect(logged.at(-1)).toMatchObject({ address: "several", times: 499 });
});

test("a made-up address of a file leaves a trace, an expired one does not", async () => {
  const file = `proposal-${randomUUID()}.pdf`;
  const url = await server.services.files.signedUrl(file, "proposal.pdf");
  server.passTime(3600);
  expect((await fetch(url, { headers: from })).status).toBe(403);
  expect((await traces("refuse file address")).logged).toEqual([]);
  expect((await fetch(url.replace(/signature=./, "signature="), { headers: from })).status).toBe(403);
  expect((await traces("refuse file address")).logged).toMatchObject([{ address: "203.0.113.9", sought: [file] }]);
});

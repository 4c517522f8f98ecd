import { and, desc, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import type { Role } from "../../contract/roles.ts";
import { customer, password } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, incidents, notices, organisations, people, rateLimits } from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";

let server: TestServer;
let user: Member;
let partner: Member;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  partner = await member(server, "partner", { organizationName: "Narmada Networks" });
  user = await member(server, "user", { partnerId: partner.organisationId });
  admin = await member(server, "admin");
});

/** Sessions have expired: somebody else of the same role and organisation takes over. */
async function replaceMembers() {
  [user, partner, admin] = await Promise.all([
    member(server, "user", { organisationId: user.organisationId }),
    member(server, "partner", { organisationId: partner.organisationId }),
    member(server, "admin", { organisationId: admin.organisationId }),
  ]);
}

const form = () => ({
  organizationName: `Godavari ${randomUUID().slice(0, 8)}`,
  firstName: "Ravi",
  lastName: "Nair",
  email: `ravi-${randomUUID().slice(0, 13)}@example.in`,
  phoneNo: "9800000001",
});
const linkMailed = async (email: string) =>
  /#token=([\w-]+)/.exec((await server.mailbox.take(email, /invited/i)).text ?? "")?.[1] ?? "";
const accept = (token: string) => server.call("auth/accept-invite", { token, password, confirmPassword: password });
const resend = (id: string, { token }: Pick<Member, "token">) => server.call("people/resend-invitation", { id }, token);
const withdraw = (id: string, { token }: Pick<Member, "token">) =>
  server.call("people/withdraw-invitation", { id }, token);

/** How each kind of person is added, and where they are listed. */
const kinds = {
  "a customer's child": {
    by: () => user,
    add: "user/create-child-user",
    find: async (email: string) =>
      (await server.call("user/children", {}, user.token)).body.children.find((row) => row.email === email),
  },
  "a partner's child": {
    by: () => partner,
    add: "partner/create-child-user",
    find: async (email: string) =>
      (await server.call("partner/children", {}, partner.token)).body.children.find((row) => row.email === email),
  },
  "an administrator's child": {
    by: () => admin,
    add: "admin/createChildUserByAdmin",
    find: async (email: string) =>
      (await server.call("admin/getChildrenByParentId", {}, admin.token)).body.children.find(
        (row) => row.email === email,
      ),
  },
  "a partner's customer": {
    by: () => partner,
    add: "partner/create-user",
    find: async (email: string) => (await server.call("partner/users", { search: email }, partner.token)).body.users[0],
  },
  "a partner": {
    by: () => admin,
    add: "admin/createPartnerByAdmin",
    find: async (email: string) =>
      (await server.call("admin/getUserByAdmin", { role: "partner", search: email }, admin.token)).body.users[0],
  },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

async function invited(kind: Kind) {
  const { by, add, find } = kinds[kind];
  const { email, organizationName, ...rest } = form();
  expect((await server.call(add, { ...rest, email, organizationName }, by().token)).status).toBe(201);
  const listed = await find(email);
  if (!listed) throw new Error("The invitation is not listed");
  return { id: listed.id, email, organizationName, secret: await linkMailed(email) };
}

it.each(kindNames)(
  "The invitation of %s is listed, sent again with a new link, and listed as active once accepted",
  async (kind) => {
    const { by, find } = kinds[kind];
    const { id, email, secret } = await invited(kind);
    expect(await find(email)).toMatchObject({ id, status: "invited" });
    server.passTime(73 * 3600);
    await replaceMembers();
    expect(await find(email)).toMatchObject({ id, status: "expired" });
    expect(await resend(id, by())).toMatchObject({ status: 200, body: { message: messages.invitationResent } });
    expect(await find(email)).toMatchObject({ id, status: "invited" });
    const fresh = await linkMailed(email);
    expect((await accept(secret)).status).toBe(422);
    expect((await accept(fresh)).status).toBe(200);
    expect(await find(email)).toMatchObject({ id, status: "active" });
    for (const change of [resend, withdraw]) expect((await change(id, by())).status).toBe(409);
  },
);

it.each(kindNames)(
  "The invitation of %s is withdrawn: it is gone from the list, its link is void, the e-mail is free",
  async (kind) => {
    const { by, find } = kinds[kind];
    const { id, email, organizationName, secret } = await invited(kind);
    const answers = await Promise.all([withdraw(id, by()), withdraw(id, by())]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404"]);
    expect(await find(email)).toBeUndefined();
    expect((await accept(secret)).status).toBe(422);
    expect((await server.call("auth/invitation", { token: secret })).status).toBe(422);
    expect((await resend(id, by())).status).toBe(404);
    expect(await server.services.database.$count(organisations, eq(organisations.name, organizationName))).toBe(0);
    const [noted] = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `person:${id}`))
      .orderBy(auditEntries.id)
      .then((entries) => entries.slice(-1));
    expect(noted).toMatchObject({ actorId: by().id, action: "withdraw invitation" });
    expect((await customer(server, { email })).token).toMatch(/^ey/);
  },
);

it.each(kindNames)(
  "Nobody but those who may add %s touches the invitation: it reads like one that is not there",
  async (kind) => {
    const { by, find } = kinds[kind];
    const { id, email, secret } = await invited(kind);
    const strangers: [Role, number][] = [
      ["user", 404],
      ["partner", 404],
      ["partnerChild", 404],
      ["userChild", 403],
      ["adminChild", 403],
    ];
    const callers = await Promise.all(strangers.map(([role]) => member(server, role)));
    const others = [
      ...callers.map((caller, index) => ({ caller, status: strangers[index]?.[1] })),
      ...[user, partner].filter((own) => own.id !== by().id).map((caller) => ({ caller, status: 404 })),
    ];
    for (const { caller, status } of others)
      for (const change of [resend, withdraw]) {
        const answer = await change(id, caller);
        const absent = await change(randomUUID(), caller);
        expect([answer.status, answer.body]).toEqual([status, absent.body]);
      }
    expect(await find(email)).toMatchObject({ id, status: "invited" });
    expect((await accept(secret)).status).toBe(200);
  },
);

it.each([
  { where: "another partner's", comesBack: false, told: 0 },
  { where: "its inviter's again", comesBack: true, told: 1 },
])("Who joins a customer that was moved, and is $where, is told to its inviter $told times", async (last) => {
  const { database } = server.services;
  const { email, ...rest } = form();
  expect((await server.call("partner/create-user", { ...rest, email }, partner.token)).status).toBe(201);
  const token = await linkMailed(email);
  const [invited] = await database.select().from(people).where(eq(people.email, email));
  const id = invited?.organisationId ?? "";
  const next = await member(server, "partner");
  for (const [index, to] of (last.comesBack ? [next, partner] : [next]).entries()) {
    const move = { id, version: index + 1, partner_email: to.email };
    expect((await server.call("admin/people/move-customer", move, admin.token)).status).toBe(200);
  }
  expect((await accept(token)).status).toBe(200);
  const isOfAcceptance = and(
    eq(notices.personId, partner.id),
    eq(notices.eventKey, `invitation accepted:${invited?.id}`),
  );
  expect(await database.$count(notices, isOfAcceptance)).toBe(last.told);
});

it("A partner's child, who may add customers, sends and withdraws their invitations, but no child's", async () => {
  const child = await member(server, "partnerChild", { organisationId: partner.organisationId });
  const ofCustomer = await invited("a partner's customer");
  expect((await resend(ofCustomer.id, child)).status).toBe(200);
  expect((await withdraw(ofCustomer.id, child)).status).toBe(200);
  const ofChild = await invited("a partner's child");
  expect((await withdraw(ofChild.id, child)).status).toBe(404);
});

it("Who has joined can't be withdrawn, not even by their own organisation", async () => {
  const child = await member(server, "userChild", { organisationId: user.organisationId });
  expect((await withdraw(child.id, user)).status).toBe(409);
  expect((await withdraw(user.id, user)).status).toBe(404);
  expect((await withdraw(user.id, partner)).status).toBe(409);
  expect((await server.call("user/me", {}, child.token)).status).toBe(200);
});

it("Acceptance and withdrawal at once end in one of both", async () => {
  for (let round = 0; round < 4; round++) {
    const { id, email, secret } = await invited("a partner's customer");
    const [accepted, withdrawn] = await Promise.all([accept(secret), withdraw(id, partner)]);
    const joined = await server.services.database.$count(people, eq(people.email, email));
    expect([accepted.status, withdrawn.status, joined]).toEqual(
      accepted.status === 200 ? [200, 409, 1] : [422, 200, 0],
    );
  }
});

it("An e-mail that has an account by now is not invited again, and its invitation can still be withdrawn", async () => {
  const { id, email } = await invited("a partner's customer");
  await customer(server, { email });
  const refused = await resend(id, partner);
  expect([refused.status, refused.body.fields]).toEqual([422, { email: messages.emailNotAddable }]);
  expect((await withdraw(id, partner)).status).toBe(200);
});

it("One list holds an e-mail once, even added three times at once; another partner may invite it too", async () => {
  const same = form();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => server.call("partner/create-user", same, partner.token)),
  );
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "422", "422"]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body.fields).toEqual({ email: messages.alreadyInvited });
  const other = await member(server, "partner", { organizationName: "Tapti Telecom" });
  const theirs = { ...same, organizationName: "Tapti's customer" };
  expect((await server.call("partner/create-user", theirs, other.token)).status).toBe(201);
  const seenBy = async ({ token }: Member) =>
    (await server.call("partner/get-user-by-partner-email", { email: same.email }, token)).body.user;
  expect(await seenBy(partner)).toMatchObject([{ organization_name: same.organizationName }]);
  expect(await seenBy(other)).toMatchObject([{ organization_name: "Tapti's customer" }]);
  const asAdmin = async () =>
    (await server.call("admin/getUserByEmailforAdmin", { email: same.email }, admin.token)).body.user;
  expect(await asAdmin()).toMatchObject([{ organization_name: "Tapti's customer" }]);
  // A stranger who adds the address to its own organisation displaces nobody.
  const stranger = await member(server, "user", { organizationName: "Tapti's customer" });
  const added = { firstName: "V", lastName: "Rao", email: same.email, phoneNo: "+919876543210" };
  expect((await server.call("user/create-child-user", added, stranger.token)).status).toBe(201);
  const opened = { id: randomUUID(), email: same.email, title: "Sign-ins", severity: "P3" as const };
  await server.call("admin/incidents/open", opened, admin.token);
  const [incident] = await server.services.database.select().from(incidents).orderBy(desc(incidents.id)).limit(1);
  expect(incident?.organisationId).not.toBe(stranger.organisationId);
  // The organisation that the person has joined comes first.
  await linkMailed(same.email).then(accept);
  expect(await asAdmin()).toMatchObject([{ organization_name: same.organizationName, status: "active" }]);
});

it("One mailbox gets so many invitations of one organisation in an hour, and no other organisation's count", async () => {
  const { id, email } = await invited("a customer's child");
  for (let sent = 1; sent < rules.invitationByMailbox.points; sent++) expect((await resend(id, user)).status).toBe(200);
  const refused = await resend(id, user);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const elsewhere = { ...form(), email };
  expect((await server.call("partner/create-user", elsewhere, partner.token)).status).toBe(201);
});

it("What we keep about a customer stays when its invitation is withdrawn", async () => {
  const { database } = server.services;
  const { email, ...about } = form();
  expect((await server.call("partner/create-user", { email, ...about }, partner.token)).status).toBe(201);
  const asked = { id: randomUUID(), email, title: "Sign-ins", severity: "P3" as const };
  const { body } = await server.call("admin/incidents/open", asked, admin.token);
  const [invited] = await database.select().from(people).where(eq(people.email, email));
  expect((await withdraw(invited?.id ?? "", partner)).status).toBe(200);
  expect(await database.$count(people, eq(people.email, email))).toBe(0);
  expect(await database.$count(incidents, eq(incidents.id, body.incident_id))).toBe(1);
  expect(await database.$count(organisations, eq(organisations.name, about.organizationName))).toBe(1);
  const shown = await server.call("admin/incidents/{id}", { id: body.incident_id }, admin.token);
  expect([shown.status, shown.body.organization_name]).toEqual([200, about.organizationName]);
});

import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { password, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder, insertQuote } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { auditEntries, invoices, orders, organisations, people, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
let passwordHash: string;
beforeAll(async () => {
  server = await startTestServer();
  passwordHash = await hashPassword(password);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  admin = await member(server, "admin", { passwordHash });
});

const database = () => server.services.database;
const isLetIn = async ({ token }: Pick<Member, "token">) => (await server.call("user/me", {}, token)).status === 200;
const personNow = async (id: string) => {
  const [row] = await database().select().from(people).where(eq(people.id, id));
  return row ?? expect.fail();
};
const organisationNow = async (id: string) => {
  const [row] = await database().select().from(organisations).where(eq(organisations.id, id));
  return row ?? expect.fail();
};
const lastEntry = async (subject: string) =>
  (await server.call("admin/audit", { subject, limit: 1 }, admin.token)).body.entries[0];

describe("Editing a person", () => {
  const change = (id: string, version: number, over: object = {}) =>
    server.call(
      "admin/people/change",
      { id, version, firstName: "Meera", lastName: "Iyer", phoneNo: "98000 00001", ...over },
      admin.token,
    );

  it("changes name and phone everywhere, and tells what was there before", async () => {
    const person = await member(server, "user");
    const order = await insertOrder(server, person);
    expect((await change(person.id, 1)).status).toBe(200);
    expect(await personNow(person.id)).toMatchObject({ firstName: "Meera", phone: "+919800000001", version: 2 });
    const [listed] = await database().select().from(orders).where(eq(orders.id, order.id));
    expect(listed).toMatchObject({ buyerName: "Meera Iyer", billTo: { name: "Asha Rao" } });
    const facts = (await lastEntry(`person:${person.id}`))?.facts ?? [];
    expect(facts.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: "First name", before: "Asha", value: "Meera" },
      { name: "Last name", before: "Rao", value: "Iyer" },
      { name: "Phone", before: "+919876543210", value: "+919800000001" },
    ]);
  });

  it("by two at once is told to the second with what is saved now; the same again changes nothing", async () => {
    const { id } = await member(server, "userChild");
    const both = await Promise.all([change(id, 1, { firstName: "Anil" }), change(id, 1, { firstName: "Bina" })]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const saved = (await personNow(id)).firstName;
    const second = both.find(({ status }) => status === 409)?.body;
    expect(second).toMatchObject({ code: "conflict", fields: { firstName: `Now: ${saved}` } });
    expect((await change(id, 1, { firstName: saved })).status).toBe(200);
    expect((await personNow(id)).version).toBe(2);
  });
});

describe("Editing an organisation", () => {
  const facts = { name: "Kaveri Mills" };
  const change = (id: string, version: number, over: object = {}) =>
    server.call("admin/people/change-organization", { id, version, ...facts, ...over }, admin.token);

  it("changes what lists and next invoices say, not the invoices that are issued", async () => {
    const person = await member(server, "user");
    const { id: orderId } = await insertOrder(server, person);
    const invoice = async () =>
      (await database().select().from(invoices).where(eq(invoices.orderId, orderId)))[0]?.content;
    const issued = await invoice();
    expect((await change(person.organisationId, 1)).status).toBe(200);
    expect(await invoice()).toEqual(issued);
    expect(await lastEntry(`organisation:${person.organisationId}`)).toMatchObject({
      action: "change organisation",
      facts: expect.arrayContaining([{ name: "Name", before: "Kaveri Textiles", value: "Kaveri Mills" }]),
    });
    const shown = await server.call("admin/people/organization", { email: person.email }, admin.token);
    expect(shown.body.organization).toMatchObject({ name: "Kaveri Mills", version: 2 });
  });

  it("is refused to the second of two editors", async () => {
    const { organisationId } = await member(server, "user");
    await change(organisationId, 1);
    const second = await change(organisationId, 1, { name: "Kaveri Weavers" });
    expect(second.body).toMatchObject({ code: "conflict", fields: { name: "Now: Kaveri Mills" } });
    expect((await organisationNow(organisationId)).name).toBe("Kaveri Mills");
  });
});

describe("Moving a customer", () => {
  const move = (id: string, version: number, partner_email: string | null) =>
    server.call("admin/people/move-customer", { id, version, partner_email }, admin.token);
  const bellOf = async ({ token }: Member) =>
    (await server.call("notices", {}, token)).body.notices.map(({ title }) => title);
  const customersOf = async (partner: Member) =>
    (await server.call("partner/users", {}, partner.token)).body.users.map(({ email }) => email);

  it("takes its people and orders from one partner's sight into another's, or out of both", async () => {
    const [first, second] = [await member(server, "partner"), await member(server, "partner")];
    const customer = await member(server, "user", { partnerId: first.organisationId });
    const order = await insertOrder(server, customer);
    expect((await move(customer.organisationId, 1, second.email)).status).toBe(200);
    const name = "Kaveri Textiles";
    const everybody = [customer, first, second];
    expect(await Promise.all(everybody.map(bellOf))).toEqual([
      [`${name} is your partner now`],
      [`${name} is no longer your customer`],
      [`${name} is your customer now`],
    ]);
    expect([await customersOf(first), await customersOf(second)]).toEqual([[], [customer.email]]);
    const partnerOfOrder = async () =>
      (await database().select().from(orders).where(eq(orders.id, order.id)))[0]?.partnerId;
    expect(await partnerOfOrder()).toBe(second.organisationId);
    const payments = await server.call("partner/get-payment-details", { email: customer.email }, first.token);
    expect(payments.body.payments).toEqual([]);
    const again = await move(customer.organisationId, 1, second.email);
    expect([again.status, again.body.message]).toEqual([200, "The customer stays where it is."]);
    expect((await move(customer.organisationId, 1, null)).status).toBe(409);
    expect((await move(customer.organisationId, 2, null)).status).toBe(200);
    expect([await customersOf(second), await partnerOfOrder()]).toEqual([[], null]);
    expect((await Promise.all(everybody.map(bellOf))).map(([newest]) => newest)).toEqual([
      "You have no partner any more",
      `${name} is no longer your customer`,
      `${name} is no longer your customer`,
    ]);
    expect((await lastEntry(`organisation:${customer.organisationId}`))?.facts).toEqual([
      { name: "Partner", before: "Kaveri Textiles", value: "–" },
    ]);
  });

  it("is refused where its e-mail would stand twice in the partner's list, until one of the two is gone", async () => {
    const [first, second] = [await member(server, "partner"), await member(server, "partner")];
    const { email, firstName, lastName, phoneNo, organizationName } = registration();
    const form = { email, firstName, lastName, phoneNo, organizationName };
    for (const partner of [first, second])
      expect((await server.call("partner/create-user", form, partner.token)).status).toBe(201);
    const [invited] = (await server.call("partner/users", {}, first.token)).body.users;
    const person = await personNow(invited?.id ?? "");
    const refused = await move(person.organisationId, 1, second.email);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining(`has ${email} among`)]);
    expect([await customersOf(first), await customersOf(second)]).toEqual([[email], [email]]);
    const [other] = (await server.call("partner/users", {}, second.token)).body.users;
    await server.call("people/withdraw-invitation", { id: other?.id ?? "" }, admin.token);
    expect((await move(person.organisationId, 1, second.email)).status).toBe(200);
    expect(await customersOf(second)).toEqual([email]);
  });

  it("is refused to whoever is no partner, and of whoever is no customer", async () => {
    const [customer, partner] = [await member(server, "user"), await member(server, "partner")];
    expect((await move(customer.organisationId, 1, admin.email)).status).toBe(422);
    expect((await move(partner.organisationId, 1, null)).status).toBe(404);
    await server.call("admin/suspend", { email: partner.email, what: "organisation" }, admin.token);
    expect((await move(customer.organisationId, 1, partner.email)).status).toBe(409);
  });

  it("is refused to a partner that nobody has joined yet, until somebody has", async () => {
    const customer = await member(server, "user");
    const invited = await invitedPartner();
    const refused = await move(customer.organisationId, 1, invited.email);
    const sentence =
      "Nobody of this partner has accepted the invitation yet. Please send it again, and move the customer once somebody has joined.";
    expect([refused.status, refused.body.fields]).toEqual([422, { partner_email: sentence }]);
    await database().update(people).set({ joinedAt: server.services.now() }).where(eq(people.id, invited.id));
    expect((await move(customer.organisationId, 1, invited.email)).status).toBe(200);
  });
});

/** A partner whose first person has not answered the invitation. */
async function invitedPartner() {
  const { email, firstName, lastName, phoneNo, organizationName } = registration();
  const form = { email, firstName, lastName, phoneNo, organizationName };
  expect((await server.call("admin/createPartnerByAdmin", form, admin.token)).status).toBe(201);
  const [invited] = await database().select().from(people).where(eq(people.email, email));
  if (!invited) throw new Error("No partner was invited");
  return invited;
}

describe("The invitation of a partner is withdrawn, and the partner stays", () => {
  it.each<[string, (partnerId: string) => Promise<unknown>]>([
    ["with the customers that it was given", (partnerId) => member(server, "user", { partnerId })],
    [
      "with the estimates that name it",
      async (partnerId) => insertQuote(server, await member(server, "user"), { partnerId, madeBy: admin.id }),
    ],
    [
      "with the orders that name it",
      async (organisationId) => insertOrder(server, await member(server, "user"), { organisationId, state: "failure" }),
    ],
  ])("%s", async (_what, give) => {
    const { id, organisationId } = await invitedPartner();
    await give(organisationId);
    expect((await server.call("people/withdraw-invitation", { id }, admin.token)).status).toBe(200);
    expect(await database().$count(people, eq(people.id, id))).toBe(0);
    expect(await database().$count(organisations, eq(organisations.id, organisationId))).toBe(1);
  });
});

describe("Changing a role", () => {
  type NewRole = "user" | "userChild" | "partner" | "partnerChild" | "admin" | "adminChild";
  const change = async (id: string, role: NewRole, by = admin) => {
    const { version } = await personNow(id);
    return server.call("admin/people/change-role", { id, version, role }, by.token);
  };

  it.each(["user", "partner"] as const)(
    "hands a %s's organisation over: the former one is a child account, and both sign in anew",
    async (role) => {
      const parent = await member(server, role);
      const child = await member(server, `${role}Child`, { organisationId: parent.organisationId });
      const other = await member(server, `${role}Child`, { organisationId: parent.organisationId });
      expect((await change(child.id, role)).status).toBe(200);
      expect([(await personNow(child.id)).role, (await personNow(parent.id)).role]).toEqual([role, `${role}Child`]);
      expect([await isLetIn(child), await isLetIn(parent), await isLetIn(other)]).toEqual([false, false, true]);
      expect((await lastEntry(`person:${parent.id}`))?.facts).toEqual([
        { name: "Role", before: role, value: `${role}Child` },
      ]);
    },
  );

  it("helps where the one who answered is suspended: the others are let in again", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId, passwordHash });
    await server.call("admin/suspend", { email: parent.email, what: "person" }, admin.token);
    expect((await server.call("auth/login", { email: child.email, password })).status).toBe(403);
    expect((await change(child.id, "user")).status).toBe(200);
    expect((await server.call("auth/login", { email: child.email, password })).status).toBe(200);
  });

  it("is refused where nobody would answer, across kinds of organisations, and of oneself", async () => {
    const [user, partner] = [await member(server, "user"), await member(server, "partner")];
    for (const [id, role] of [
      [user.id, "userChild"],
      [user.id, "partner"],
      [partner.id, "admin"],
      [admin.id, "adminChild"],
    ] as const) {
      const refused = await change(id, role);
      expect([refused.status, refused.body.error?.endsWith(".")]).toEqual([409, true]);
    }
    expect((await personNow(user.id)).role).toBe("user");
  });

  it("leaves one administrator of those who take each other's role at once", async () => {
    const provider = { organisationId: admin.organisationId };
    for (let round = 0; round < 4; round++) {
      const other = await member(server, "admin", provider);
      const pair = [admin, other];
      await Promise.all([change(other.id, "adminChild", admin), change(admin.id, "adminChild", other)]);
      const left = await Promise.all(pair.map(isLetIn));
      expect(left.filter(Boolean)).toHaveLength(1);
      admin = pair[left.indexOf(true)] ?? admin;
    }
  });
});

describe("Invitations", () => {
  const invite = async (by: Member) => {
    const form = { ...registration(), phoneNo: "9800000001" };
    expect((await server.call("partner/create-user", form, by.token)).status).toBe(201);
    return form.email;
  };
  const tokenIn = async (email: string) =>
    /#token=([\w-]+)/.exec((await server.mailbox.take(email, /invited/i)).text ?? "")?.[1] ?? "";
  const listed = async (email: string) =>
    (await server.call("admin/people/invitations", { search: email }, admin.token)).body.invitations;

  it("of every organisation are listed, sent again and withdrawn by an administrator; the link says so", async () => {
    const email = await invite(await member(server, "partner"));
    const first = await tokenIn(email);
    const [row] = await listed(email);
    expect(row).toMatchObject({ email, status: "invited", invited_by: "Asha Rao" });
    const id = row?.id ?? "";
    expect((await server.call("people/resend-invitation", { id }, admin.token)).status).toBe(200);
    const second = await tokenIn(email);
    expect((await server.call("people/withdraw-invitation", { id }, admin.token)).status).toBe(200);
    expect(await listed(email)).toEqual([]);
    const opened = await server.call("auth/invitation", { token: second });
    expect([opened.status, opened.body.error]).toEqual([
      422,
      "This invitation was withdrawn. Please ask whoever invited you if you think that is a mistake.",
    ]);
    // An earlier link was replaced, not withdrawn.
    expect((await server.call("auth/invitation", { token: first })).body.error).toMatch(/expired or was already used/);
  });
});

describe("Sign-ins of a person", () => {
  it("are listed with their devices, and ended one by one or all at once", async () => {
    const person = await member(server, "partner", { passwordHash });
    const [again] = [await signInAs(person.email)];
    const list = async () => (await server.call("admin/people/sessions", { id: person.id }, admin.token)).body.sessions;
    const [newest] = await list();
    expect(await list()).toHaveLength(2);
    expect(newest).toMatchObject({
      current: false,
      device: "Firefox on Windows",
      address: expect.stringMatching(/\d/),
    });
    const end = (session_id: string | null) =>
      server.call("admin/people/end-sessions", { id: person.id, session_id }, admin.token);
    expect((await end(newest?.id ?? "")).status).toBe(200);
    expect([await isLetIn({ token: again }), await isLetIn(person)]).toEqual([false, true]);
    expect((await end(newest?.id ?? "")).status).toBe(404);
    expect((await end(null)).status).toBe(200);
    expect([await isLetIn(person), await list()]).toEqual([false, []]);
    expect(await lastEntry(`person:${person.id}`)).toMatchObject({ action: "sign out person" });
  });

  async function signInAs(email: string): Promise<string> {
    await server.call("auth/login", { email, password });
    const otp = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
    const browser = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" };
    return String((await server.send("auth/verify-otp", { email, otp }, undefined, browser)).body["token"]);
  }
});

describe("Whoever is suspended", () => {
  it("is told apart from who is out with the organisation", async () => {
    const parent = await member(server, "user");
    const child = await member(server, "userChild", { organisationId: parent.organisationId });
    await server.call("admin/suspend", { email: child.email, what: "person" }, admin.token);
    await server.call("admin/suspend", { email: parent.email, what: "organisation" }, admin.token);
    const listed = await server.call("admin/people", { email: parent.email }, admin.token);
    const states = listed.body.people.map(({ id, status, self_suspended }) => [id, status, self_suspended]);
    expect(states).toEqual(
      expect.arrayContaining([
        [parent.id, "suspended", false],
        [child.id, "suspended", true],
      ]),
    );
    const { organization } = (await server.call("admin/people/organization", { email: child.email }, admin.token)).body;
    expect(organization.suspended).toBe(true);
  });

  it("is told after the right password only, and at the next request of the session that ended", async () => {
    const person = await member(server, "user", { passwordHash });
    await server.call("admin/suspend", { email: person.email, what: "organisation" }, admin.token);
    const sentence = "This account is suspended. Please write to our support if you think that is a mistake.";
    const right = await server.call("auth/login", { email: person.email, password });
    expect([right.status, right.body.code, right.body.error]).toEqual([403, "suspended", sentence]);
    const wrong = await server.call("auth/login", { email: person.email, password: "not the password 1" });
    expect([wrong.status, wrong.body.error]).toEqual([401, "Invalid credentials"]);
    const next = await server.call("user/get-estimation", {}, person.token);
    expect([next.status, next.body.code, next.body.error]).toEqual([401, "unauthenticated", sentence]);
  });
});

test("A child administrator sees people and organisations, and changes nothing", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { id, email } = await member(server, "user");
  const ask = (name: string, body: object) => server.send(name, body, child.token);
  expect((await ask("admin/people", { email })).body["people"]).toMatchObject([{ id, email, status: "active" }]);
  expect((await ask("admin/people/sessions", { id })).status).toBe(200);
  const before = await personNow(id);
  const [last] = await database().select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
  const change = { id, version: 1, firstName: "X", lastName: "Y", phoneNo: "9800000001" };
  expect((await ask("admin/people/change", change)).status).toBe(403);
  expect((await ask("admin/people/end-sessions", { id, session_id: null })).status).toBe(403);
  expect(await personNow(id)).toEqual(before);
  expect(last?.action).not.toBe("change person");
});

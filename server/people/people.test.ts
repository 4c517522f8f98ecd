import { eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import type { Answer } from "../../contract/operations.ts";
import { password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { auditEntries, organisations, people, rateLimits } from "../database/schema/index.ts";
import { rules } from "../protection/limiter.ts";

let server: TestServer;
let user: Member;
let partner: Member;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer();
  partner = await member(server, "partner", { organizationName: "Narmada Networks" });
  user = await member(server, "user", { partnerId: partner.organisationId });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const childForm = (over: object = {}) => ({
  firstName: "Ravi",
  lastName: "Nair",
  email: `ravi-${randomUUID().slice(0, 13)}@example.in`,
  phoneNo: "98000 00001",
  ...over,
});
const organisationForm = (over: object = {}) => ({ organizationName: "Godavari Foods", ...childForm(), ...over });
const acceptInvitation = async (email: string) => {
  const { text = "" } = await server.mailbox.take(email, /invited/i);
  const token = /#token=([\w-]+)/.exec(text)?.[1] ?? "";
  return server.call("auth/accept-invite", { token, password, confirmPassword: password });
};
const personOf = async (email: string) =>
  (await server.services.database.select().from(people).where(eq(people.email, email)))[0];

describe("Adding a child", () => {
  const adders = [
    ["user", "user/create-child-user", "user/children"],
    ["partner", "partner/create-child-user", "partner/children"],
    ["admin", "admin/createChildUserByAdmin", "admin/getChildrenByParentId"],
  ] as const;

  it.each(adders)("as %s invites the person, who is listed as invited, then active", async (role, add, list) => {
    const adder = { user, partner, admin }[role];
    const form = childForm();
    const added = await server.call(add, form, adder.token);
    expect(added).toMatchObject({ status: 201, body: { message: "User added successfully!" } });
    const find = async () =>
      (await server.call(list, {}, adder.token)).body.children.find(({ email }) => email === form.email);
    expect(await find()).toMatchObject({
      first_name: "Ravi",
      last_name: "Nair",
      email: form.email,
      phone_no: "+919800000001",
      status: "invited",
    });
    expect((await acceptInvitation(form.email)).status).toBe(200);
    expect((await find())?.status).toBe("active");
    const { body } = await server.call("user/me", {}, await signIn(server, form.email));
    expect(body.user.role).toBe(`${role}Child`);
    const person = await personOf(form.email);
    expect(person?.organisationId).toBe(adder.organisationId);
    const [noted] = await server.services.database
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `person:${person?.id}`));
    expect(noted).toMatchObject({ actorId: adder.id, action: "add child" });
  });

  it.each([
    ["userChild", "user/create-child-user"],
    ["partnerChild", "partner/create-child-user"],
    ["adminChild", "admin/createChildUserByAdmin"],
    ["partner", "user/create-child-user"],
    ["user", "admin/createChildUserByAdmin"],
  ] as const)("as %s by %s is refused", async (role, name) => {
    const form = childForm();
    expect((await server.call(name, form, (await member(server, role)).token)).status).toBe(403);
    expect(await personOf(form.email)).toBeUndefined();
  });

  const wrong: [string, unknown, string][] = [
    ["firstName", " ", "First name is required"],
    ["firstName", undefined, "First name is required"],
    ["lastName", "", "Last name is required"],
    ["email", "ravi.example.in", "Invalid email address"],
    ["email", "", "Invalid email address"],
    ["phoneNo", "9800000", "Phone number is too short"],
    ["phoneNo", undefined, "Phone number is too short"],
  ];
  it.each(wrong)("with the %s %j of a customer or partner says: %s", async (field, value, sentence) => {
    for (const [name, { token }] of [
      ["user/create-child-user", user],
      ["partner/create-child-user", partner],
    ] as const) {
      const { status, body } = await server.send(name, childForm({ [field]: value }), token);
      expect([status, body.fields]).toEqual([422, { [field]: sentence }]);
    }
  });

  it.each([
    ["firstName", "", "First name is required"],
    ["lastName", "", "Last name is required"],
    ["email", "ravi", "Invalid email address"],
    ["phoneNo", "980000000", "Phone number must be at least 10 digits"],
    ["phoneNo", "", "Phone number must be at least 10 digits"],
  ])("with the %s %j of the provider says: %s", async (field, value, sentence) => {
    const { status, body } = await server.send(
      "admin/createChildUserByAdmin",
      childForm({ [field]: value }),
      admin.token,
    );
    expect([status, body.fields]).toEqual([422, { [field]: sentence }]);
  });

  it("with an e-mail of another tenant, of one's own organisation or of nobody's other account reads the same", async () => {
    const stranger = await member(server, "user");
    const sibling = await member(server, "userChild", { organisationId: user.organisationId });
    for (const email of [stranger.email, stranger.email.toUpperCase(), sibling.email, admin.email]) {
      const { status, body } = await server.call("user/create-child-user", childForm({ email }), user.token);
      expect([status, body.code, body.fields]).toEqual([422, "invalid", { email: messages.emailNotAddable }]);
    }
    const { body } = await server.call(
      "admin/createChildUserByAdmin",
      childForm({ email: stranger.email }),
      admin.token,
    );
    expect(body.fields).toEqual({ email: messages.emailTaken });
  });

  it("twice at once makes one person and one sentence", async () => {
    const form = childForm();
    const answers = await Promise.all([1, 2, 3].map(() => server.call("user/create-child-user", form, user.token)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "422", "422"]);
    expect(await server.services.database.$count(people, eq(people.email, form.email))).toBe(1);
  });

  it("can't be done without end", async () => {
    const { token, id } = await member(server, "user");
    const { limiter } = server.services;
    for (let added = 0; added < rules.invitationByAccount.points; added++)
      await limiter.consume("invitationByAccount", id);
    const { status, headers } = await server.call("user/create-child-user", childForm(), token);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
  });
});

describe("Adding an organisation", () => {
  it("as partner onboards a customer of the partner's own, with an invitation", async () => {
    const form = organisationForm();
    const added = await server.call("partner/create-user", form, partner.token);
    expect(added).toMatchObject({ status: 201, body: { message: "User onboarded successfully!" } });
    expect((await acceptInvitation(form.email)).status).toBe(200);
    const { body } = await server.call("user/me", {}, await signIn(server, form.email));
    expect(body.user).toMatchObject({ role: "user", organizationName: "Godavari Foods" });
    const { body: found } = await server.call(
      "partner/get-user-by-partner-email",
      { email: form.email },
      partner.token,
    );
    expect(found.user).toMatchObject([{ email: form.email, partner_organization_name: "Narmada Networks" }]);
  });

  it("as administrator adds a partner, with an invitation", async () => {
    const form = organisationForm({ organizationName: "Tapti Telecom" });
    const added = await server.call("admin/createPartnerByAdmin", form, admin.token);
    expect(added).toMatchObject({ status: 201, body: { message: "Partner added successfully" } });
    await server.mailbox.take(form.email, /invited/i);
    const { body } = await server.call("admin/getUserByAdmin", { role: "partner", search: "tapti" }, admin.token);
    expect(body.users).toMatchObject([
      { email: form.email, organization_name: "Tapti Telecom", role: "partner", partner_organization_name: null },
    ]);
  });

  it("as partnerChild onboards, as adminChild adds no partner", async () => {
    const child = await member(server, "partnerChild", { organisationId: partner.organisationId });
    expect((await server.call("partner/create-user", organisationForm(), child.token)).status).toBe(201);
    const adminChild = await member(server, "adminChild", { organisationId: admin.organisationId });
    const refused = await server.call("admin/createPartnerByAdmin", organisationForm(), adminChild.token);
    expect(refused.status).toBe(403);
  });

  it.each([
    ["organizationName", "", "Organization name is required"],
    ["firstName", "", "First name is required"],
    ["lastName", "", "Last name is required"],
    ["email", "no at-sign", "Invalid email address"],
    ["phoneNo", "98000 000", "Phone number must be at least 10 digits"],
  ])("with the %s %j says: %s", async (field, value, sentence) => {
    for (const [name, { token }] of [
      ["partner/create-user", partner],
      ["admin/createPartnerByAdmin", admin],
    ] as const) {
      const { status, body } = await server.send(name, organisationForm({ [field]: value }), token);
      expect([status, body.fields]).toEqual([422, { [field]: sentence }]);
    }
  });

  it("with a taken e-mail leaves no organisation behind", async () => {
    const form = organisationForm({ organizationName: "Left Behind", email: user.email });
    const asPartner = await server.call("partner/create-user", form, partner.token);
    expect([asPartner.status, asPartner.body.fields]).toEqual([422, { email: messages.emailNotAddable }]);
    const asAdmin = await server.call("admin/createPartnerByAdmin", form, admin.token);
    expect([asAdmin.status, asAdmin.body.fields]).toEqual([422, { email: messages.emailTaken }]);
    expect(await server.services.database.$count(organisations, eq(organisations.name, "Left Behind"))).toBe(0);
  });

  it("keeps a name that is long or written from right to left as it is", async () => {
    const names = {
      organizationName: "شركة الخليج للأمن ".repeat(6).trim(),
      firstName: "عبد الرحمن",
      lastName: "ß".repeat(60),
    };
    const form = organisationForm(names);
    expect((await server.call("partner/create-user", form, partner.token)).status).toBe(201);
    const { body } = await server.call("partner/users", { search: "عبد الرحمن" }, partner.token);
    expect(body.users).toMatchObject([
      { organization_name: names.organizationName, first_name: names.firstName, last_name: names.lastName },
    ]);
    const tooLong = await server.call(
      "partner/create-user",
      organisationForm({ firstName: "a".repeat(61) }),
      partner.token,
    );
    expect(Object.keys(tooLong.body.fields ?? {})).toEqual(["firstName"]);
  });
});

describe("Lists of people", () => {
  it("find three characters in the middle of an Indian word, its vowel signs among them, and two where a word begins", async () => {
    const { email } = await member(server, "user", { organizationName: "गोमती टेक्सटाइल्स" });
    const other = await member(server, "user", { organizationName: "தமிழ்நாடு துணி" });
    const find = async (search: string) =>
      (await server.call("admin/getUserByAdmin", { role: "user", search }, admin.token)).body.users.map(
        (found) => found.email,
      );
    for (const word of ["गोमती", "मती", "टाइल", "टेक्स", "क्सट", "टे"])
      expect([word, await find(word)]).toEqual([word, [email]]);
    for (const word of ["தமிழ்", "நாடு", "மிழ்நா", "து"]) expect([word, await find(word)]).toEqual([word, [other.email]]);
    expect([await find("इल"), await find("டு")]).toEqual([[], []]);
  });

  it("of a partner hold its own customers only, and no other e-mail can be told from an unknown one", async () => {
    const other = await member(server, "partner");
    const theirs = await member(server, "user", { partnerId: other.organisationId });
    const unassigned = await member(server, "user");
    const { body } = await server.call("partner/users", { limit: 100 }, other.token);
    expect([body.total, body.users.map(({ email }) => email)]).toEqual([1, [theirs.email]]);
    for (const email of [user.email, unassigned.email, other.email, admin.email, "nobody@example.in"]) {
      const found = await server.call("partner/get-user-by-partner-email", { email }, other.token);
      expect([found.status, found.body]).toEqual([200, { user: [] }]);
    }
  });

  it("of an administrator hold everybody's first person, by role, and 'Default' customers without a partner", async () => {
    const mine = await member(server, "user", { organizationName: "Sabarmati Steel" });
    await member(server, "userChild", { organisationId: mine.organisationId });
    const { body } = await server.call("admin/getUserByAdmin", { role: "user", search: "sabarmati" }, admin.token);
    expect(body.users).toEqual([
      {
        id: mine.id,
        first_name: "Asha",
        last_name: "Rao",
        email: mine.email,
        phone_no: "+919876543210",
        organization_name: "Sabarmati Steel",
        partner_organization_name: null,
        role: "user",
        status: "active",
        customer_state: { stage: "no_quote", payment_under_way: false, quote_open_until: null, renews_on: null },
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const wrong = await server.send("admin/getUserByAdmin", { role: "admin" }, admin.token);
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([422, ["role"]]);
  });

  it("lead from any person's e-mail to the first one of a customer or partner, and from a partner to its customers", async () => {
    const child = await member(server, "userChild", { organisationId: user.organisationId });
    const partnerChild = await member(server, "partnerChild", { organisationId: partner.organisationId });
    const first = async (email: string) =>
      (await server.call("admin/getUserByEmailforAdmin", { email }, admin.token)).body.user.map(({ id }) => id);
    expect(await first(child.email)).toEqual([user.id]);
    expect(await first(partnerChild.email)).toEqual([partner.id]);
    expect(await first(admin.email)).toEqual([]);
    const asPartner = await server.call("partner/get-user-by-partner-email", { email: child.email }, partner.token);
    expect(asPartner.body.user.map(({ id }) => id)).toEqual([user.id]);
    const search = { email: partnerChild.email, search: user.email };
    const { body } = await server.call("admin/getUsersByPartnerEmail", search, admin.token);
    expect(body.users.map(({ id }) => id)).toEqual([user.id]);
    const none = await server.call("admin/getUsersByPartnerEmail", { email: user.email }, admin.token);
    expect(none.body).toEqual({ users: [], nextCursor: null, total: 0, totalIsCapped: false });
  });

  it("are sorted by each column, both ways, and paged through, each person once", async () => {
    const owner = await member(server, "partner");
    for (const [index, organizationName] of ["beta", "Alpha", "gamma", "Ärger", "delta"].entries())
      await member(server, "user", {
        organizationName,
        partnerId: owner.organisationId,
        firstName: organizationName.toUpperCase(),
        phone: `+9198765432${index}0`,
        createdAt: new Date(Date.UTC(2026, index, 1)),
      });
    const list = (query: object) => server.call("partner/users", query, owner.token);
    for (const sort of ["name", "email", "phone_no", "organization_name", "partner_organization_name", "created_at"]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await list({ sort, limit: 2, ...(cursor && { cursor }) });
        expect(body.total).toBe(5);
        seen.push(...body.users.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor;
      } while (cursor);
      expect(new Set(seen).size, sort).toBe(5);
      const downwards = (await list({ sort: `-${sort}` })).body.users.map(({ id }) => id);
      expect(downwards, sort).toEqual(seen.toReversed());
    }
    const names = (await list({ sort: "organization_name" })).body.users.map((each) => each.organization_name);
    expect(names).toEqual(["Alpha", "beta", "delta", "gamma", "Ärger"]);
    expect((await list({ sort: "password_hash" })).status).toBe(422);
  });

  it("of 500 children are complete, page by page", async () => {
    const parent = await member(server, "user");
    await server.services.database.insert(people).values(
      Array.from({ length: 500 }, (_, index) => ({
        organisationId: parent.organisationId,
        role: "userChild" as const,
        firstName: `Child ${index}`,
        lastName: "Rao",
        email: `child-${index}-${parent.id.slice(0, 8)}@example.in`,
        phone: "+919876543210",
      })),
    );
    const seen = new Set<string>();
    let cursor = "";
    do {
      const query = { limit: 100, ...(cursor !== "" && { cursor }) };
      const { body }: { body: Answer<"user/children"> } = await server.call("user/children", query, parent.token);
      expect(body.total).toBe(500);
      for (const { id } of body.children) seen.add(id);
      cursor = body.nextCursor ?? "";
    } while (cursor !== "");
    expect(seen.size).toBe(500);
    const { body } = await server.call("user/children", { search: "CHILD 77 " }, parent.token);
    expect(body.children.map(({ first_name: name }) => name)).toEqual(["Child 77"]);
    expect((await server.call("user/children", {}, (await member(server, "user")).token)).body.children).toEqual([]);
  });

  it("follow when an organisation gets another name or partner", async () => {
    const { database } = server.services;
    const moved = await member(server, "user", { organizationName: "Old Name" });
    await database
      .update(organisations)
      .set({ name: "New Name", partnerId: partner.organisationId })
      .where(eq(organisations.id, moved.organisationId));
    await database
      .update(organisations)
      .set({ name: "Renamed Networks" })
      .where(eq(organisations.id, partner.organisationId));
    const { body } = await server.call("partner/users", { search: moved.email }, partner.token);
    expect(body.users).toMatchObject([
      { organization_name: "New Name", partner_organization_name: "Renamed Networks" },
    ]);
    const registered = registration();
    await server.call("auth/register", registered);
    const listed = await server.call("admin/getUserByAdmin", { role: "user", search: registered.email }, admin.token);
    expect(listed.body.users).toMatchObject([{ organization_name: registered.organizationName }]);
  });
});

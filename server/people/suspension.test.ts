import { eq } from "drizzle-orm";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { answerTo, buyer, orderOf, webhook } from "../../tests/buyer.ts";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { jobsDone } from "../../tests/jobs-done.ts";
import { member, type Member, scopeFor } from "../../tests/people.ts";
import { whileHeld } from "../../tests/while-held.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { auditEntries, organisations, people, rateLimits } from "../database/schema/index.ts";
import { restorePerson } from "./suspension.ts";

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

type What = "person" | "organisation";
const suspend = (email: string, what: What, by = admin) => server.call("admin/suspend", { email, what }, by.token);
const restore = (email: string, what: What, by = admin) => server.call("admin/restore", { email, what }, by.token);
const isLetIn = async ({ token }: Pick<Member, "token">) => (await server.call("user/me", {}, token)).status === 200;
const login = async (email: string) => (await server.call("auth/login", { email, password })).status;
const noted = async (subject: string) => {
  const rows = await server.services.database
    .select({ action: auditEntries.action, actorId: auditEntries.actorId })
    .from(auditEntries)
    .where(eq(auditEntries.subject, subject))
    .orderBy(auditEntries.id);
  return rows.filter(({ actorId }) => actorId === admin.id).map(({ action }) => action);
};

/** A main and a child account of one organisation, both signed in and able to sign in again. */
async function family(role: "user" | "partner" | "admin") {
  const parent = await member(server, role, { passwordHash });
  const { organisationId } = parent;
  return { parent, child: await member(server, `${role}Child`, { passwordHash, organisationId }) };
}

describe("A suspended person", () => {
  it.each(["user", "userChild", "partner", "partnerChild", "admin", "adminChild"] as const)(
    "with the role %s is out at once, can neither sign in nor reset, and signs in anew when restored",
    async (role) => {
      const person = await member(server, role, { passwordHash });
      expect(await suspend(person.email, "person")).toMatchObject({
        status: 200,
        body: { message: "The person is suspended." },
      });
      expect([await isLetIn(person), await login(person.email)]).toEqual([false, 403]);
      await server.call("auth/forgot-password", { email: person.email });
      await jobsDone(server, "mail-reset-link", "send-mail");
      expect((await suspend(person.email, "person")).status).toBe(200);
      expect((await restore(person.email, "person")).status).toBe(200);
      expect((await restore(person.email, "person")).status).toBe(200);
      // The earlier session stays ended.
      expect([await isLetIn(person), await login(person.email)]).toEqual([false, 200]);
      expect(await noted(`person:${person.id}`)).toEqual(["suspend person", "restore person"]);
      expect(
        server.mailbox.mails.some(
          ({ to, subject }) => to?.[0]?.address === person.email && /set a new/i.test(subject ?? ""),
        ),
      ).toBe(false);
    },
  );

  it("can use neither the code nor the link that was mailed before", async () => {
    const { email } = await customer(server);
    await server.call("auth/login", { email, password });
    const otp = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
    await server.call("auth/forgot-password", { email });
    const token = /#token=([\w-]+)/.exec((await server.mailbox.take(email, /set a new/i)).text ?? "")?.[1] ?? "";
    await suspend(email, "person");
    expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
    const reset = { token, newPassword: "seven blue tables 77", confirmPassword: "seven blue tables 77" };
    expect((await server.call("auth/reset-password", reset)).status).toBe(422);
    await restore(email, "person");
    expect((await server.call("auth/verify-otp", { email, otp })).status).toBe(401);
    expect((await server.call("auth/reset-password", reset)).status).toBe(422);
    expect(await signIn(server, email)).toMatch(/^ey/);
  });

  it.each(["user", "partner", "admin"] as const)(
    "with the role %s takes the child accounts along, until restored",
    async (role) => {
      const { parent, child } = await family(role);
      await suspend(parent.email, "person");
      expect([await isLetIn(child), await login(child.email)]).toEqual([false, 403]);
      await restore(parent.email, "person");
      expect([await isLetIn(child), await login(child.email)]).toEqual([false, 200]);
    },
  );

  it("takes no child along while another parent answers for the organisation", async () => {
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const other = await member(server, "admin", { organisationId: admin.organisationId });
    await suspend(other.email, "person");
    expect([await isLetIn(other), await isLetIn(child), await isLetIn(admin)]).toEqual([false, true, true]);
  });

  it("of child role leaves the others of the organisation alone", async () => {
    const { parent, child } = await family("user");
    await suspend(child.email, "person");
    expect([await isLetIn(child), await isLetIn(parent)]).toEqual([false, true]);
  });

  it("is listed as suspended", async () => {
    const { parent, child } = await family("user");
    await suspend(child.email, "person");
    const statusOf = async () =>
      (await server.call("user/children", {}, parent.token)).body.children.find(({ id }) => id === child.id)?.status;
    expect(await statusOf()).toBe("suspended");
    await restore(child.email, "person");
    expect(await statusOf()).toBe("active");
  });
});

describe("A suspended organisation", () => {
  it.each(["user", "partner"] as const)(
    "of a %s shuts everybody of it out at once, whoever of them is named",
    async (role) => {
      const { parent, child } = await family(role);
      expect((await suspend(child.email, "organisation")).status).toBe(200);
      for (const person of [parent, child])
        expect([await isLetIn(person), await login(person.email)]).toEqual([false, 403]);
      expect((await suspend(parent.email, "organisation")).status).toBe(200);
      const listed = await server.call("admin/getUserByAdmin", { role, search: parent.email }, admin.token);
      expect(listed.body.users).toMatchObject([{ status: "suspended" }]);
      await restore(parent.email, "organisation");
      for (const person of [parent, child])
        expect([await isLetIn(person), await login(person.email)]).toEqual([false, 200]);
      expect(await noted(`organisation:${parent.organisationId}`)).toEqual([
        "suspend organisation",
        "restore organisation",
      ]);
    },
  );

  it("that is restored does not restore who was suspended on their own", async () => {
    const { parent, child } = await family("user");
    await suspend(child.email, "person");
    await suspend(parent.email, "organisation");
    await restore(parent.email, "organisation");
    expect([await login(parent.email), await login(child.email)]).toEqual([200, 403]);
  });

  it("that is a partner leaves its customers alone, and their invitations too", async () => {
    const { parent: partner } = await family("partner");
    const theirs = await member(server, "user", { partnerId: partner.organisationId });
    const form = { ...registration(), phoneNo: "9800000001" };
    await server.call("partner/create-user", form, partner.token);
    const token = /#token=([\w-]+)/.exec((await server.mailbox.take(form.email, /invited/i)).text ?? "")?.[1] ?? "";
    await suspend(partner.email, "organisation");
    expect(await isLetIn(theirs)).toBe(true);
    expect((await server.call("auth/accept-invite", { token, password, confirmPassword: password })).status).toBe(200);
  });

  it("accepts nobody who was invited to it, until it is restored", async () => {
    const { parent } = await family("user");
    const email = registration().email;
    const child = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
    await server.call("user/create-child-user", child, parent.token);
    const token = /#token=([\w-]+)/.exec((await server.mailbox.take(email, /invited/i)).text ?? "")?.[1] ?? "";
    const accept = () => server.call("auth/accept-invite", { token, password, confirmPassword: password });
    await suspend(parent.email, "organisation");
    expect([(await accept()).status, (await server.call("auth/invitation", { token })).status]).toEqual([422, 422]);
    await restore(parent.email, "organisation");
    expect((await accept()).status).toBe(200);
  });

  it("still settles what it was paying, with its invoice", async () => {
    const { person, quote, start } = await buyer(server);
    const form = (await start()).body;
    await suspend(person.email, "organisation");
    expect((await start()).status).toBe(401);
    expect((await webhook(server, answerTo(server, form))).status).toBe(200);
    await expect.poll(async () => (await orderOf(server, quote.id))?.state).toBe("success");
    expect((await server.mailbox.take(person.email, /invoice SOC/)).attachments).toHaveLength(1);
  });

  it("is never the provider's: its people are suspended one by one", async () => {
    expect((await suspend(admin.email, "organisation")).status).toBe(404);
    expect(await isLetIn(admin)).toBe(true);
  });
});

describe("A customer that becomes part of another one in that moment", () => {
  const merging = ({ organisationId }: Member, into: Member) =>
    `update people set organisation_id = '${into.organisationId}' where organisation_id = '${organisationId}';
     delete from organisations where id = '${organisationId}'`;
  it.each([
    ["is not suspended", "organisation", suspend, 404, "This organization was not found."],
    ["is not restored", "organisation", restore, 404, "This organization was not found."],
    ["has nobody to suspend", "person", suspend, 409, messages.organizationMerged],
  ] as const)("%s, and the answer says so", async (_what, what, change, status, sentence) => {
    const [from, into] = [await member(server, "user"), await member(server, "user")];
    if (change === restore) await suspend(from.email, what);
    const [answer] = await whileHeld(server, merging(from, into), () => [change(from.email, what)], 1, "commit");
    expect([answer?.status, answer?.body]).toMatchObject([status, { error: sentence }]);
    const [moved] = await server.services.database.select().from(people).where(eq(people.id, from.id));
    expect([moved?.organisationId, moved?.suspendedAt]).toEqual([into.organisationId, null]);
  });
});

describe("An administrator always remains", () => {
  it("nobody suspends themselves", async () => {
    const refused = await suspend(admin.email, "person");
    expect([refused.status, refused.body.error]).toEqual([409, "Nobody can suspend their own account."]);
    expect(await isLetIn(admin)).toBe(true);
  });

  it("of administrators who suspend each other at once one stays, whatever their number", async () => {
    for (let round = 0; round < 10; round++) {
      const others = await Promise.all(
        [1, 2, 3].map(() => member(server, "admin", { organisationId: admin.organisationId })),
      );
      const all = [admin, ...others];
      const answers = await Promise.all(all.flatMap((by) => all.map((one) => suspend(one.email, "person", by))));
      const unlike = answers.filter(({ status }) => ![200, 401, 403, 409].includes(status));
      expect(unlike.map(({ status, body }) => [status, body])).toEqual([]);
      const left = await Promise.all(all.map(isLetIn));
      expect(left.filter(Boolean)).toHaveLength(1);
      admin = all[left.indexOf(true)] ?? admin;
    }
  });

  it("who is suspended while they restore themselves stays out", async () => {
    const other = await member(server, "admin", { organisationId: admin.organisationId, passwordHash });
    // As for a call of theirs that was let in a moment before.
    const scope = await scopeFor(server, "admin/restore", other);
    await suspend(other.email, "person");
    await expect(restorePerson(server.services, scope, other.email)).rejects.toThrow("Your session has ended");
    expect([await isLetIn(other), await login(other.email)]).toEqual([false, 403]);
  });
});

it.each(["person", "organisation"] as const)(
  "An unknown e-mail or one merely invited is no %s to suspend",
  async (what) => {
    const { parent } = await family("user");
    const email = registration().email;
    for (const change of [suspend, restore]) expect((await change(email, what)).status).toBe(404);
    if (what === "organisation") return;
    const child = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "9800000001" };
    await server.call("user/create-child-user", child, parent.token);
    for (const change of [suspend, restore]) expect((await change(email, what)).status).toBe(404);
  },
);

it("A sign-in that is under way when its organisation is suspended ends outside", async () => {
  for (let round = 0; round < 5; round++) {
    const { email } = await customer(server);
    await server.call("auth/login", { email, password });
    const otp = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
    const [verified] = await Promise.all([
      server.call("auth/verify-otp", { email, otp }),
      suspend(email, "organisation"),
    ]);
    expect(await isLetIn({ token: verified.body.token ?? "none" })).toBe(false);
    await restore(email, "organisation");
    expect(await isLetIn({ token: verified.body.token ?? "none" })).toBe(false);
  }
});

it("A sign-in that waits behind the suspension of its organisation opens no session", async () => {
  const { email } = await customer(server);
  await server.call("auth/login", { email, password });
  const otp = /\b\d{6}\b/.exec((await server.mailbox.take(email, /sign-in code/i)).text ?? "")?.[0] ?? "";
  const hold = `select from people where email = '${email}' for update`;
  const [, verified] = await whileHeld<{ status: number }>(server, hold, () => {
    const suspending = suspend(email, "organisation");
    // Comes after the suspension, with what it had read before.
    const signingIn = sleep(500).then(() => server.call("auth/verify-otp", { email, otp }));
    return [suspending, signingIn];
  });
  expect(verified?.status).toBe(401);
});

it("A suspension is an administrator's alone", async () => {
  const { parent } = await family("user");
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  for (const by of [child, parent, await member(server, "partner")]) {
    expect((await suspend(parent.email, "person", by)).status).toBe(403);
    expect((await restore(parent.email, "organisation", by)).status).toBe(403);
  }
  const [row] = await server.services.database
    .select()
    .from(organisations)
    .where(eq(organisations.id, parent.organisationId));
  expect(row?.suspendedAt).toBeNull();
});

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createAdministrator } from "../accounts/administrators.ts";
import { demoPassword } from "../accounts/demo-password.ts";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { StartRefused } from "../settings/start-refused.ts";
import { leads, people, rateLimits, seedings } from "../database/schema/index.ts";
import { closeDemo, demoSignIns, reopenDemo } from "./accounts.ts";
import { demoTransport } from "./mail-transport.ts";
import { seedDemo } from "./seed.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await seedDemo(server.services);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const emailOf = (role: string) => demoSignIns.find((each) => each.role === role)?.email ?? "";
const person = () => {
  const { firstName, lastName, email, phoneNo, organizationName } = registration();
  return { firstName, lastName, email, phoneNo, organizationName };
};
const isLetIn = async (email: string, secret: string) =>
  (await server.call("auth/login", { email, password: secret })).status === 200;
const isAlive = async (token: string) => (await server.call("user/me", {}, token)).status === 200;

/** Accepts the invitation that an operation has mailed. */
async function accepted(email: string): Promise<string> {
  const { text = "" } = await server.mailbox.take(email, /invited/i);
  const token = /#token=([\w-]+)/.exec(text)?.[1] ?? "";
  await server.call("auth/accept-invite", { token, password, confirmPassword: password });
  return signIn(server, email);
}

it("A start without demo mode ends every account of the demo, with all whom its people let in, and no other", async () => {
  const ofDemo: { email: string; token: string; secret: string }[] = [];
  for (const { email } of demoSignIns)
    ofDemo.push({ email, secret: demoPassword, token: await signIn(server, email, demoPassword) });
  const tokenOf = (role: string) => ofDemo.find(({ email }) => email === emailOf(role))?.token ?? "";

  const [intruder, reseller, buyer, colleague] = [person(), person(), person(), person()];
  await server.call("admin/createChildUserByAdmin", intruder, tokenOf("admin"));
  await server.call("admin/createPartnerByAdmin", reseller, tokenOf("admin"));
  await server.call("partner/create-user", buyer, tokenOf("partner"));
  await server.call("user/create-child-user", colleague, tokenOf("user"));
  for (const { email } of [intruder, reseller, buyer, colleague])
    ofDemo.push({ email, secret: password, token: await accepted(email) });

  const visitor = await customer(server);
  const own = { email: registration().email, firstName: "Meera", lastName: "Pillai", password };
  await createAdministrator(server.services.database, own);
  const administrator = await signIn(server, own.email);

  expect(await closeDemo(server.services)).toBe(27);
  await server.services.database.delete(rateLimits);
  for (const { email, token, secret } of ofDemo)
    expect([email, await isAlive(token), await isLetIn(email, secret)]).toEqual([email, false, false]);
  expect(await isAlive(visitor.token)).toBe(true);
  expect(await isAlive(administrator)).toBe(true);

  const later = person();
  await server.call("admin/createChildUserByAdmin", later, administrator);
  const token = await accepted(later.email);
  expect(await closeDemo(server.services)).toBe(0);
  expect(await isAlive(token)).toBe(true);
});

it("A later start in demo mode gives the accounts back with the published password", async () => {
  const hashes = () => server.services.database.select({ id: people.id, suspendedAt: people.suspendedAt }).from(people);
  await Promise.all([reopenDemo(server.services), seedDemo(server.services)]);
  expect((await hashes()).filter(({ suspendedAt }) => suspendedAt)).toEqual([]);
  for (const { email } of demoSignIns) expect([email, await isLetIn(email, demoPassword)]).toEqual([email, true]);
});

const administrator = { email: "meera@example.in", firstName: "Meera", lastName: "Pillai", password };
const message = {
  userName: "Asha Rao",
  userEmail: "asha@example.in",
  phone: "+919876543210",
  organization: "Kaveri Textiles",
  organizationSize: 4,
  message: "Please call",
};

it("Where everybody could read the demo's mail, going live ends all that a link from it has opened, and says how to get back in", async () => {
  const { database } = server.services;
  const newPassword = "nine amber lanterns 41";
  const linkIn = async (email: string, subject: RegExp) =>
    /#token=([\w-]+)/.exec((await server.mailbox.take(email, subject)).text ?? "")?.[1] ?? "";
  const resetPassword = async (email: string) => {
    await server.call("auth/forgot-password", { email });
    const token = await linkIn(email, /set a new/i);
    return server.call("auth/reset-password", { token, newPassword, confirmPassword: newPassword });
  };
  const ofCommand = async () => {
    const { email } = registration();
    await createAdministrator(database, { email, firstName: "Meera", lastName: "Pillai", password });
    return email;
  };
  const [kept, reset, corrected, intruder] = [
    await ofCommand(),
    await ofCommand(),
    await ofCommand(),
    registration().email,
  ];
  const tokens = [(await customer(server)).token, await signIn(server, kept)];
  expect((await resetPassword(reset)).status).toBe(200);
  const [person] = await database.select().from(people).where(eq(people.email, corrected));
  const ofDemo = await member(server, "admin", { organisationId: person?.organisationId ?? "" });
  const correction = { id: person?.id ?? "", email: intruder };
  expect((await server.call("admin/people/correct-email", correction, ofDemo.token)).status).toBe(200);
  expect((await server.call("auth/confirm-email", { token: await linkIn(intruder, /confirm/i) })).status).toBe(200);
  tokens.push(await signIn(server, reset, newPassword), await signIn(server, intruder));

  const mail = {
    messageId: "<1@demo.example>",
    to: reset,
    subject: "Set a new password",
    html: "",
    text: "",
    attachments: [],
  };
  await demoTransport(database).send(mail);
  server.log.length = 0;
  await closeDemo(server.services);
  await database.delete(rateLimits);
  for (const token of tokens) expect(await isAlive(token)).toBe(false);
  expect([await isLetIn(kept, password), await isLetIn(reset, newPassword), await isLetIn(intruder, password)]).toEqual(
    [true, false, false],
  );
  expect(server.log.join("")).toContain("comes by “Forgot Password” at the sign-in");
  expect((await resetPassword(reset)).status).toBe(200);
  expect(await isLetIn(reset, newPassword)).toBe(true);
});

it("A database of one's own that is in use is no place for a demo", async () => {
  const used = await startTestServer({ work: false, env: { databaseUrl: "postgres://db.example/prahari" } });
  onTestFinished(() => used.stop());
  await createAdministrator(used.services.database, administrator);
  await expect(seedDemo(used.services)).rejects.toThrow(StartRefused);
  await expect(seedDemo(used.services)).rejects.toThrow(/is in use: .* Set DEMO=0/);
  expect(await used.services.database.$count(people)).toBe(1);
  expect(await closeDemo(used.services)).toBe(0);
});

it.each<[string, (used: TestServer) => Promise<unknown>]>([
  ["in which somebody has an account", (used) => member(used, "user")],
  ["with the estimate of a visitor", (used) => insertQuote(used, null)],
  ["with a visitor's message", ({ services }) => services.database.insert(leads).values(message)],
  ["in which an administrator has signed in", (used) => signIn(used, administrator.email)],
])("No more is the embedded one %s", async (_what, use) => {
  const used = await startTestServer();
  onTestFinished(() => used.stop());
  await createAdministrator(used.services.database, administrator);
  await use(used);
  await expect(seedDemo(used.services)).rejects.toThrow(/^The database is in use: .* Set DEMO=0 and start again, or/);
  expect(await used.services.database.$count(seedings, eq(seedings.name, "demo"))).toBe(0);
});

it("An administrator made by command before the first demo stays beside it", async () => {
  const fresh = await startTestServer({ work: false });
  onTestFinished(() => fresh.stop());
  await createAdministrator(fresh.services.database, administrator);
  await seedDemo(fresh.services);
  expect(await fresh.services.database.$count(seedings, eq(seedings.name, "demo"))).toBe(1);
  expect(await fresh.services.database.$count(people, eq(people.email, administrator.email))).toBe(1);
});

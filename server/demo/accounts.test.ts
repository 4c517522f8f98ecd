import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAdministrator } from "../accounts/administrators.ts";
import { demoPassword } from "../accounts/demo-password.ts";
import { customer, password, registration, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { StartRefused } from "../settings/start-refused.ts";
import { people, rateLimits } from "../database/schema/index.ts";
import { closeDemo, demoSignIns, reopenDemo } from "./accounts.ts";
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

/** Follows the invitation that an operation has mailed. */
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

it("A database of one's own that is in use is no place for a demo", async () => {
  const used = await startTestServer({ work: false, env: { databaseUrl: "postgres://db.example/prahari" } });
  await createAdministrator(used.services.database, {
    email: "meera@example.in",
    firstName: "Meera",
    lastName: "Pillai",
    password,
  });
  await expect(seedDemo(used.services)).rejects.toThrow(StartRefused);
  await expect(seedDemo(used.services)).rejects.toThrow(/is in use: .* Set DEMO=0/);
  expect(await used.services.database.$count(people)).toBe(1);
  expect(await closeDemo(used.services)).toBe(0);
  await used.stop();
});

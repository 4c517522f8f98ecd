import { eq } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Member, member } from "../../tests/people.ts";
import { people, sessions } from "../database/schema/index.ts";

let server: TestServer;
let locker: Client;
let members: Member[];
beforeAll(async () => {
  server = await startTestServer({ work: false });
  locker = new Client({ connectionString: server.databaseUrl });
  await locker.connect();
  members = await Promise.all(Array.from({ length: 10 }, () => member(server, "user")));
});
afterAll(async () => {
  await locker.end();
  await server.stop();
});

/** Each person's own answer when all ask at once. */
const askAtOnce = (asking: Member[]) =>
  Promise.all(asking.map(async ({ token }) => (await server.call("user/me", {}, token)).body.user.email));

const lookupsUnderWay = async () => {
  const { rows } = await server.services.database.$client.query<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and application_name = 'prahari'
      and wait_event_type = 'Lock' and query like '%"sessions"."id" in (%'`,
  );
  return rows.length;
};

it("Everyone who asks at once is taken for who they are", async () => {
  expect(await askAtOnce(members)).toEqual(members.map(({ email }) => email));
});

it("Callers of one moment are looked up together, and whoever comes after waits for no more than two statements", async () => {
  await locker.query("begin; lock table sessions in access exclusive mode");
  const asked = askAtOnce(members);
  await expect.poll(() => server.services.gates.signedIn.use().inside).toBe(members.length);
  await expect.poll(lookupsUnderWay).toBe(2);
  await locker.query("rollback");
  expect(await asked).toEqual(members.map(({ email }) => email));
});

it("A session that ends while a lookup is under way ends for the next one, not for the others of that moment", async () => {
  const [ended, suspended, ...others] = members as [Member, Member, ...Member[]];
  const { database } = server.services;
  await database.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.personId, ended.id));
  await database.update(people).set({ suspendedAt: new Date() }).where(eq(people.id, suspended.id));
  const answers = await Promise.all(
    [ended, ...others, suspended].map(({ token }) => server.call("user/me", {}, token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, ...others.map(() => 200), 401]);
});

it("A lookup that fails fails those who waited for it, and nobody after them", async () => {
  const asking = members.slice(2);
  await locker.query("alter table sessions rename column expires_at to away");
  const failed = await Promise.all(asking.map(({ token }) => server.call("user/me", {}, token)));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([500]));
  await locker.query("alter table sessions rename column away to expires_at");
  expect(await askAtOnce(asking)).toEqual(asking.map(({ email }) => email));
});

import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sessions } from "../server/database/schema/index.ts";
import { startTestServer, type TestServer } from "../tests/harness.ts";
import { member } from "../tests/people.ts";
import { call } from "./api.ts";
import { clearSession, getSession, storeSession } from "./session.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const ask = globalThis.fetch;
  // A browser asks its own origin, and keeps a session; here is neither.
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => ask(server.url + path, init));
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
const stored = new Map<string, string>();
beforeEach(() => clearSession());
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

it("An error that nobody expected is shown with the id that its log line has; others are not", async () => {
  await expect(call("blogs/{idKey}", { idKey: "none" })).rejects.toThrow(/^(?!.*Reference)/);
  await server.services.database.execute(sql`alter table posts rename to posts_elsewhere`);
  const said = await call("blogs", { startingNode: 0, limit: 3 }).then(
    () => "",
    ({ message }: Error) => message,
  );
  const [, reference] = /Reference: ([\da-f-]{36})$/.exec(said) ?? [];
  const line = server.log.map((entry) => JSON.parse(entry) as Record<string, unknown>).find(({ err }) => err);
  expect(reference).toBeDefined();
  expect(line?.["requestId"]).toBe(reference);
});

it("A session that the server does not know any more is forgotten, but for whoever has signed in meanwhile", async () => {
  const [before, after] = [await member(server, "user"), await member(server, "user")];
  await server.services.database.delete(sessions).where(eq(sessions.personId, before.id));
  storeSession(before.token, before.email);
  const refused = call("user/get-estimation");
  storeSession(after.token, after.email);
  await expect(refused).rejects.toMatchObject({ status: 401 });
  expect(getSession().email).toBe(after.email);

  // In another tab, of which this one has not heard yet.
  storeSession(before.token, before.email);
  const again = call("user/get-estimation");
  stored.set("token", after.token);
  await expect(again).rejects.toMatchObject({ status: 401 });
  expect(getSession().email).toBe(after.email);

  storeSession(before.token, before.email);
  await expect(call("user/get-estimation")).rejects.toMatchObject({ status: 401 });
  expect(getSession().isAuthenticated).toBe(false);
});

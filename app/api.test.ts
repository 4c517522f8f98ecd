import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { messages } from "../contract/messages.ts";
import { people, sessions } from "../server/database/schema/index.ts";
import { startTestServer, type TestServer } from "../tests/harness.ts";
import { member } from "../tests/people.ts";
import { call } from "./api.ts";
import { getSession, leaveSession, storeSession } from "./session.ts";
import { takeToasts } from "./toast.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const ask = globalThis.fetch;
  // Replaces what a browser has: requests to its own origin, and stored sessions.
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => ask(server.url + path, init));
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("sessionStorage", {});
  vi.stubGlobal("location", place);
});
const stored = new Map<string, string>();
const place = { pathname: "" };
beforeEach(() => {
  leaveSession();
  takeToasts();
  place.pathname = "/user/dashboard";
});
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

it("What is no number is refused as such, and not taken for what was left empty", async () => {
  const { token, email } = await member(server, "admin");
  storeSession(token, email);
  for (const minutes of [Number("-"), Number("1e999")]) {
    const decided = call("admin/coverage/devices/decide", {
      email,
      ids: [crypto.randomUUID()],
      decision: { is: "limit", minutes },
    });
    // oxlint-disable-next-line no-await-in-loop -- in sequence
    await expect(decided).rejects.toMatchObject({ status: 422, message: expect.stringContaining("minutes") });
  }
});

it("A session that the server does not know any more is forgotten, but for whoever has signed in meanwhile", async () => {
  const [before, after] = [await member(server, "user"), await member(server, "user")];
  await server.services.database.delete(sessions).where(eq(sessions.personId, before.id));
  storeSession(before.token, before.email);
  const refused = call("user/get-estimation");
  storeSession(after.token, after.email);
  await expect(refused).rejects.toMatchObject({ status: 401 });
  expect(getSession().email).toBe(after.email);

  // As a sign-in in another tab, of which this one has not heard yet.
  storeSession(before.token, before.email);
  const again = call("user/get-estimation");
  stored.set("token", after.token);
  await expect(again).rejects.toMatchObject({ status: 401 });
  expect(getSession().email).toBe(after.email);

  storeSession(before.token, before.email);
  await expect(call("user/get-estimation")).rejects.toMatchObject({ status: 401 });
  expect(getSession().isAuthenticated).toBe(false);
});

describe("Who calls with a session that has ended", () => {
  /** The messages shown when a session has ended. */
  async function said(name: "user/get-estimation" | "auth/logout", end: (id: string) => PromiseLike<unknown>) {
    const person = await member(server, "user");
    await end(person.id);
    storeSession(person.token, person.email);
    const calls = [call(name), call(name)].map((each) => each.catch(({ status }: { status: number }) => status));
    expect(await Promise.all(calls)).toEqual([401, 401]);
    expect(getSession().isAuthenticated).toBe(false);
    return takeToasts().map(({ text }) => text);
  }
  const database = () => server.services.database;
  const end = (id: string) => database().delete(sessions).where(eq(sessions.personId, id));

  it("is told so once, and that the sign-in leads back to the portal", async () => {
    expect(await said("user/get-estimation", end)).toEqual([messages.sessionEnded]);
  });

  it("is promised no way back on a public page, which leads to no sign-in", async () => {
    place.pathname = "/contact";
    expect(await said("user/get-estimation", end)).toEqual(["Your session has ended. Please sign in again."]);
  });

  it("is told of the suspension that ended it", async () => {
    const suspend = (id: string) =>
      database().update(people).set({ suspendedAt: server.services.now() }).where(eq(people.id, id));
    expect(await said("user/get-estimation", suspend)).toEqual([messages.suspended]);
  });

  it("is told nothing when they sign out", async () => {
    expect(await said("auth/logout", end)).toEqual([]);
  });
});

it("Who was not signed in is told of no session", async () => {
  await expect(call("user/get-estimation")).rejects.toMatchObject({ status: 401 });
  expect(takeToasts()).toEqual([]);
});

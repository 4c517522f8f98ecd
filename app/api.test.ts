import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestServer, type TestServer } from "../tests/harness.ts";
import { call } from "./api.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  const ask = globalThis.fetch;
  // A browser asks its own origin, and keeps a session; here is neither.
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => ask(server.url + path, init));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
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

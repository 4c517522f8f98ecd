import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { currentRequestId, underNoRequestId, underRequestId } from "../failures/request-id.ts";
import { unsubscribeToken } from "../mail/unsubscribe.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const idOf = async (headers: Record<string, string> = {}, at = server) =>
  (await fetch(`${at.url}/healthz`, { headers })).headers.get("x-request-id") ?? "";
const lines = () => server.log.map((line) => JSON.parse(line) as Record<string, unknown>);

it("Each answer tells an id of its own, whatever the client says", async () => {
  const ids = [await idOf(), await idOf(), await idOf({ "x-request-id": "chosen-by-a-client" })];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(uuid);
});

it("The id that a proxy of ours gave is kept, if it is one", async () => {
  const behind = await startTestServer({ work: false, env: { trustProxy: 1 } });
  onTestFinished(() => behind.stop());
  expect(await idOf({ "x-request-id": "4bf92f3577b34da6" }, behind)).toBe("4bf92f3577b34da6");
  for (const bad of ["short", "a".repeat(65), "with space"])
    expect(await idOf({ "x-request-id": bad }, behind)).toMatch(uuid);
});

it("What a request logs carries its id, also when several are answered at once", async () => {
  const forged = Array.from({ length: 3 }, (_, index) => server.send("user/me", undefined, `forged.token.${index}`));
  await Promise.all(forged);
  await server.services.database.execute(sql`alter table posts rename to posts_elsewhere`);
  onTestFinished(async () => {
    await server.services.database.execute(sql`alter table posts_elsewhere rename to posts`);
  });
  const answers = await Promise.all([1, 2, 3].map((limit) => server.call("blogs", { startingNode: 0, limit })));
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  const failed = lines().filter(({ msg }) => msg === "request failed");
  const answered = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(failed.map(({ requestId }) => requestId))).toEqual(new Set(answered));
  expect(new Set(answered).size).toBe(3);
  expect(new Set(failed.map(({ path }) => path))).toEqual(new Set(["/api/blogs"]));
});

it("What a request logs names its route, and no token that stands in its address", async () => {
  const token = unsubscribeToken(server.services.env.tokenSecret, { personId: randomUUID(), kind: "proposals" });
  await server.services.database.execute(sql`alter table people rename to people_elsewhere`);
  onTestFinished(async () => {
    await server.services.database.execute(sql`alter table people_elsewhere rename to people`);
  });
  expect((await fetch(`${server.url}/unsubscribe/${token}`)).status).toBe(500);
  const [failed] = lines().filter(({ msg, path }) => msg === "request failed" && path !== "/api/blogs");
  expect(failed?.path).toBe("/unsubscribe/:token");
  expect(JSON.stringify(failed)).not.toContain(token);
});

it("Work for several requests carries the id of none of them", async () => {
  const { promise: later, resolve } = Promise.withResolvers<string | undefined>();
  const look = () => resolve(currentRequestId());
  underRequestId("the-first-request", () => underNoRequestId(() => setTimeout(look)));
  expect(await later).toBeUndefined();
});

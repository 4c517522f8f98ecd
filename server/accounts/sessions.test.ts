import { afterAll, beforeAll, expect, it } from "vitest";
import { customer, signIn } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { rateLimits } from "../database/schema/index.ts";
import { deviceOf } from "./sessions.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const sessionsOf = async (token: string) => (await server.call("user/sessions", {}, token)).body.sessions;
const isSignedIn = async (token: string) => (await server.call("user/me", {}, token)).status === 200;

it("Everybody sees their own living sessions, newest first, with the one that asks marked", async () => {
  const person = await customer(server);
  const later = await signIn(server, person.email);
  const listed = await sessionsOf(person.token);
  expect(listed.map(({ current }) => current)).toEqual([false, true]);
  expect(listed[0]).toMatchObject({ device: "Unknown device", address: "127.0.0.1" });
  await server.call("auth/logout", {}, later);
  expect(await sessionsOf(person.token)).toHaveLength(1);
});

it("One of them can be ended from another; anybody else's is not found", async () => {
  await server.services.database.delete(rateLimits);
  const person = await customer(server);
  const other = await signIn(server, person.email);
  const stranger = await member(server, "user");
  const [newest] = await sessionsOf(person.token);
  const id = newest?.id ?? "";
  const refused = await server.call("auth/end-session", { id }, stranger.token);
  const unknown = await server.call("auth/end-session", { id: stranger.id }, stranger.token);
  expect([refused.status, refused.body]).toEqual([404, unknown.body]);
  expect(await isSignedIn(other)).toBe(true);
  expect((await server.call("auth/end-session", { id }, person.token)).status).toBe(200);
  expect([await isSignedIn(other), await isSignedIn(person.token)]).toEqual([false, true]);
  expect((await server.call("auth/end-session", { id }, person.token)).status).toBe(404);
  expect((await server.send("auth/end-session", { id: "1" }, person.token)).status).toBe(422);
});

it("Sign out everywhere ends them all, this one too, and nobody else's", async () => {
  await server.services.database.delete(rateLimits);
  const person = await customer(server);
  const other = await signIn(server, person.email);
  const stranger = await member(server, "user");
  expect((await server.call("auth/logout-everywhere", {}, person.token)).status).toBe(200);
  expect([await isSignedIn(person.token), await isSignedIn(other), await isSignedIn(stranger.token)]).toEqual([
    false,
    false,
    true,
  ]);
});

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537 SamsungBrowser/28 Chrome/130 Mobile Safari/537",
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome on macOS"],
  ["curl/8.5.0", "Unknown device"],
  ["", "Unknown device"],
])("%s is shown as %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

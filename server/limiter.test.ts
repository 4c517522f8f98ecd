import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../tests/harness.ts";
import { rateLimits } from "./database/schema/index.ts";
import type { Failure } from "./errors.ts";
import { networkOf, openLimiter, rules } from "./limiter.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const refusal = (promise: Promise<void>): Promise<Failure> =>
  promise.then(
    () => expect.unreachable("was let through"),
    (failure: Failure) => failure,
  );

test("the tries of a rule are let through, and the next one is told how long to wait", async () => {
  const { limiter } = server.services;
  for (let tried = 0; tried < rules.forgotByAccount.points; tried++)
    await limiter.consume("forgotByAccount", "asha@example.in");
  const failure = await refusal(limiter.consume("forgotByAccount", "Asha@Example.in"));
  expect(failure).toMatchObject({ code: "too_many_requests", status: 429 });
  expect(failure.retryAfterSeconds).toBeGreaterThan(3500);
  expect(failure.retryAfterSeconds).toBeLessThanOrEqual(3600);
  expect(failure.message).toBe("Too many tries. Please wait 60 minutes and try again.");
  await limiter.consume("forgotByAccount", "ravi@example.in");
  await limiter.consume("passwordByAccount", "asha@example.in");
});

test("of many tries at once, over two copies of the server, only as many pass as the rule says", async () => {
  const copies = [openLimiter(server.services.database), openLimiter(server.services.database)];
  const tries = Array.from({ length: 40 }, (_, index) =>
    (copies[index % 2] ?? server.services.limiter).consume("loginByAccount", "asha@example.in"),
  );
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(rules.loginByAccount.points);
});

test("a try that is given back does not count, and clearing forgets all", async () => {
  const { limiter } = server.services;
  for (let tried = 0; tried < 10; tried++) {
    await limiter.consume("forgotByAccount", "asha@example.in");
    await limiter.giveBack("forgotByAccount", "asha@example.in");
  }
  for (let tried = 0; tried < rules.forgotByAccount.points; tried++)
    await limiter.consume("forgotByAccount", "asha@example.in");
  await refusal(limiter.consume("forgotByAccount", "asha@example.in"));
  await limiter.clear("forgotByAccount", "asha@example.in");
  await expect(limiter.consume("forgotByAccount", "asha@example.in")).resolves.toBeUndefined();
});

test("when its time has passed a rule counts from the beginning", async () => {
  const { limiter, database } = server.services;
  for (let tried = 0; tried < rules.forgotByAccount.points; tried++)
    await limiter.consume("forgotByAccount", "asha@example.in");
  await database.update(rateLimits).set({ expire: sql`${rateLimits.expire} - 3600 * 1000` });
  await limiter.consume("forgotByAccount", "asha@example.in");
  const [row] = await database.select().from(rateLimits);
  expect(row?.points).toBe(1);
});

test("no e-mail and no address is kept", async () => {
  const { limiter, database } = server.services;
  await limiter.consume("loginByAccount", "asha@example.in");
  await limiter.consume("loginByAddress", "203.0.113.9");
  const keys = (await database.select().from(rateLimits)).map(({ key }) => key).join(" ");
  expect(keys).toContain("loginByAccount:");
  expect(keys).not.toMatch(/asha|example|203|113/);
  await database.delete(rateLimits).where(eq(rateLimits.points, 1));
});

test("all addresses of one IPv6 network count as one", async () => {
  const { limiter } = server.services;
  for (let tried = 0; tried < rules.contactByAddress.points; tried++)
    await limiter.consume("contactByAddress", `2001:db8:1:2::${tried.toString(16)}`);
  await refusal(limiter.consume("contactByAddress", "2001:DB8:1:2:ffff::1"));
  await expect(limiter.consume("contactByAddress", "2001:db8:1:3::1")).resolves.toBeUndefined();
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["2001:0db8:0001:0002:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::5", "2001:db8:0:0::/64"],
  ["unknown", "unknown"],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("without a database nothing is let through", async () => {
  const other = await startTestServer({ work: false });
  const limiter = openLimiter(other.services.database);
  await other.stop();
  await expect(limiter.consume("loginByAddress", "203.0.113.9")).rejects.toThrow(/pool/);
});

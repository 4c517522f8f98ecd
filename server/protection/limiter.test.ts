import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { countWaiting } from "../../tests/while-held.ts";
import { rateLimits } from "../database/schema/index.ts";
import type { Failure } from "../failures/failure.ts";
import { accountFrom, type Limiter, networkOf, openLimiter, rules } from "./limiter.ts";

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
  for (let tried = 0; tried < rules.registrationByAccount.points; tried++)
    await limiter.consume("registrationByAccount", "asha@example.in");
  const failure = await refusal(limiter.consume("registrationByAccount", "Asha@Example.in"));
  expect(failure).toMatchObject({ code: "too_many_requests", status: 429 });
  expect(failure.retryAfterSeconds).toBeGreaterThan(3500);
  expect(failure.retryAfterSeconds).toBeLessThanOrEqual(3600);
  expect(failure.message).toBe("Too many tries. Please wait 60 minutes and try again.");
  await limiter.consume("registrationByAccount", "ravi@example.in");
  await limiter.consume("paymentByAccount", "asha@example.in");
});

test("of many tries at once, over two copies of the server, only as many pass as the rule says", async () => {
  const copies = [openLimiter(server.services.database), openLimiter(server.services.database)];
  const tries = Array.from({ length: 40 }, (_, index) =>
    (copies[index % 2] ?? server.services.limiter).consume("contactByAccount", "asha@example.in"),
  );
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(rules.contactByAccount.points);
});

test("a try that is given back does not count, and clearing forgets all", async () => {
  const { limiter } = server.services;
  for (let tried = 0; tried < 10; tried++) {
    await limiter.consume("registrationByAccount", "asha@example.in");
    await limiter.giveBack("registrationByAccount", "asha@example.in");
  }
  for (let tried = 0; tried < rules.registrationByAccount.points; tried++)
    await limiter.consume("registrationByAccount", "asha@example.in");
  await refusal(limiter.consume("registrationByAccount", "asha@example.in"));
  await limiter.clear("registrationByAccount", "asha@example.in");
  await expect(limiter.consume("registrationByAccount", "asha@example.in")).resolves.toBeUndefined();
});

test("when its time has passed a rule counts from the beginning", async () => {
  const { limiter, database } = server.services;
  for (let tried = 0; tried < rules.registrationByAccount.points; tried++)
    await limiter.consume("registrationByAccount", "asha@example.in");
  await database.update(rateLimits).set({ expire: sql`${rateLimits.expire} - 3600 * 1000` });
  await limiter.consume("registrationByAccount", "asha@example.in");
  const [row] = await database.select().from(rateLimits);
  expect(row?.points).toBe(1);
});

test("what was counted while the clock was ahead keeps nobody out once it is right again", async () => {
  const { limiter, database } = server.services;
  const [account, address] = [accountFrom("192.0.2.1", "asha@example.in"), "192.0.2.1"];
  for (let tried = 0; tried < rules.registrationByAccount.points; tried++)
    await limiter.consume("registrationByAccount", "asha@example.in");
  for (let tried = 0; tried < rules.wrongPasswordByAccount.freeTries; tried++)
    await limiter.consumePassword(account, address);
  await refusal(limiter.consume("registrationByAccount", "asha@example.in"));
  await refusal(limiter.consumePassword(account, address));
  const ahead = 40 * 86_400_000;
  await database.update(rateLimits).set({ expire: sql`${rateLimits.expire} + ${ahead}` });
  await limiter.consume("registrationByAccount", "asha@example.in");
  await limiter.consumePassword(account, address);
  // From then on they count as always.
  for (let tried = 1; tried < rules.registrationByAccount.points; tried++)
    await limiter.consume("registrationByAccount", "asha@example.in");
  for (let tried = 1; tried < rules.wrongPasswordByAccount.freeTries; tried++)
    await limiter.consumePassword(account, address);
  for (const refused of [
    await refusal(limiter.consume("registrationByAccount", "asha@example.in")),
    await refusal(limiter.consumePassword(account, address)),
  ])
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(3600);
});

test("wrong tries are followed by a pause that grows to a minute and never further, whoever tries meanwhile", async () => {
  let now = Date.now();
  const limiter = openLimiter(server.services.database, () => new Date(now));
  const tryOnce = () => limiter.consume("wrongPasswordByAccount", "asha@example.in");
  for (let tried = 0; tried < rules.wrongPasswordByAccount.freeTries; tried++) await tryOnce();
  const pauses: number[] = [];
  for (let paused = 0; paused < 7; paused++) {
    const { retryAfterSeconds = 0 } = await refusal(tryOnce());
    for (let early = 0; early < 3; early++)
      expect((await refusal(tryOnce())).retryAfterSeconds).toBe(retryAfterSeconds);
    pauses.push(retryAfterSeconds);
    now += retryAfterSeconds * 1000;
    await tryOnce();
  }
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60]);
  now += rules.wrongPasswordByAccount.forgottenAfterSeconds * 1000;
  for (let tried = 0; tried < rules.wrongPasswordByAccount.freeTries; tried++) await tryOnce();
  await refusal(tryOnce());
});

test("of many tries at once, over two copies, only the free ones are made; a right one leaves no pause", async () => {
  const now = () => new Date(0);
  const copies = [openLimiter(server.services.database, now), openLimiter(server.services.database, now)] as const;
  const tryOnce = (_: unknown, index: number) =>
    copies[index % 2 ? 0 : 1].allows("wrongPasswordByAccount", "asha@example.in");
  const made = await Promise.all(Array.from({ length: 40 }, tryOnce));
  expect(made.filter(Boolean)).toHaveLength(rules.wrongPasswordByAccount.freeTries);
  await copies[0].giveBack("wrongPasswordByAccount", "asha@example.in");
  expect([await tryOnce(null, 0), await tryOnce(null, 1)]).toEqual([true, false]);
  await copies[1].clear("wrongPasswordByAccount", "asha@example.in");
  expect(await tryOnce(null, 0)).toBe(true);
});

test("a try at a password counts for account and network, or for neither", async () => {
  let now = Date.now();
  const limiter = openLimiter(server.services.database, () => new Date(now));
  const points = async (rule: string) =>
    (await server.services.database.select().from(rateLimits)).find(({ key }) => key.startsWith(rule))?.points;
  const wrong = () => limiter.consumePassword("asha@example.in", "203.0.113.9");
  for (let tried = 0; tried < rules.wrongPasswordByAccount.freeTries; tried++) await wrong();
  expect((await refusal(wrong())).retryAfterSeconds).toBe(5);
  expect([await points("wrongPasswordByAccount"), await points("wrongPasswordByAddress")]).toEqual([5, 5]);
  const others = rules.wrongPasswordByAddress.freeTries - 5;
  for (let tried = 0; tried < others; tried++)
    await limiter.consumePassword(`nobody-${tried}@example.in`, "203.0.113.9");
  expect((await refusal(limiter.consumePassword("ravi@example.in", "203.0.113.9"))).retryAfterSeconds).toBe(1);
  expect(await points("wrongPasswordByAddress")).toBe(60);
  now += 5000;
  await limiter.consumePassword("asha@example.in", "203.0.113.9");
  await limiter.forgivePassword("asha@example.in", "203.0.113.9");
  expect(await points("wrongPasswordByAddress")).toBe(60);
  // Nothing is left counted against the account: it has all its tries again, without a pause.
  for (let tried = 0; tried < rules.wrongPasswordByAccount.freeTries; tried++)
    await limiter.consumePassword("asha@example.in", "198.51.100.7");
});

test("many who are right and wrong at once, of one account and one network, never wait for each other for ever", async () => {
  const copies = [openLimiter(server.services.database), openLimiter(server.services.database)] as const;
  const right = async (_: unknown, index: number) => {
    const limiter = copies[index % 2 ? 0 : 1];
    const isTaken = await limiter.consumePassword("asha@example.in", "203.0.113.9").then(
      () => true,
      () => false,
    );
    await limiter.forgivePassword("asha@example.in", "203.0.113.9");
    return isTaken;
  };
  for (let round = 0; round < 5; round++) {
    const taken = await Promise.all(Array.from({ length: 40 }, right));
    expect(taken.filter(Boolean).length).toBeGreaterThan(0);
  }
});

test.each([
  ["wrong passwords", (limiter: Limiter) => limiter.consumePassword("asha@example.in", "203.0.113.9")],
  ["tries", (limiter: Limiter) => limiter.consume("contactByAccount", "asha@example.in")],
])(
  "a hundred %s of one caller at once leave the connections to others, and are counted all the same",
  async (_, make) => {
    const { limiter, database } = server.services;
    await make(limiter);
    const holder = new Client({ connectionString: server.databaseUrl });
    await holder.connect();
    let tries: Promise<PromiseSettledResult<void>[]>;
    try {
      await holder.query("begin; select from rate_limits for update");
      tries = Promise.allSettled(Array.from({ length: 100 }, () => make(limiter)));
      // Counted by a connection of the same pool.
      await expect.poll(() => countWaiting(server), { interval: 20 }).toBe(1);
      expect(database.$client.waitingCount).toBe(0);
    } finally {
      await holder.end();
    }
    const made = await tries;
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    const refusals = made.flatMap((each) => (each.status === "rejected" ? [(each.reason as Failure).code] : []));
    expect(new Set(refusals)).toEqual(new Set(["too_many_requests"]));
  },
);

test("no e-mail and no address is kept", async () => {
  const { limiter, database } = server.services;
  await limiter.consume("contactByAccount", accountFrom("203.0.113.9", "asha@example.in"));
  await limiter.consume("wrongPasswordByAddress", "203.0.113.9");
  const keys = (await database.select().from(rateLimits)).map(({ key }) => key).join(" ");
  expect(keys).toContain("wrongPasswordByAddress:");
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
  await expect(limiter.consume("contactByAddress", "203.0.113.9")).rejects.toThrow(/pool/);
});

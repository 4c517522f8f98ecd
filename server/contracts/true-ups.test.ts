import { eq, like, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { earlier } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { daysAfter, daysFrom, priceOfDays } from "../../contract/proration.ts";
import { again, buyQuote, contractHolder, contractOf } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { type Member, member } from "../../tests/people.ts";
import { notices, organisations, quotes, usageSnapshots } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { trueUpContracts } from "./true-ups.ts";
import { recordUsage } from "./usage.ts";

/** Its clock only moves forward between tests: each test has contracts of its own. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const day = 24 * 3600;
const today = () => writtenDay(server.services.now());
const run = () => trueUpContracts(server.services);
const servers = { service: "Server", deviceType: "Prod Server" };

/** The days of the month that ended yesterday, last day first. */
const daysOfLastMonth = () => {
  const last = daysAfter(today(), -1);
  return Array.from({ length: Number(last.slice(8)) }, (_, index) => daysAfter(last, -index));
};

/** A contract of 10 servers that began at least 40 days ago; today is the first of a month. */
async function monthLater() {
  const { person, contract } = await contractHolder(server);
  server.passTime(40 * day);
  while (!today().endsWith("-01")) server.passTime(day);
  return { person, contract, days: daysOfLastMonth() };
}

/** Records the connected devices on each day of a month, with `onLastDays` on its last three days. */
const connect = (
  { organisationId }: Member,
  days: readonly string[],
  connected: number,
  onLastDays = connected,
  contracted = 10,
) =>
  recordUsage(
    server.services.database,
    days.map((each, index) => ({
      organisationId,
      day: each,
      ...servers,
      contracted,
      connected: index < 1 ? onLastDays : connected,
      silent: 0,
    })),
  );

async function addServers(person: Member, contract_id: string, number: number): Promise<void> {
  const { token } = await again(server, person);
  const asked = { contract_id, selectedDevices: [{ ...servers, number }], from: today() };
  const { body } = await server.call("user/contracts/price-addition", asked, token);
  const made = { ...asked, quote_id: crypto.randomUUID(), total_cost: body.total };
  await server.call("user/contracts/add-devices", made, token);
  await buyQuote(server, person, made.quote_id);
}

/** The devices in a contract's true-up quotes. */
async function quotedOf(contractId: string): Promise<string[]> {
  const all = await server.services.database.select().from(quotes).where(eq(quotes.contractId, contractId));
  return all
    .filter(({ term }) => term?.kind === "true up")
    .flatMap(({ lines }) => lines.map(({ number, deviceType }) => `${number} × ${deviceType}`));
}

describe("A true-up", () => {
  it("that fails holds up no other, and comes with the next run", async () => {
    const [other, one] = [await contractHolder(server), await monthLater()];
    await connect(one.person, one.days, 20);
    await connect(other.person, one.days, 20);
    const refused = sql.raw(`check (contract_id <> '${one.contract.id}')`);
    await server.services.database.execute(sql`alter table true_ups add constraint no_true_up ${refused} not valid`);
    await run();
    expect((await contractOf(server, one.person)).true_ups).toEqual([]);
    expect((await contractOf(server, other.person)).true_ups).toMatchObject([{ state: "announced" }]);
    await server.services.database.execute(sql`alter table true_ups drop constraint no_true_up`);
    await run();
    expect((await contractOf(server, one.person)).true_ups).toMatchObject([{ state: "announced" }]);
  });

  it("is announced for the 95th percentile above contract and tolerance, once, and quoted 30 days later by days", async () => {
    const { person, contract, days } = await monthLater();
    // A single day with 90 devices does not count.
    await connect(person, days, 14, 90);
    await Promise.all([run(), run()]);
    await run();
    const [announced, ...more] = (await contractOf(server, person)).true_ups;
    expect(more).toEqual([]);
    expect(announced).toMatchObject({ connected: 14, contracted: 10, extra: 3, state: "announced" });
    expect(announced?.bill_on).toBe(daysAfter(today(), 30));
    server.passTime(29 * day);
    await run();
    expect((await contractOf(server, person)).true_ups[0]?.state).toBe("announced");
    server.passTime(day);
    await Promise.all([run(), run()]);
    const [quote, ...others] = await server.services.database
      .select()
      .from(quotes)
      .where(eq(quotes.contractId, contract.id));
    expect(others).toEqual([]);
    const [line] = quote?.lines ?? [];
    const { term } = quote ?? {};
    expect(term).toMatchObject({
      kind: "true up",
      from: today(),
      to: contract.ends_on,
      days: daysFrom(today(), contract.ends_on),
    });
    const yearly = { quantity: 3, ratePaise: line?.ratePaise ?? 0, discountBasisPoints: 0 };
    expect(line?.amountPaise).toBe(priceOfDays(yearly, term?.days ?? 0, term?.daysOfYear ?? 0));
    const [told] = await server.services.database
      .select({ text: notices.text })
      .from(notices)
      .where(like(notices.eventKey, `%${quote?.id}%`));
    expect(told?.text).toContain(`to the end of your contract, ${paperDay(contract.ends_on)}, GST included`);
    await buyQuote(server, person, quote?.id ?? "");
    const after = await contractOf(server, person);
    expect([after.devices, after.changes[0]?.kind]).toEqual([15, "true up"]);
  });

  it("is not announced again while what was quoted of it can be bought, and is once it can't", async () => {
    const { person, days } = await monthLater();
    await connect(person, days, 14);
    await run();
    server.passTime(30 * day);
    await run();
    const statesOf = async () => (await contractOf(server, person)).true_ups.map(({ state }) => state).toSorted();
    expect(await statesOf()).toEqual(["billed"]);
    const nextMonth = async () => {
      do server.passTime(day);
      while (!today().endsWith("-01"));
      await connect(person, daysOfLastMonth(), 14);
    };
    await nextMonth();
    await server.services.database
      .update(quotes)
      .set({ validUntil: new Date(server.services.now().getTime() + day * 1000) })
      .where(eq(quotes.organisationId, person.organisationId));
    await run();
    expect(await statesOf()).toEqual(["billed"]);
    server.passTime(2 * day);
    await run();
    expect(await statesOf()).toEqual(["announced", "billed"]);
  });

  it("is not announced for devices that the contract held in that month, though it holds fewer by now", async () => {
    const { person, days } = await monthLater();
    await connect(person, days, 14, 14, 14);
    await run();
    expect((await contractOf(server, person)).true_ups).toEqual([]);
  });

  it("is not announced for a type that was connected on a single day of the month, and is for one that was on two", async () => {
    const { person, days } = await monthLater();
    await connect(person, days, 10);
    const { organisationId } = person;
    const none = { organisationId, service: "Network", contracted: 0, silent: 0 };
    const connectedOn = (deviceType: string, connected: number, on: readonly string[]) =>
      recordUsage(
        server.services.database,
        on.map((each) => ({ ...none, deviceType, connected, day: each })),
      );
    await connectedOn("Router", 5, days.slice(9, 10));
    await connectedOn("Switch", 4, days.slice(9, 11));
    await run();
    const announced = (await contractOf(server, person)).true_ups;
    expect(announced).toMatchObject([{ device_type: "Switch", connected: 4, contracted: 0, extra: 4 }]);
  });

  it("is announced for the highest day where fewer than twenty were counted, and for the second-highest from twenty on", async () => {
    for (const [counted, extra] of [
      [19, [9]],
      [20, []],
    ] as const) {
      const { person, days } = await monthLater();
      await connect(person, days.slice(0, counted), 10, 20);
      await run();
      expect((await contractOf(server, person)).true_ups.map((each) => each.extra)).toEqual(extra);
    }
  });

  it("is not announced for what was connected before the customer's first contract began", async () => {
    while (!today().endsWith("-20")) server.passTime(day);
    const { person, contract } = await contractHolder(server);
    while (!today().endsWith("-01")) server.passTime(day);
    const isBefore = (each: string) => each < contract.starts_on;
    const days = daysOfLastMonth();
    expect(days.filter(isBefore)).toHaveLength(19);
    await connect(person, days.filter(isBefore), 30, 30, 0);
    const since = days.filter((each) => !isBefore(each));
    await connect(person, since, 10);
    await run();
    expect((await contractOf(server, person)).true_ups).toEqual([]);
    await connect(person, since, 14);
    await run();
    expect((await contractOf(server, person)).true_ups).toMatchObject([{ connected: 14, contracted: 10, extra: 3 }]);
  });

  it("is not announced within the tolerance, without snapshots, or for whoever has no contract", async () => {
    const { person, days } = await monthLater();
    await run();
    await connect(person, days, 11);
    await connect(await member(server, "user"), days, 50);
    await run();
    expect((await contractOf(server, person)).true_ups).toEqual([]);
  });

  it("is stopped by a dispute until an administrator decides", async () => {
    const { person, days } = await monthLater();
    await connect(person, days, 20);
    await run();
    const [announced] = (await contractOf(server, person)).true_ups;
    const id = announced?.id ?? "";
    const { token } = await again(server, person);
    const stranger = await contractHolder(server);
    const dispute = (bearer: string) =>
      server.call("user/contracts/dispute", { id, comment: "Ten were test machines" }, bearer);
    expect((await dispute((await again(server, stranger.person)).token)).status).toBe(404);
    expect((await dispute(token)).status).toBe(200);
    expect((await dispute(token)).status).toBe(409);
    server.passTime(40 * day);
    await run();
    const admin = await member(server, "admin");
    const waiting = await server.call("admin/contracts", { show: "to_decide" }, admin.token);
    expect(waiting.body.contracts.map(({ to_decide }) => to_decide)).toEqual([1]);
    const decide = (billed: boolean) =>
      server.call("admin/contracts/decide-true-up", { id, billed, answer: "We have looked" }, admin.token);
    const decided = await Promise.all([decide(true), decide(true)]);
    expect(decided.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await contractOf(server, person)).true_ups[0]).toMatchObject({ state: "billed", answer: "We have looked" });
    expect((await server.call("admin/contracts", { show: "to_decide" }, admin.token)).body.contracts).toEqual([]);
  });

  it("that is billed after some of its devices were bought names, to all, as many as its quote has", async () => {
    const { person, contract, days } = await monthLater();
    await connect(person, days, 20);
    await run();
    const id = (await contractOf(server, person)).true_ups[0]?.id ?? "";
    const { token } = await again(server, person);
    const dispute = { id, comment: "We buy three of them" };
    expect((await server.call("user/contracts/dispute", dispute, token)).status).toBe(200);
    await addServers(person, contract.id, 3);
    server.passTime(30 * day);
    const { token: ours } = await member(server, "admin");
    const decision = { id, billed: true, answer: "The rest is billed" };
    expect((await server.call("admin/contracts/decide-true-up", decision, ours)).status).toBe(200);
    // Of 20, the contract's 13 and the tolerance of two are subtracted.
    const devices = "5 × Prod Server";
    expect(await quotedOf(contract.id)).toEqual([devices]);
    const told = await server.services.database
      .select()
      .from(notices)
      .where(eq(notices.eventKey, `true-up decided:${id}`));
    expect(new Set(told.map(({ text }) => text))).toEqual(new Set([`${devices} are billed.`]));
    expect((await contractOf(server, person)).true_ups[0]).toMatchObject({ state: "billed", extra: 5 });
  });

  it("is billed in full where devices are taken away on the day of its announcement", async () => {
    const { person, contract, days } = await monthLater();
    await connect(person, days, 20);
    await run();
    const { lines } = await contractOf(server, person);
    const series = lines.find(({ device_type }) => device_type === "Prod Server")?.series ?? 0;
    const { token } = await again(server, person);
    const contract_id = contract.id;
    const less = { id: crypto.randomUUID(), contract_id, series, quantity: 3, wished_on: today(), reason: "Closed" };
    expect((await server.call("user/contracts/ask-less", less, token)).status).toBe(201);
    const { token: ours } = await member(server, "admin");
    const agreed = { id: less.id, agreed: true, effective_on: today(), answer: "Agreed" };
    expect((await server.call("admin/contracts/decide-less", agreed, ours)).status).toBe(200);
    server.passTime(30 * day);
    await run();
    expect(await quotedOf(contract_id)).toEqual(["9 × Prod Server"]);
  });

  it("that two customers were told of each is billed to each once they are one, also after the first is bought", async () => {
    const { database } = server.services;
    const [one, other] = [await contractHolder(server), await monthLater()];
    const both = [one, other];
    for (const { person } of both)
      // oxlint-disable-next-line no-await-in-loop -- adds the second beside the first
      await connect(person, other.days, 20);
    await run();
    const idOf = async (person: Member) => (await contractOf(server, person)).true_ups[0]?.id ?? "";
    const ids = [await idOf(one.person), await idOf(other.person)];
    const dispute = { id: ids[1] ?? "", comment: "They were test machines" };
    const { token } = await again(server, other.person);
    expect((await server.call("user/contracts/dispute", dispute, token)).status).toBe(200);
    const [from, into] = [one.person.organisationId, other.person.organisationId];
    const versionOf = async (id: string) =>
      (await database.select().from(organisations).where(eq(organisations.id, id)))[0]?.version ?? 0;
    const seen = {
      from: { id: from, version: await versionOf(from) },
      into: { id: into, version: await versionOf(into) },
    };
    const { token: ours } = await member(server, "admin");
    expect((await server.call("admin/people/merge", seen, ours)).status).toBe(200);
    server.passTime(30 * day);
    await run();
    expect(await quotedOf(one.contract.id)).toEqual(["9 × Prod Server"]);
    const [quote] = await database.select().from(quotes).where(eq(quotes.contractId, one.contract.id));
    await buyQuote(server, other.person, quote?.id ?? "");
    const { token: later } = await member(server, "admin");
    const decision = { id: ids[1] ?? "", billed: true, answer: "They were no test machines" };
    expect((await server.call("admin/contracts/decide-true-up", decision, later)).status).toBe(200);
    expect(await quotedOf(other.contract.id)).toEqual(["9 × Prod Server"]);
  });

  it("is not announced by another contract of the customer while one of the type is disputed", async () => {
    const { person, contract, days } = await monthLater();
    await connect(person, days, 20);
    await run();
    const [disputed] = (await contractOf(server, person)).true_ups;
    const { token } = await again(server, person);
    await server.call("user/contracts/dispute", { id: disputed?.id ?? "", comment: "Ten were test machines" }, token);
    await insertOrder(server, await again(server, person), { paidAt: server.services.now() });
    const later = await contractOf(server, person);
    expect([later.id === contract.id, later.ends_on > contract.ends_on]).toEqual([false, true]);
    do server.passTime(day);
    while (!today().endsWith("-01"));
    await connect(person, daysOfLastMonth(), 40, 40, 20);
    await run();
    const { body } = await server.call("user/contracts", {}, (await again(server, person)).token);
    expect(body.contracts.flatMap(({ true_ups }) => true_ups.map(({ state }) => state))).toEqual(["disputed"]);
  });

  it("that was dropped is not announced by another contract of the customer for the same month, and is for the next", async () => {
    const { person, contract, days } = await monthLater();
    await connect(person, days, 40);
    await run();
    const [announced] = (await contractOf(server, person)).true_ups;
    const id = announced?.id ?? "";
    const { token } = await again(server, person);
    await server.call("user/contracts/dispute", { id, comment: "Thirty were test machines" }, token);
    const { token: ours } = await member(server, "admin");
    const dropped = { id, billed: false, answer: "They were" };
    expect((await server.call("admin/contracts/decide-true-up", dropped, ours)).status).toBe(200);
    const paidAt = earlier(server.services.now(), { days: 5 });
    await insertOrder(server, await again(server, person), { paidAt });
    expect((await contractOf(server, person)).ends_on > contract.ends_on).toBe(true);
    const statesOf = async () => {
      const { body } = await server.call("user/contracts", {}, (await again(server, person)).token);
      return body.contracts.flatMap(({ true_ups }) => true_ups.map(({ state }) => state)).toSorted();
    };
    await run();
    expect(await statesOf()).toEqual(["dropped"]);
    do server.passTime(day);
    while (!today().endsWith("-01"));
    await connect(person, daysOfLastMonth(), 40, 40, 20);
    await run();
    expect(await statesOf()).toEqual(["announced", "dropped"]);
  });

  it.each([
    ["", false],
    [", though an administrator decides to bill it", true],
  ])("ends without a bill where the contract holds the devices by then%s", async (_who, isDisputed) => {
    const { person, contract, days } = await monthLater();
    await connect(person, days, 14);
    await run();
    const { token } = await again(server, person);
    await addServers(person, contract.id, 5);
    const [announced] = (await contractOf(server, person)).true_ups;
    const id = announced?.id ?? "";
    if (isDisputed) await server.call("user/contracts/dispute", { id, comment: "We have bought them" }, token);
    server.passTime(30 * day);
    await run();
    const why = "The contract holds them by now.";
    const { token: ours } = await member(server, "admin");
    const bill = { id, billed: true, answer: "They were connected" };
    const { body: said } = await server.call("admin/contracts/decide-true-up", bill, ours);
    const told = await server.services.database
      .select()
      .from(notices)
      .where(eq(notices.eventKey, `true-up decided:${id}`));
    // An undisputed true-up was dropped automatically: there is nothing to decide.
    expect([said.message, new Set(told.map(({ text }) => text.includes("are not billed")))]).toEqual(
      isDisputed ? [`It is not billed, and the customer sees why: ${why}`, new Set([true])] : [undefined, new Set()],
    );
    const isDropped = { state: "dropped", quote_number: null, answer: why };
    expect((await contractOf(server, person)).true_ups[0]).toMatchObject(isDropped);
  });
});

it("Snapshots of a day are kept once, the later word holds", async () => {
  const { person } = await contractHolder(server);
  const told = { organisationId: person.organisationId, day: today(), ...servers, contracted: 10, silent: 0 };
  await recordUsage(server.services.database, [{ ...told, connected: 8 }]);
  await recordUsage(server.services.database, [{ ...told, connected: 9, silent: 2 }]);
  const own = eq(usageSnapshots.organisationId, person.organisationId);
  const kept = await server.services.database.select().from(usageSnapshots).where(own);
  expect(kept.map(({ connected, silent }) => [connected, silent])).toEqual([[9, 2]]);
});

import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Coverage, CoverageLine, CoveredDevice } from "../../contract/coverage.ts";
import { startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { daysAfter } from "../../contract/proration.ts";
import { again } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { listeningEngine } from "../../tests/listening-engine.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { firewallType, serverType, watchedCustomer } from "../../tests/watched-customer.ts";
import { inTurn } from "../../tests/while-held.ts";
import {
  contracts,
  coverageDays,
  coverageFigures,
  coveredDevices,
  deviceDecisions,
  engineBindings,
  engineDevices,
  matchRules,
  organisations,
  silenceLimits,
  usageSnapshots,
} from "../database/schema/index.ts";
import { pollEngine } from "../engines/poll.ts";
import { coverageOf } from "./coverage-of.ts";
import { countAllDue, countWhereDue } from "./recount.ts";
import { takeSnapshots } from "./snapshots.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { enginesAllowPrivate: true } });
});
afterAll(() => server.stop());

const database = () => server.services.database;

const watched = () => watchedCustomer(server);
const lineOf = ({ lines }: Coverage, deviceType = "Prod Server") =>
  lines.find((line) => line.deviceType === deviceType);
const sumOf = ({ connected, silent, neverConnected, unknown, missing }: CoverageLine) =>
  connected + silent + neverConnected + unknown + missing;

describe("A customer's coverage", () => {
  it("says silent within the limit plus one poll when a log source stops while its agent stays active", async () => {
    const { coverage, devices, silence, poll } = await watched();
    expect(lineOf(await coverage())).toMatchObject({ contracted: 10, connected: 10, silent: 0, missing: 0 });
    const stateOf = async (name: string) => (await devices({ search: name }))[0];
    for (const id of ["005", "006", "007"]) silence(id, server.services.now());
    const pollAfter = async (seconds: number) => {
      server.passTime(seconds);
      await poll();
    };
    await pollAfter(59 * 60);
    expect(await stateOf("srv-erp-1")).toMatchObject({ state: "connected", reason: null });
    await pollAfter(60);
    await pollAfter(60);
    expect(await stateOf("srv-erp-1")).toMatchObject({ state: "silent", reason: "no_events" });
    expect((await devices({ state: "silent", search: "srv-" })).map(({ name }) => name)).toEqual([
      "srv-erp-1",
      "srv-erp-2",
      "srv-erp-3",
    ]);
    // Twelve servers exist and ten are contracted: the connected ones fill the contract first.
    const shown = await coverage();
    expect(lineOf(shown)).toMatchObject({ connected: 9, silent: 1, reasons: [{ reason: "no_events", devices: 1 }] });
    expect(shown.additions.find(({ deviceType }) => deviceType === "Prod Server")).toMatchObject({
      devices: 2,
      connected: 0,
      silent: 2,
    });
  });

  it("is not known since its engine fails, and known again when it answers", async () => {
    const { coverage, misbehave, poll, customer } = await watched();
    misbehave("down");
    const downSince = server.services.now().getTime();
    server.passTime(61);
    await poll();
    const shown = await coverage();
    const line = lineOf(shown);
    expect(line).toMatchObject({ connected: 0, unknown: 10, contracted: 10, reasons: [{ reason: "no_answer" }] });
    expect(Math.abs(new Date(shown.unknownSince ?? 0).getTime() - downSince)).toBeLessThan(60_000);
    misbehave(null);
    server.passTime(3600);
    await poll();
    expect(lineOf(await coverage())).toMatchObject({ connected: 10, unknown: 0, unknownSince: null });
    // Without further polls, the last answer counts for nothing.
    server.passTime(3600);
    expect(lineOf(await coverageOf(database(), customer.organisationId, server.services.now()))).toMatchObject({
      connected: 0,
      unknown: 10,
    });
    expect(lineOf(await coverage())).toMatchObject({ connected: 0, unknown: 10 });
  });

  it("adds up to its devices, page by page", async () => {
    const { coverage, customer } = await watched();
    const shown = await coverage();
    for (const line of shown.lines) expect(sumOf(line)).toBe(line.contracted);
    const all: CoveredDevice[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: object = { limit: 7, sort: "deviceType", ...(cursor && { cursor }) };
      // oxlint-disable-next-line no-await-in-loop -- each page starts after the one before
      const { body } = await server.call("user/coverage/devices", query, customer.token);
      all.push(...body.devices);
      cursor = body.nextCursor;
    }
    expect(all).toHaveLength(40);
    expect(new Set(all.map(({ id }) => id)).size).toBe(40);
    const at = (place: string) => all.filter((each) => each.place === place).length;
    expect(at("line")).toBe(shown.lines.reduce((sum, line) => sum + line.contracted - line.missing, 0));
    expect([at("beyond"), at("unmatched")]).toEqual([shown.notContracted, shown.unmatched]);
  });

  it("of somebody without contract and engine is empty, and of one without an engine waits for us", async () => {
    const nobody = await member(server, "user");
    expect((await server.call("user/coverage", {}, nobody.token)).body).toEqual({
      organization_name: "Kaveri Textiles",
      asOf: null,
      lines: [],
      notContracted: 0,
      additions: [],
      unmatched: 0,
      unknownSince: null,
    });
    await insertOrder(server, nobody);
    const { body } = await server.call("user/coverage", {}, nobody.token);
    expect(lineOf(body)).toMatchObject({
      contracted: 10,
      missing: 10,
      reasons: [{ reason: "not_bound", devices: 10 }],
    });
  });

  it("is counted once by many who ask at once", async () => {
    const { customer } = await watched();
    server.passTime(120);
    const ask = () => server.call("user/coverage", {}, customer.token);
    const replies = await Promise.all([ask(), ask(), ask(), ask(), ask(), ask()]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await database().$count(coveredDevices, eq(coveredDevices.organisationId, customer.organisationId))).toBe(
      40,
    );
  });
});

it.each(["the customer's screen", "the clock"])(
  "What was counted while our clock was fast is counted anew by %s once it is right",
  async (by) => {
    const { coverage, customer } = await watched();
    await coverage();
    const ahead = new Date(server.services.now().getTime() + 40 * 86_400_000);
    const ofCustomer = eq(coverageFigures.organisationId, customer.organisationId);
    await database()
      .update(coverageFigures)
      .set({ countedAt: ahead, nextCountAt: ahead, connected: 0 })
      .where(ofCustomer);
    if (by === "the clock") await countAllDue(server.services);
    else await coverage();
    const [counted] = await database().select().from(coverageFigures).where(ofCustomer);
    expect(counted?.connected).toBeGreaterThan(0);
    expect(counted?.countedAt.getTime()).toBeLessThan(ahead.getTime());
  },
);

describe("What devices are", () => {
  it("is settled by hand before any rule, and left to the rules again", async () => {
    const { coverage, devices, decide } = await watched();
    const office = await devices({ search: "pc-office" });
    const first = async () => (await devices({})).find(({ id }) => id === office[0]?.id);
    expect((await coverage()).unmatched).toBe(24);
    const ids = office.slice(0, 3).map(({ id }) => id);
    expect((await decide(ids, { is: "type", ...firewallType })).status).toBe(200);
    expect(await coverage()).toMatchObject({ unmatched: 21 });
    expect(await first()).toMatchObject({ matchedBy: "hand", deviceType: "Firewall" });
    await decide(ids, { is: "not_ours" });
    expect((await devices({ place: "not_ours" })).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect((await coverage()).unmatched).toBe(21);
    await decide(ids, { is: "limit", minutes: 7 });
    await decide(ids, { is: "rules" });
    expect(await coverage()).toMatchObject({ unmatched: 24 });
    expect(await first()).toMatchObject({ silenceMinutes: 7, hasOwnLimit: true });
  });

  it("stays settled by hand when a machine gets another address or name", async () => {
    const { devices, decide, change, poll, customer } = await watched();
    const settled = async () => {
      server.passTime(60);
      await poll();
      return Object.fromEntries(
        (await devices({})).map(({ address, place, matchedBy, silenceMinutes }) => [
          address,
          [place === "not_ours" ? place : matchedBy, silenceMinutes],
        ]),
      );
    };
    const [one, other] = await devices({ search: "srv-erp" });
    await decide([one?.id ?? ""], { is: "not_ours" });
    await decide([one?.id ?? "", other?.id ?? ""], { is: "limit", minutes: 7 });
    const numberOf = async (name = "") => {
      const [row] = await database()
        .select()
        .from(engineDevices)
        .where(and(eq(engineDevices.organisationId, customer.organisationId), eq(engineDevices.name, name)));
      if (!row) throw new Error(`no ${name}`);
      return row;
    };
    const [first, second] = [await numberOf(one?.name), await numberOf(other?.name)];
    // Another engine still reports the second device under its old address.
    const [elsewhere] = await database()
      .insert(engineBindings)
      .values({
        organisationId: customer.organisationId,
        kind: "wazuh5",
        address: "https://wazuh.example.in",
        nextPollAt: server.services.now(),
      })
      .returning();
    const { id: _id, ...reported } = second;
    await database()
      .insert(engineDevices)
      .values({ ...reported, bindingId: elsewhere?.id ?? "" });
    change(first.externalId, { address: "10.99.0.1" });
    change(second.externalId, { address: "10.99.0.2" });
    expect(await settled()).toMatchObject({
      "10.99.0.1": ["not_ours", 7],
      "10.99.0.2": ["name", 7],
      [second.address ?? ""]: ["name", 7],
    });
    const decisions = async () =>
      (
        await database()
          .select()
          .from(deviceDecisions)
          .where(eq(deviceDecisions.organisationId, customer.organisationId))
      )
        .map(({ identity }) => identity)
        .toSorted();
    expect(await decisions()).toEqual(
      [`${one?.name}|10.99.0.1`, `${other?.name}|10.99.0.2`, second.identity].toSorted(),
    );
    // The decision about the new identity stays.
    change(first.externalId, { name: other?.name ?? "", address: "10.99.0.2" });
    change(second.externalId, { address: "10.99.0.3" });
    expect(await settled()).toMatchObject({ "10.99.0.2": ["name", 7], "10.99.0.3": ["name", 7] });
    change(second.externalId, { name: "renamed", address: "10.99.0.4" });
    expect(await settled()).toMatchObject({ "10.99.0.4": [null, 7] });
  });

  it("is settled of a machine whose address changed since it was counted", async () => {
    const { devices, decide, change, poll, customer } = await watched();
    const [office] = await devices({ search: "pc-office-1" });
    const [row] = await database()
      .select()
      .from(engineDevices)
      .where(
        and(eq(engineDevices.organisationId, customer.organisationId), eq(engineDevices.name, office?.name ?? "")),
      );
    change(row?.externalId ?? "", { address: "10.99.0.9" });
    await poll();
    await decide([office?.id ?? ""], { is: "not_ours" });
    expect(await devices({ place: "not_ours" })).toMatchObject([{ name: office?.name, address: "10.99.0.9" }]);
  });

  it("knows the device types of the rate card and of the customer's contract, and no others", async () => {
    const { manage, coverage, devices, decide, customer } = await watched();
    const refused = async (name: string, sent: object) => {
      const { status, body } = await manage(name, sent);
      return [status, Object.keys(body.fields ?? {})];
    };
    const odd = { service: "Server", deviceType: "Toaster" };
    const rule = { kind: "name", pattern: "toast-*" };
    expect(await refused("coverage/rules/save", { ...rule, ...odd })).toEqual([422, ["deviceType"]]);
    expect(await refused("coverage/limits/save", { ...odd, minutes: 90 })).toEqual([422, ["deviceType"]]);
    // A limit set earlier can be removed.
    expect(await refused("coverage/limits/save", { ...odd, minutes: null })).toEqual([200, []]);
    const { lines } = await coverage();
    for (const { service, deviceType } of lines)
      // oxlint-disable-next-line no-await-in-loop -- only a few
      expect(await refused("coverage/rules/save", { ...rule, service, deviceType })).toEqual([200, []]);
    const [device] = await devices({});
    const decided = await decide([device?.id ?? ""], { is: "type", ...odd });
    expect([decided.status, Object.keys(decided.body.fields ?? {})]).toEqual([422, ["decision.deviceType"]]);

    const own = { service: "Customization", deviceType: "SCADA gateway" };
    expect(await refused("coverage/limits/save", { ...own, minutes: 90 })).toEqual([422, ["deviceType"]]);
    const sold = {
      number: 2,
      unit: "device",
      ratePaise: 1_000_00,
      amountPaise: 2_000_00,
      subjectToConfirmation: false,
    };
    await insertOrder(server, customer, {}, { lines: [{ ...own, ...sold }] });
    expect(await refused("coverage/limits/save", { ...own, minutes: 90 })).toEqual([200, []]);
    expect(await refused("coverage/rules/save", { ...rule, ...own })).toEqual([200, []]);
    const other = await watched();
    expect((await other.manage("coverage/limits/save", { ...own, minutes: 90 })).status).toBe(422);
  });

  it("keeps a type that was of the rate card once, with its rule and its limit, which may be changed", async () => {
    const { manage, rules, customer } = await watched();
    const old = { service: "Server", deviceType: `Mainframe ${customer.id.slice(-6)}` };
    const named = (await rules()).rules.find(({ pattern }) => pattern === "srv-*");
    await database()
      .update(matchRules)
      .set(old)
      .where(eq(matchRules.id, named?.id ?? ""));
    const { organisationId } = customer;
    await database()
      .insert(silenceLimits)
      .values({ organisationId, ...old, minutes: 30, changedAt: server.services.now() });
    const change = { id: named?.id, version: 1, kind: "name", pattern: "server-*" };
    expect((await manage("coverage/rules/save", { ...change, ...old })).status).toBe(200);
    expect((await manage("coverage/limits/save", { ...old, minutes: 45 })).status).toBe(200);
    await manage("coverage/limits/save", { ...old, minutes: null });
    expect((await manage("coverage/limits/save", { ...old, minutes: 45 })).status).toBe(422);
  });

  it("has one limit for a type that two set at the same time", async () => {
    const { manage, rules } = await watched();
    const set = (minutes: number) => manage("coverage/limits/save", { ...serverType, minutes });
    const answers = await Promise.all([set(5), set(6), set(7), set(8)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await rules()).limits).toHaveLength(1);
  });

  it("follows a rule that is changed, and a limit; of two who saw the same rule one changes it", async () => {
    const { coverage, manage, rules } = await watched();
    const rule = (await rules()).rules.find(({ pattern }) => pattern === "srv-*");
    const change = { id: rule?.id, version: 1, kind: "system", pattern: "*Windows Server*", ...serverType };
    const save = () => manage("coverage/rules/save", change);
    const replies = await Promise.all([save(), save()]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(lineOf(await coverage())).toMatchObject({ contracted: 10, connected: 4, missing: 6 });
    const limit = (minutes: number | null) => manage("coverage/limits/save", { ...serverType, minutes });
    await limit(5);
    expect(lineOf(await coverage())?.silenceMinutes).toBe(5);
    expect((await rules()).limits).toEqual([{ own: true, ...serverType, minutes: 5 }]);
    await limit(null);
    expect(lineOf(await coverage())?.silenceMinutes).toBe(60);
    expect((await manage("coverage/rules/remove", { id: rule?.id, version: 2 })).status).toBe(200);
    expect(lineOf(await coverage())).toMatchObject({ connected: 0, missing: 10 });
  });

  it("is decided of a customer's own devices alone", async () => {
    const one = await watched();
    const other = await watched();
    const [device] = await other.devices({});
    expect((await one.decide([device?.id ?? ""], { is: "not_ours" })).status).toBe(404);
    const [rule] = (await other.rules()).rules;
    const stolen = { id: rule?.id, version: 1, kind: "name", pattern: "*", ...serverType };
    expect((await one.manage("coverage/rules/save", stolen)).status).toBe(404);
    const partner = await member(server, "partner");
    for (const name of ["partner/coverage", "partner/coverage/days", "partner/coverage/devices"] as const)
      // oxlint-disable-next-line no-await-in-loop
      expect((await server.call(name, { email: one.customer.email }, partner.token)).status).toBe(404);
  });
});

describe("A day's coverage", () => {
  const midnight = (hours = 0) => {
    const next = startOfWrittenDay(daysAfter(writtenDay(server.services.now()), 1));
    server.passTime((next.getTime() - server.services.now().getTime()) / 1000 + hours * 3600 + 60);
  };

  it("is kept once, however many copies do it, told to the contract, and left out when it was missed", async () => {
    const { customer, poll } = await watched();
    midnight();
    await poll();
    const day = writtenDay(server.services.now());
    await countAllDue(server.services);
    await Promise.all([takeSnapshots(server.services), takeSnapshots(server.services), takeSnapshots(server.services)]);
    const kept = () =>
      database().select().from(coverageDays).where(eq(coverageDays.organisationId, customer.organisationId));
    expect(await kept()).toMatchObject([{ day, unknownSince: null, timeZone: "Asia/Kolkata" }]);
    const usage = await database()
      .select()
      .from(usageSnapshots)
      .where(eq(usageSnapshots.organisationId, customer.organisationId));
    expect(
      Object.fromEntries(usage.map(({ deviceType, contracted, connected }) => [deviceType, [contracted, connected]])),
    ).toEqual({ Firewall: [2, 4], "Prod Server": [10, 12] });
    // Nothing was running until two in the morning of the next day.
    midnight(2);
    await poll();
    await takeSnapshots(server.services);
    expect(await kept()).toHaveLength(1);
    const { body } = await server.call("user/coverage/days", {}, (await again(server, customer)).token);
    expect(body.days).toHaveLength(90);
    expect(body.days.slice(-2)).toMatchObject([
      { day, contracted: 12, connected: 12, lines: [{ deviceType: "Firewall" }, { connected: 10 }] },
      { day: daysAfter(day, 1), contracted: null, connected: null, lines: [] },
    ]);
  });

  it("with an engine that fails for a minute at midnight is what it says afterwards", async () => {
    const { customer, misbehave, poll } = await watched();
    const kept = () =>
      database().select().from(coverageDays).where(eq(coverageDays.organisationId, customer.organisationId));
    midnight();
    misbehave("down");
    await poll();
    await takeSnapshots(server.services);
    expect(await kept()).toEqual([]);
    misbehave(null);
    server.passTime(5 * 60);
    await poll();
    await takeSnapshots(server.services);
    expect((await kept()).map(({ lines }) => lines)).toMatchObject([[{ unknown: 0 }, { connected: 10, unknown: 0 }]]);
  });

  it("with a failing engine is kept as not known, and tells the contract nothing of it", async () => {
    const { customer, misbehave, poll } = await watched();
    misbehave("down");
    midnight();
    server.passTime(50 * 60);
    await poll();
    await countAllDue(server.services);
    await takeSnapshots(server.services);
    const [day] = await database()
      .select()
      .from(coverageDays)
      .where(eq(coverageDays.organisationId, customer.organisationId));
    expect(day?.lines).toMatchObject([{ unknown: 2 }, { contracted: 10, connected: 0, unknown: 10 }]);
    expect(await database().$count(usageSnapshots, eq(usageSnapshots.organisationId, customer.organisationId))).toBe(0);
  });

  it("with an active device of which nobody says when it was seen is not known, and counted again until it is", async () => {
    const { admin, customer, manage, misbehave, poll, input, coverage } = await watched();
    const [engine] = (await server.call("admin/engines", { email: customer.email }, admin.token)).body.engines;
    // Without an indexer, devices count by when they were last seen.
    const { id, version } = engine ?? {};
    expect((await manage("engines/post", { ...input, indexerAddress: null, id, version })).status).toBe(200);
    midnight();
    misbehave("no keepalive");
    await poll();
    expect(lineOf(await coverage())).toMatchObject({ unknown: 10, unknownSince: expect.any(String) });
    const kept = () => database().$count(coverageDays, eq(coverageDays.organisationId, customer.organisationId));
    await takeSnapshots(server.services);
    expect(await kept()).toBe(0);
    server.passTime(50 * 60);
    await poll();
    await takeSnapshots(server.services);
    expect(await kept()).toBe(1);
  });

  const daysAndUses = async ({ organisationId }: { organisationId: string }) => [
    await database().$count(coverageDays, eq(coverageDays.organisationId, organisationId)),
    await database().$count(usageSnapshots, eq(usageSnapshots.organisationId, organisationId)),
  ];

  it("tells the contract nothing while an engine has never answered: what that would name may be connected", async () => {
    const { customer, manage, poll, change } = await watched();
    // No type has more devices than are contracted.
    for (let id = 5; id <= 12; id++) change(String(id).padStart(3, "0"), null);
    const second = await listeningEngine(server, "wazuh5");
    second.misbehave("down");
    const { body } = await manage("engines/post", second.input);
    midnight();
    server.passTime(50 * 60);
    await poll();
    await pollEngine(server.services, String(body["id"]));
    await takeSnapshots(server.services);
    expect(await daysAndUses(customer)).toEqual([1, 0]);
  });

  it("tells the contract nothing where the only engine leads to another place that has never answered", async () => {
    const { admin, customer, manage, poll } = await watched();
    const [engine] = (await server.call("admin/engines", { email: customer.email }, admin.token)).body.engines;
    const second = await listeningEngine(server, "wazuh4");
    second.misbehave("down");
    const { id, version } = engine ?? {};
    expect((await manage("engines/post", { ...second.input, id, version })).status).toBe(200);
    midnight();
    server.passTime(50 * 60);
    await poll();
    await takeSnapshots(server.services);
    expect(await daysAndUses(customer)).toEqual([1, 0]);
  });

  it("of a customer without an engine tells the contract nothing", async () => {
    const customer = await member(server, "user");
    await insertOrder(server, customer);
    await countAllDue(server.services);
    midnight();
    await takeSnapshots(server.services);
    expect(await daysAndUses(customer)).toEqual([1, 0]);
  });

  it("begins in the customer's own time zone", async () => {
    const { customer, poll } = await watched();
    await database()
      .update(organisations)
      .set({ timeZone: "Asia/Dubai" })
      .where(eq(organisations.id, customer.organisationId));
    const count = () => database().$count(coverageDays, eq(coverageDays.organisationId, customer.organisationId));
    midnight();
    await poll();
    await takeSnapshots(server.services);
    expect(await count()).toBe(0);
    server.passTime(90 * 60);
    await poll();
    await takeSnapshots(server.services);
    expect(await count()).toBe(1);
  });

  it("begins as India's in a time zone that nobody knows, which keeps nobody else from theirs", async () => {
    const [{ customer, poll }, strange] = [await watched(), await watched()];
    const ofStrange = eq(organisations.id, strange.customer.organisationId);
    // Sorts before the other time zones, so it is read first.
    await database().update(organisations).set({ timeZone: "Aowhere/Else" }).where(ofStrange);
    midnight();
    await poll();
    await strange.poll();
    await takeSnapshots(server.services);
    const ids = [customer.organisationId, strange.customer.organisationId];
    expect(await database().$count(coverageDays, inArray(coverageDays.organisationId, ids))).toBe(2);
    await database().update(organisations).set({ timeZone: "Asia/Kolkata" }).where(ofStrange);
  });
});

describe("The coverage of all customers", () => {
  it("comes worst first, to partners of their own alone, under the customer's new name", async () => {
    const partner = await member(server, "partner");
    const { admin } = await watched();
    const own = await member(server, "user", { partnerId: partner.organisationId, organizationName: "Zeta Mills" });
    await insertOrder(server, own);
    server.passTime(61);
    await countAllDue(server.services);
    const all = (await server.call("admin/coverage/customers", { limit: 100 }, admin.token)).body.customers;
    const shares = all.map(({ watched: share }) => share ?? 101);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(all.find(({ email }) => email === own.email)).toMatchObject({
      missing: 12,
      watched: 0,
      asOf: expect.any(String),
    });
    const list = async () => (await server.call("partner/coverage/customers", {}, partner.token)).body.customers;
    expect((await list()).map(({ email }) => email)).toEqual([own.email]);
    await database().update(organisations).set({ name: "Eta Mills" }).where(eq(organisations.id, own.organisationId));
    expect((await list()).map(({ organization_name: name }) => name)).toEqual(["Eta Mills"]);
    await database().update(organisations).set({ partnerId: null }).where(eq(organisations.id, own.organisationId));
    expect(await list()).toEqual([]);
  });

  it("shows a customer that is moved while it is counted first to its new partner alone", async () => {
    const [former, next] = [await member(server, "partner"), await member(server, "partner")];
    const { admin } = await watched();
    const own = await member(server, "user", { partnerId: former.organisationId });
    await insertOrder(server, own);
    const move = { id: own.organisationId, version: 1, partner_email: next.email };
    const [, moved] = await inTurn(
      server,
      "lock table coverage_sums, audit_entries in share mode",
      () => countWhereDue(server.services, own.organisationId),
      () => server.call("admin/people/move-customer", move, admin.token),
    );
    expect(moved.status).toBe(200);
    const seenBy = async ({ token }: Member) =>
      (await server.call("partner/coverage/customers", {}, token)).body.customers.map(({ email }) => email);
    expect([await seenBy(former), await seenBy(next)]).toEqual([[], [own.email]]);
  });

  it("ends with the contract of a customer without an engine", async () => {
    const customer = await member(server, "user");
    await insertOrder(server, customer);
    const ask = () => server.call("user/coverage", {}, customer.token);
    await ask();
    const count = () => database().$count(coverageFigures, eq(coverageFigures.organisationId, customer.organisationId));
    expect(await count()).toBe(1);
    const [contract] = await database()
      .select()
      .from(contracts)
      .where(eq(contracts.organisationId, customer.organisationId));
    const ended = startOfWrittenDay(daysAfter(contract?.endsOn ?? "", 2));
    server.passTime((ended.getTime() - server.services.now().getTime()) / 1000);
    const late = await member(server, "user", { organisationId: customer.organisationId });
    expect((await server.call("user/coverage", {}, late.token)).body.asOf).toBeNull();
    expect(await count()).toBe(0);
  });
});

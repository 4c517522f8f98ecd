import { and, eq, isNull, notLike, sql } from "drizzle-orm";
import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { inMilliseconds } from "../../contract/durations.ts";
import type { EngineKind } from "../../contract/engine-kinds.ts";
import type { Answer } from "../../contract/operations.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { listeningEngine } from "../../tests/listening-engine.ts";
import { member, type Member } from "../../tests/people.ts";
import { countWaiting, inTurn } from "../../tests/while-held.ts";
import { tenants } from "../demo/engines/fleet.ts";
import type { Misbehaviour } from "../demo/engines/stand-in.ts";
import {
  actionItems,
  auditEntries,
  deviceDecisions,
  engineBindings,
  engineDevices,
  engineFindings,
  engineIncidents,
  engineStreams,
  heldSources,
  incidents,
  organisations,
  suppressionRules,
} from "../database/schema/index.ts";
import type { Finding } from "../outside/engines/engine.ts";
import { applyRules } from "../incidents/suppress-findings.ts";
import { takeEngineIncidents } from "../incidents/take-engine-incidents.ts";
import { openEngines } from "../outside/engines/engines.ts";
import { rules } from "../protection/limiter.ts";
import { sealingKeys, seal, unseal } from "../protection/sealed-secret.ts";
import { noteSources } from "../service-reports/note-sources.ts";
import { readEngineKeys } from "../settings/engine-keys.ts";
import { findDevicesOf } from "./devices.ts";
import { pollEngine } from "./poll.ts";
import { pollDue } from "./poll-due.ts";
import { resealBindings } from "./reseal.ts";
import { storeFindings } from "./store.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { enginesAllowPrivate: true } });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());

const database = () => server.services.database;
const secret = "sample secret of the stand-in";

const listening = (kind: EngineKind, size?: number) => listeningEngine(server, kind, size);

const bind = (input: object, who = admin) => server.send("admin/engines/post", input, who.token);
const list = async (email: string) => (await server.call("admin/engines", { email }, admin.token)).body.engines;

/** A customer with one bound engine. */
async function bound(kind: EngineKind = "wazuh4", size?: number) {
  const customer = await member(server, "user");
  const standIn = await listening(kind, size);
  const { status, body } = await bind({ ...standIn.input, email: customer.email });
  expect([status, body.error]).toEqual([200, undefined]);
  const id = String(body["id"]);
  const poll = () => pollEngine(server.services, id);
  const shown = async () => (await list(customer.email)).find((each) => each.id === id);
  const misbehavingFor = async (how: Misbehaviour, polls: number) => {
    standIn.misbehave(how);
    for (let count = 0; count < polls; count++) {
      server.passTime(16 * 60);
      await poll();
    }
  };
  return { ...standIn, customer, id, poll, shown, misbehavingFor };
}

const rowOf = async (id: string) =>
  (await database().select().from(engineBindings).where(eq(engineBindings.id, id)))[0];
const streamOf = async (id: string, name: string) =>
  (await database().select().from(engineStreams).where(eq(engineStreams.bindingId, id))).find(
    ({ stream }) => stream === name,
  );
const devicesOf = (id: string) =>
  database()
    .select()
    .from(engineDevices)
    .where(and(eq(engineDevices.bindingId, id), isNull(engineDevices.goneAt)));
const seenBy = (customer: Member) => findDevicesOf(database(), customer.organisationId, server.services.now());

describe("A binding", () => {
  it("is listed without its secret, which stands nowhere in clear, and its change is noted", async () => {
    const { id, customer, shown, poll } = await bound();
    await poll();
    expect(JSON.stringify(await shown())).not.toContain(secret);
    const row = await rowOf(id);
    expect(row?.sealedSecret).toMatch(/^v1\|/);
    const everything = await database().execute(
      sql`select row_to_json(audit_entries)::text as entry from audit_entries`,
    );
    const entries = await database()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `organisation:${customer.organisationId}`));
    expect(entries.map(({ action }) => action)).toContain("bind engine");
    for (const text of [JSON.stringify(row), JSON.stringify(everything.rows), server.log.join("\n")])
      expect(text).not.toContain(secret);
  });

  it("keeps its secret when it is changed, and gives it to no other address", async () => {
    const { id, customer, input, shown } = await bound();
    const { secret: _known, ...kept } = { ...input, email: customer.email, id, version: 1 };
    const renamed = await bind({ ...kept, tenantKey: tenants.own });
    expect(renamed.status).toBe(200);
    expect(await shown()).toMatchObject({ tenantKey: tenants.own, version: 2 });
    const elsewhere = { ...kept, version: 2, address: "https://elsewhere.example" };
    const moved = await bind(elsewhere);
    expect([moved.status, moved.body.fields]).toEqual([422, { secret: expect.stringContaining("again") }]);
    const tested = await server.send("admin/engines/test", elsewhere, admin.token);
    expect([tested.status, tested.body.fields]).toEqual([422, { secret: expect.stringContaining("again") }]);
    const certified = await bind({ ...kept, version: 2, indexerAddress: "https://indexer.elsewhere.example" });
    expect(certified.status).toBe(422);
  });

  it("of an engine that another customer is bound to is a part of its own", async () => {
    const { email } = await member(server, "user");
    const refused = async (standIn: { input: object }, over: object = {}) => {
      const { status, body } = await bind({ ...standIn.input, email, ...over });
      return status === 200 ? "bound" : Object.keys(body.fields ?? {});
    };
    const whole = await bound("wazuh4");
    expect(await refused(whole)).toEqual(["tenantKey"]);
    expect(await refused(whole, { tenantKey: "acme" })).toEqual(["tenantKey"]);
    const again = { ...whole.input, email: whole.customer.email, id: whole.id, version: 1, tenantKey: "sample" };
    expect((await bind(again)).status).toBe(200);
    expect(await refused(whole, { tenantKey: "Sample" })).toEqual(["tenantKey"]);
    const address = whole.input.address.replace("http://127.0.0.1", "HTTP://127.0.0.1.");
    expect(await refused(whole, { tenantKey: "sample", address })).toEqual(["tenantKey"]);
    const detectors = await bound("opensearch");
    expect(await refused(detectors, { tenantKey: `${tenants.own} windows` })).toEqual(["tenantKey"]);
    expect(await refused(detectors, { tenantKey: "acme" })).toBe("bound");
    const { id, version } = (await list(whole.customer.email))[0] ?? { id: "", version: 0 };
    await server.call("admin/engines/remove", { id, version }, admin.token);
    expect(await refused(whole, { tenantKey: "sample" })).toBe("bound");
  });

  it("is bound once, also where the answer was lost and it is sent again", async () => {
    const { customer, input } = await bound();
    const { status, body } = await bind({ ...input, email: customer.email });
    expect([status, body.error]).toEqual([409, expect.stringContaining("is bound already")]);
    expect(await list(customer.email)).toHaveLength(1);
  });

  it("is bound whole or by parts, not both, or each finding of its customer would count twice", async () => {
    const part = async ({ input, customer }: Awaited<ReturnType<typeof bound>>, over: object) => {
      const { status, body } = await bind({ ...input, email: customer.email, ...over });
      return status === 200 ? "bound" : [status, body.fields];
    };
    const refused = [422, { tenantKey: expect.stringContaining("count twice") }];
    const whole = await bound("wazuh4");
    expect(await part(whole, { tenantKey: tenants.own })).toEqual(refused);
    expect(await part(whole, { id: whole.id, version: 1, tenantKey: tenants.own })).toBe("bound");
    expect(await part(whole, {})).toEqual(refused);
    expect(await part(whole, { tenantKey: tenants.other })).toBe("bound");
    expect(await part(whole, { id: whole.id, version: 2, tenantKey: "" })).toEqual(refused);
    const detectors = await bound("opensearch");
    expect(await part(detectors, { tenantKey: `${tenants.own} windows` })).toEqual(refused);
    expect(await part(detectors, { tenantKey: "acme" })).toBe("bound");
  });

  it("stands among those of all, first once it has failed three times, until it is removed", async () => {
    const child = await member(server, "adminChild", { organisationId: admin.organisationId });
    const { customer, id, poll, shown, misbehavingFor } = await bound();
    const own = async (query: object = {}) => {
      const { status, body } = await server.send("admin/engines/all", { limit: 100, ...query }, child.token);
      expect(status).toBe(200);
      const { engines } = body as Answer<"admin/engines/all">;
      return {
        engines,
        place: engines.findIndex((each) => each.id === id),
        row: engines.find((each) => each.id === id),
      };
    };
    expect((await own()).row).toMatchObject({ rank: 1, failing_since: null, last_answer_at: null });
    await poll();
    const answering = await own();
    expect(answering.row).toMatchObject({ email: customer.email, kind: "wazuh4", last_answer_at: expect.any(String) });
    expect(JSON.stringify(answering.row)).not.toContain(secret);
    await misbehavingFor("down", 3);
    const failing = await own();
    expect(failing.row).toMatchObject({ rank: 0, failing_since: expect.any(String), sentence: expect.any(String) });
    expect(failing.engines.slice(0, failing.place).filter(({ rank }) => rank === 1)).toEqual([]);
    const renamed = { id: customer.organisationId, version: 1, name: "Kaveri Renamed" };
    expect((await server.call("admin/people/change-organization", renamed, admin.token)).status).toBe(200);
    expect((await own({ search: "kaveri renamed" })).engines.map((each) => each.id)).toEqual([id]);
    await server.call("admin/engines/remove", { id, version: (await shown())?.version ?? 0 }, admin.token);
    expect((await own()).place).toBe(-1);
    expect((await server.send("admin/engines/all", {}, customer.token)).status).toBe(403);
  });

  it("that another customer has shared since before this was refused is told of among those of all, until it is put right", async () => {
    const [one, other] = [await bound("wazuh4"), await bound("wazuh4")];
    const told = async ({ id, input }: typeof one) => {
      const { body } = await server.send("admin/engines/all", { search: input.address }, admin.token);
      const row = (body as Answer<"admin/engines/all">).engines.find((each) => each.id === id);
      return [row?.failing_since === null, row?.sentence ?? null];
    };
    const indexerAddress = one.input.indexerAddress ?? "";
    expect([await told(one), await told(other)]).toEqual([
      [true, null],
      [true, null],
    ]);
    await database()
      .update(engineBindings)
      .set({ indexerAddress: `${indexerAddress}/` })
      .where(eq(engineBindings.id, other.id));
    const sentence = expect.stringContaining("Another customer’s manager writes into this indexer");
    expect([await told(one), await told(other)]).toEqual([
      [false, sentence],
      [false, sentence],
    ]);
    const change = { ...other.input, email: other.customer.email, id: other.id, version: 1 };
    expect((await bind(change)).status).toBe(200);
    expect([await told(one), await told(other)]).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it("that its own customer has by two overlapping parts since before this was refused is told of, too", async () => {
    const whole = await bound("wazuh4");
    const told = async () => {
      const { body } = await server.send("admin/engines/all", { search: whole.input.address }, admin.token);
      return (body as Answer<"admin/engines/all">).engines.map(({ sentence }) => sentence);
    };
    const apart = { id: whole.id, version: 1, tenantKey: tenants.own };
    for (const change of [apart, { tenantKey: tenants.other }])
      // oxlint-disable-next-line no-await-in-loop -- adds the second beside the first
      expect((await bind({ ...whole.input, email: whole.customer.email, ...change })).status).toBe(200);
    expect(await told()).toEqual([null, null]);
    await database().update(engineBindings).set({ tenantKey: null }).where(eq(engineBindings.id, whole.id));
    const twice = expect.stringContaining("each finding counts twice");
    expect(await told()).toEqual([twice, twice]);
  });

  it("is asked again from its entry while it is changed", async () => {
    const { id, customer, input, poll, misbehavingFor } = await bound();
    await poll();
    await misbehavingFor("down", 3);
    const [entry] = await database().select().from(actionItems).where(eq(actionItems.subjectId, id));
    expect(entry?.queue).toBe("engines");
    const change = { ...input, email: customer.email, id, version: 1, tenantKey: tenants.other };
    const answers = await inTurn(
      server,
      `select from action_items where subject_id = '${id}' for update`,
      () => server.call("admin/actions/retry", { id: entry?.id ?? "" }, admin.token),
      () => bind(change),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("goes to the customer into which its own is merged, once it is polled", async () => {
    const { id, customer, poll } = await bound();
    const into = await member(server, "user");
    const preview = { from: customer.email, into: into.email };
    const { from, into: target } = (await server.call("admin/people/merge-preview", preview, admin.token)).body.merge;
    const [polled, merged] = await inTurn(
      server,
      "lock table engine_findings in exclusive mode",
      () => poll().then(() => "polled"),
      () => server.call("admin/people/merge", { from, into: target }, admin.token),
    );
    expect([polled, merged.status]).toEqual(["polled", 200]);
    expect((await rowOf(id))?.organisationId).toBe(into.organisationId);
    const moved = eq(engineFindings.organisationId, into.organisationId);
    expect(await database().$count(engineFindings, moved)).toBeGreaterThan(0);
  });

  it("is changed by one of two who saw the same state", async () => {
    const { id, customer, input } = await bound();
    const change = { ...input, email: customer.email, id, version: 1 };
    const replies = await Promise.all([bind(change), bind(change)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it("of another manager is refused where another customer's writes into its indexer, but for a group of its own in Wazuh 5", async () => {
    const { email } = await member(server, "user");
    const elsewhere = { email, address: "https://other-manager.example" };
    const answer = async (asked: object) => {
      const { status, body } = await bind(asked);
      return status === 200 ? "bound" : Object.keys(body.fields ?? {});
    };
    const four = await bound("wazuh4");
    expect(await answer({ ...four.input, ...elsewhere, tenantKey: "acme" })).toEqual(["indexerAddress"]);
    const five = await bound("wazuh5");
    expect(await answer({ ...five.input, ...elsewhere, tenantKey: "acme" })).toEqual(["indexerAddress"]);
    const own = { ...five.input, email: five.customer.email, id: five.id, version: 1, tenantKey: "sample" };
    expect(await answer(own)).toBe("bound");
    expect(await answer({ ...five.input, ...elsewhere, tenantKey: "acme" })).toBe("bound");
  });

  it("of another manager is refused where its own customer's writes into its indexer, or each finding would count twice", async () => {
    const answer = async ({ input, customer }: Awaited<ReturnType<typeof bound>>, over: object) => {
      const asked = { ...input, email: customer.email, address: "https://its-other-manager.example", ...over };
      const { status, body } = await bind(asked);
      return status === 200 ? "bound" : [status, body.fields];
    };
    const refused = [422, { indexerAddress: expect.stringContaining("each finding counts twice") }];
    const four = await bound("wazuh4");
    expect(await answer(four, {})).toEqual(refused);
    expect(await answer(four, { tenantKey: "acme" })).toEqual(refused);
    const five = await bound("wazuh5");
    expect(await answer(five, { tenantKey: "acme" })).toEqual(refused);
    expect(await answer(five, { address: five.input.address, id: five.id, version: 1, tenantKey: "sample" })).toBe(
      "bound",
    );
    expect(await answer(five, { tenantKey: "acme" })).toBe("bound");
  });

  it("of two managers of its customer that have written into one indexer since before this was refused is told of", async () => {
    const { customer, input } = await bound("wazuh4");
    const second = await listening("wazuh4");
    const { body } = await bind({ ...second.input, email: customer.email });
    const told = async () => {
      const all = await server.send("admin/engines/all", { limit: 100 }, admin.token);
      const { engines } = all.body as Answer<"admin/engines/all">;
      return engines.filter(({ email }) => email === customer.email).map(({ sentence }) => sentence);
    };
    expect(await told()).toEqual([null, null]);
    await database()
      .update(engineBindings)
      .set({ indexerAddress: input.indexerAddress })
      .where(eq(engineBindings.id, String(body["id"])));
    const twice = expect.stringContaining("Another manager of this customer writes into this indexer");
    expect(await told()).toEqual([twice, twice]);
  });

  it("is not reached by the e-mail of another customer", async () => {
    const { id, input } = await bound();
    const other = await member(server, "user");
    expect((await bind({ ...input, email: other.email, id, version: 1 })).status).toBe(404);
    expect(
      (await server.send("admin/engines/test", { ...input, email: other.email, id, version: 1 }, admin.token)).status,
    ).toBe(404);
    expect(await list(other.email)).toEqual([]);
  });

  it("is refused with each field that is missing or wrong", async () => {
    const { email } = await member(server, "user");
    const fieldsOf = async (input: object) =>
      Object.keys((await bind({ email, ...input })).body.fields ?? {}).toSorted();
    expect(await fieldsOf({ kind: "iris", address: "https://iris.example" })).toEqual(["secret", "tenantKey"]);
    expect(await fieldsOf({ kind: "wazuh4", address: "https://a.example", secret: "x" })).toEqual(["username"]);
    const iris = { kind: "iris", tenantKey: "7", secret: "x" };
    expect(await fieldsOf({ ...iris, address: "https://u:p@iris.example" })).toEqual(["address"]);
    expect(await fieldsOf({ ...iris, address: "ftp://iris.example" })).toEqual(["address"]);
    expect(
      await fieldsOf({
        ...iris,
        address: "https://iris.example",
        caCertificate: "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----",
      }),
    ).toEqual(["caCertificate"]);
  });

  it("leads into no private network unless the operator allows it", async () => {
    const strict = await startTestServer({ work: false });
    onTestFinished(() => strict.stop());
    const [boss, customer] = [await member(strict, "admin"), await member(strict, "user")];
    const input = { email: customer.email, kind: "iris", tenantKey: "7", secret: "x", address: "http://127.0.0.1:1" };
    expect((await strict.send("admin/engines/post", input, boss.token)).status).toBe(422);
    const shouted = { ...input, address: "HTTP://203.0.113.7" };
    expect((await strict.send("admin/engines/post", shouted, boss.token)).status).toBe(422);
    const inside = { ...input, address: "https://127.0.0.1:1" };
    const { body } = await strict.send("admin/engines/test", inside, boss.token);
    expect(body).toMatchObject({
      ok: false,
      problem: "address",
      message: expect.stringContaining("ENGINES_ALLOW_PRIVATE"),
    });
  });

  it("is removed with its credentials, and what it told stays", async () => {
    const { id, customer, poll, shown } = await bound("thehive");
    await poll();
    const removal = { id, version: (await shown())?.version ?? 0 };
    expect((await server.call("admin/engines/remove", removal, admin.token)).status).toBe(200);
    expect((await server.call("admin/engines/remove", removal, admin.token)).status).toBe(404);
    expect(await rowOf(id)).toMatchObject({ sealedSecret: null, sealedIndexerSecret: null });
    expect(await list(customer.email)).toEqual([]);
    expect(await database().$count(engineIncidents, eq(engineIncidents.bindingId, id))).toBe(3);
    await poll();
    expect(await streamOf(id, "findings")).toBeUndefined();
  });

  it("is tested as it is typed, and the answer says in words what is wrong", async () => {
    const { input, misbehave } = await listening("wazuh5");
    const { email } = await member(server, "user");
    const test = async (over: object = {}) =>
      (await server.send("admin/engines/test", { ...input, email, ...over }, admin.token)).body;
    expect(await test()).toMatchObject({ ok: true, message: "It answers, as version 5.0.0." });
    expect(await test({ secret: "wrong" })).toMatchObject({ ok: false, problem: "login" });
    expect(await test({ tenantKey: "nobody" })).toMatchObject({ ok: false, problem: "tenant" });
    expect(await test({ kind: "wazuh4" })).toMatchObject({ ok: false, problem: "version" });
    misbehave("clock ahead");
    expect(await test()).toMatchObject({ ok: true, message: expect.stringContaining("10 minutes ahead of ours") });
  });
});

it("Tests of engines are counted by administrator, so that nobody looks through a network by them", async () => {
  const [boss, { email }] = [await member(server, "admin"), await member(server, "user")];
  const { input } = await listening("iris");
  const test = () => server.send("admin/engines/test", { ...input, email }, boss.token);
  expect((await test()).status).toBe(200);
  const { points } = rules.engineTestByAccount;
  for (let count = 1; count < points; count++)
    // oxlint-disable-next-line no-await-in-loop -- the limiter counts one after the other
    await server.services.limiter.consume("engineTestByAccount", boss.id);
  expect((await test()).status).toBe(429);
});

describe("A poll", () => {
  it("comes with a new binding, and then by the clock, once however many copies look", async () => {
    const { id } = await bound("iris");
    const jobs = async () =>
      (await database().execute(sql`select id from jobs.job where name = 'poll-engine' and data->>'bindingId' = ${id}`))
        .rows.length;
    expect(await jobs()).toBe(1);
    await Promise.all(Array.from({ length: 4 }, () => pollDue(server.services)));
    expect(await jobs()).toBe(2);
    await pollDue(server.services);
    expect(await jobs()).toBe(2);
    server.passTime(75);
    await Promise.all([pollDue(server.services), pollDue(server.services)]);
    expect(await jobs()).toBe(3);
  });

  it.each([
    ["an hour", { hours: 1 }],
    // An engine whose clock is a week off from ours is not believed.
    ["a week", { days: 7 }],
  ])("comes at once when our clock was %s ahead and is right again", async (_, ahead) => {
    const now = server.services.now();
    const { input } = await listeningEngine({ services: { now: () => now } }, "iris");
    const { email } = await member(server, "user");
    const id = String((await bind({ ...input, email })).body["id"]);
    const seconds = inMilliseconds(ahead) / 1000;
    server.passTime(seconds);
    await pollDue(server.services);
    await pollEngine(server.services, id);
    server.passTime(60 - seconds);
    const jobs = sql`select from jobs.job where name = 'poll-engine' and data->>'bindingId' = ${id}`;
    const before = (await database().execute(jobs)).rowCount ?? 0;
    await pollDue(server.services);
    expect((await database().execute(jobs)).rowCount).toBe(before + 1);
    await pollEngine(server.services, id);
    const stream = await streamOf(id, "findings");
    expect(stream?.problem).toBeNull();
    expect(Number(stream?.lastAnswerAt)).toBeLessThanOrEqual(server.services.now().getTime());
  });

  it("stores devices, findings and cases, and the same again changes nothing", async () => {
    // The stand-in finds something every twenty minutes: both rounds lie between two findings.
    server.passTime(1201 - ((server.services.now().getTime() / 1000) % 1200));
    const wazuh = await bound("wazuh4");
    const hive = await bound("thehive");
    for (let round = 0; round < 2; round++) {
      await wazuh.poll();
      await hive.poll();
      expect(await devicesOf(wazuh.id)).toHaveLength(40);
      expect(await database().$count(engineFindings, eq(engineFindings.bindingId, wazuh.id))).toBe(60);
      expect(await database().$count(engineIncidents, eq(engineIncidents.bindingId, hive.id))).toBe(3);
    }
    expect(await wazuh.shown()).toMatchObject({ state: "ok", devices: 40, engineVersion: "4.14.1" });
    const devices = await devicesOf(wazuh.id);
    expect(devices.find(({ externalId }) => externalId === "040")).toMatchObject({ state: "never", lastSeenAt: null });
    const silent = devices.find(({ externalId }) => externalId === "001");
    expect(silent).toMatchObject({ state: "active", lastEventBasis: "events" });
    const hoursSilent =
      (server.services.now().getTime() - Number(silent?.lastEventAt ?? server.services.now())) / 3_600_000;
    expect(silent?.lastEventAt === null || hoursSilent > 24).toBe(true);
  });

  it.each<EngineKind>(["wazuh5", "iris", "opensearch", "shuffle"])("of %s stores what it found", async (kind) => {
    const { id, poll, shown } = await bound(kind);
    await poll();
    expect(await shown()).toMatchObject({ state: "ok" });
    expect(await database().$count(engineFindings, eq(engineFindings.bindingId, id))).toBe(60);
  });

  it("is one at a time, and given back by a copy that died", async () => {
    const { id, poll, calls, misbehave } = await bound("iris");
    // The first is still running when the others start.
    misbehave("slow");
    await Promise.all([poll(), poll(), poll()]);
    misbehave(null);
    expect(calls.get("/manage/cases/filter")).toBe(1);
    await database()
      .update(engineBindings)
      .set({ polledUntil: new Date(server.services.now().getTime() + 90_000) })
      .where(eq(engineBindings.id, id));
    await poll();
    expect(calls.get("/manage/cases/filter")).toBe(1);
    server.passTime(95);
    await poll();
    expect(calls.get("/manage/cases/filter")).toBe(2);
  });

  it("that fails says since when and why, and its devices are not known since the last answer", async () => {
    const { customer, id, poll, misbehave, shown } = await bound();
    await poll();
    const answeredAt = (await streamOf(id, "devices"))?.lastAnswerAt;
    expect((await seenBy(customer)).every(({ unknownSince }) => unknownSince === null)).toBe(true);
    server.passTime(60);
    misbehave("down");
    await poll();
    const binding = await shown();
    expect(binding?.state).toBe("failing");
    expect(binding?.streams[0]).toMatchObject({ problem: "down", lastAnswerAt: answeredAt?.toISOString() });
    expect(binding?.streams[0]?.failingSince).not.toBeNull();
    const devices = await seenBy(customer);
    expect([devices.length, new Set(devices.map(({ unknownSince }) => unknownSince?.getTime()))]).toEqual([
      40,
      new Set([answeredAt?.getTime()]),
    ]);
    misbehave(null);
    server.passTime(120);
    await poll();
    expect((await seenBy(customer)).every(({ unknownSince }) => unknownSince === null)).toBe(true);
    expect((await shown())?.state).toBe("ok");
  });

  it("that does not take place leaves the devices unknown, too", async () => {
    const { customer, poll } = await bound();
    await poll();
    server.passTime(600);
    expect((await seenBy(customer)).every(({ unknownSince }) => unknownSince !== null)).toBe(true);
  });

  it("of one capability that fails leaves the others as they are", async () => {
    const { poll, misbehave, shown } = await bound();
    misbehave("no index");
    await poll();
    const streams = (await shown())?.streams.map(({ stream, problem }) => [stream, problem]);
    expect(streams).toEqual([
      ["devices", null],
      ["events", null],
      ["findings", "permission"],
    ]);
  });

  it("of one capability whose answer can't be taken leaves the others as they are, and is logged", async () => {
    const { id, poll, shown } = await bound();
    await database().$client.query(`
      create function refuse_devices() returns trigger language plpgsql as $$ begin raise 'no room for odd devices'; end $$;
      create trigger refuse_devices before insert on engine_devices for each row
        when (new.binding_id = '${id}') execute function refuse_devices()`);
    onTestFinished(async () => void (await database().$client.query("drop function refuse_devices cascade")));
    await poll();
    const streams = (await shown())?.streams.map(({ stream, problem, sentence }) => [stream, problem, sentence]);
    expect(streams).toEqual([
      ["devices", "answer", expect.stringContaining("The server's log says why")],
      ["events", null, null],
      ["findings", null, null],
    ]);
    expect(server.log.join("\n")).toContain("no room for odd devices");
  });

  it("of one capability that meets an outage of ours asks for the others, and says nothing of that one", async () => {
    const { id, poll, shown } = await bound();
    await database().$client.query(`
      create function delay_devices() returns trigger language plpgsql as
        $$ begin raise 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
      create trigger delay_devices before insert on engine_devices for each row
        when (new.binding_id = '${id}') execute function delay_devices()`);
    onTestFinished(async () => void (await database().$client.query("drop function delay_devices cascade")));
    await expect(poll()).rejects.toMatchObject({ cause: { code: "57014" } });
    const { streams, engineVersion } = (await shown()) ?? {};
    expect(streams?.map(({ stream, problem }) => [stream, problem])).toEqual([
      ["events", null],
      ["findings", null],
    ]);
    expect(engineVersion).toBe("4.14.1");
  });

  it("no longer fails for a capability that the changed binding does not have", async () => {
    const { id, customer, input, poll, shown, misbehave } = await bound();
    misbehave("no index");
    await poll();
    expect((await shown())?.state).toBe("failing");
    const change = { ...input, indexerAddress: null, email: customer.email, id, version: 1 };
    expect((await bind(change)).status).toBe(200);
    await poll();
    const { state, streams } = (await shown()) ?? {};
    expect([state, streams?.map(({ stream }) => stream)]).toEqual(["ok", ["devices", "events"]]);
  });

  it("leaves an engine alone that asks for it, and asks ever less often", async () => {
    const { id, poll, misbehave, calls } = await bound("iris");
    misbehave("busy until");
    await poll();
    const asked = () => [...calls.values()].reduce((sum, count) => sum + count, 0);
    const before = asked();
    server.passTime(60);
    await poll();
    expect(asked()).toBe(before);
    expect((await streamOf(id, "findings"))?.failures).toBe(1);
    server.passTime(61);
    await poll();
    expect((await streamOf(id, "findings"))?.failures).toBe(2);
  });

  it("that fails three times comes into the action queue, with its reason, and leaves it by itself", async () => {
    const { id, customer, misbehavingFor, misbehave, poll, shown } = await bound();
    await poll();
    const items = () =>
      database()
        .select()
        .from(actionItems)
        .where(and(eq(actionItems.subjectId, id), isNull(actionItems.closedAt)));
    await misbehavingFor("down", 2);
    expect(await items()).toEqual([]);
    await misbehavingFor("down", 1);
    expect(await items()).toEqual([
      expect.objectContaining({ queue: "engines", about: "Wazuh 4", problem: expect.stringContaining("fails inside") }),
    ]);
    const boss = await member(server, "admin", { organisationId: admin.organisationId });
    const { body } = await server.call("admin/actions/item", { id: (await items())[0]?.id ?? "" }, boss.token);
    expect(body.customer?.email).toBe(customer.email);
    const again = await server.call("admin/actions/retry", { id: (await items())[0]?.id ?? "" }, boss.token);
    expect(again.status).toBe(200);
    misbehave(null);
    await poll();
    expect([await items(), (await shown())?.state]).toEqual([[], "ok"]);
  });

  it("of an engine too slow for one round asks each in turn, and says what it never came to", async () => {
    const { id, shown } = await bound("iris");
    const round = async () => {
      await pollEngine(server.services, id, 0);
      const binding = await shown();
      return [binding?.state, ...(binding?.streams ?? []).map(({ stream, problem }) => [stream, problem])];
    };
    expect(await round()).toEqual(["failing", ["findings", null], ["incidents", "too_slow"]]);
    expect(await database().$count(engineIncidents, eq(engineIncidents.bindingId, id))).toBe(0);
    server.passTime(60);
    expect(await round()).toEqual(["ok", ["findings", null], ["incidents", null]]);
    expect(await database().$count(engineIncidents, eq(engineIncidents.bindingId, id))).toBe(3);
  });

  it("that is overtaken by a change stores nothing of what it had asked", async () => {
    const { id, customer, input, calls } = await bound("iris");
    // Answers only once the binding was changed.
    const slow = createServer((request, response) => {
      void (async () => {
        const answer = await fetch(`${input.address}${request.url}`, {
          headers: { Authorization: request.headers.authorization ?? "" },
        });
        if (request.url?.startsWith("/alerts")) await changed;
        response.end(await answer.text());
      })();
    });
    await new Promise<void>((ready) => slow.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void (slow.closeAllConnections(), slow.close()));
    const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    expect((await bind({ ...input, address, email: customer.email, id, version: 1 })).status).toBe(200);
    let change = () => {};
    const changed = new Promise<void>((done) => (change = done));
    const polling = pollEngine(server.services, id);
    await expect.poll(() => calls.get("/alerts/filter")).toBe(1);
    const moved = await bind({ ...input, email: customer.email, id, version: 2 });
    change();
    await polling;
    expect([moved.status, await database().$count(engineFindings, eq(engineFindings.bindingId, id))]).toEqual([200, 0]);
    await pollEngine(server.services, id);
    expect(await database().$count(engineFindings, eq(engineFindings.bindingId, id))).toBe(60);
  });

  it("of a copy that was frozen meanwhile stores nothing over what another copy has asked since", async () => {
    const { id, customer, input, calls, poll } = await bound("iris");
    let wake = () => {};
    const woken = new Promise<void>((done) => (wake = done));
    const slow = createServer((request, response) => {
      void (async () => {
        const isFirst = !calls.has("/alerts/filter");
        const answer = await fetch(`${input.address}${request.url}`, {
          headers: { Authorization: request.headers.authorization ?? "" },
        });
        if (isFirst && request.url?.startsWith("/alerts")) await woken;
        response.end(await answer.text());
      })();
    });
    await new Promise<void>((ready) => slow.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void (slow.closeAllConnections(), slow.close()));
    const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    expect((await bind({ ...input, address, email: customer.email, id, version: 1 })).status).toBe(200);
    const frozen = poll();
    await expect.poll(() => calls.get("/alerts/filter")).toBe(1);
    server.passTime(95);
    await poll();
    const known = await streamOf(id, "findings");
    expect(known?.lastAnswerAt).not.toBeNull();
    server.passTime(30);
    wake();
    await frozen;
    expect(await streamOf(id, "findings")).toEqual(known);
  });

  it("that a stop cuts off ends at once, and says nothing of the engine", async () => {
    const { id, misbehave, poll } = await bound("iris");
    await poll();
    misbehave("hang");
    const engines = openEngines({ allowPrivate: true });
    const polling = pollEngine({ ...server.services, engines }, id);
    await expect.poll(async () => (await rowOf(id))?.polledUntil).not.toBeNull();
    engines.stop();
    await polling;
    await pollEngine({ ...server.services, engines }, id);
    expect([await streamOf(id, "findings"), (await rowOf(id))?.polledUntil]).toMatchObject([{ failures: 0 }, null]);
  });

  it("reports a credential problem when the key of the secret is gone", async () => {
    const { id, poll, shown } = await bound();
    await poll();
    const foreign = seal([{ name: "gone", key: Buffer.alloc(32, 7) }], secret, `engine:${id}:secret`);
    await database().update(engineBindings).set({ sealedSecret: foreign }).where(eq(engineBindings.id, id));
    await poll();
    expect(await shown()).toMatchObject({
      state: "failing",
      streams: expect.arrayContaining([expect.objectContaining({ problem: "credential" })]),
    });
  });

  it("corrects what an engine with a wrong clock says, and has no device seen in the future", async () => {
    const { id, misbehave, poll, shown } = await bound();
    misbehave("clock ahead");
    await poll();
    const now = server.services.now().getTime();
    const ages = (await devicesOf(id)).flatMap(({ lastSeenAt }) =>
      lastSeenAt ? [(now - lastSeenAt.getTime()) / 1000] : [],
    );
    expect(Math.min(...ages)).toBeGreaterThan(-1);
    expect(Math.max(...ages)).toBeLessThan(90);
    expect(Math.abs(((await shown())?.skewSeconds ?? 0) - 600)).toBeLessThanOrEqual(2);
  });
});

describe("What an engine tells", () => {
  it("goes with its customer into another one, and a poll that ran meanwhile is overtaken", async () => {
    const { id, customer, poll, shown } = await bound();
    await poll();
    const into = await member(server, "user");
    const versionOf = async (organisationId: string) =>
      (await database().select().from(organisations).where(eq(organisations.id, organisationId)))[0]?.version ?? 0;
    const merge = {
      from: { id: customer.organisationId, version: await versionOf(customer.organisationId) },
      into: { id: into.organisationId, version: await versionOf(into.organisationId) },
    };
    const merged = await server.call("admin/people/merge", merge, admin.token);
    expect([merged.status, merged.body.error]).toEqual([200, undefined]);
    expect(await shown()).toMatchObject({ devices: 40, version: 2 });
    expect(await seenBy(into)).toHaveLength(40);
    await poll();
    expect((await rowOf(id))?.organisationId).toBe(into.organisationId);
  });

  it("may hold whatever an attacker wrote into it", async () => {
    const { id, input, customer } = await bound("shuffle");
    const odd = {
      title: "Nul \0 and half \ud800 a character <b>",
      created_at: Date.now() / 1000,
      severity: "HIGH",
      read: false,
    };
    const records = [{ ...odd, id: "odd" }, { ...odd, id: "x".repeat(5000) }, { ...odd, id: 7 }, null];
    const answer = JSON.stringify({ success: true, notifications: records });
    const http = createServer((_request, response) => response.end(answer));
    await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void (http.closeAllConnections(), http.close()));
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await bind({ ...input, address, email: customer.email, id, version: 1 });
    await pollEngine(server.services, id);
    const stored = await database().select().from(engineFindings).where(eq(engineFindings.bindingId, id));
    expect(stored.map(({ title }) => title)).toEqual(["Nul  and half \ufffd a character <b>"]);
    expect(await streamOf(id, "findings")).toMatchObject({ problem: null, unreadable: 2 });
  });

  it("may be longer than a database index allows", async () => {
    const { id, input, customer } = await bound("wazuh4");
    const long = randomBytes(6000).toString("hex");
    const agent = {
      id: "001",
      name: long,
      ip: long,
      status: "active",
      group: [long],
      os: { name: long },
      version: long,
    };
    const http = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://engine.example");
      const list = { affected_items: [agent], total_affected_items: 1, total_failed_items: 0 };
      const data = pathname.endsWith("/authenticate") ? { token: "x" } : { api_version: "4.14.1", ...list };
      response.end(JSON.stringify({ data, error: 0 }));
    });
    await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void (http.closeAllConnections(), http.close()));
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await bind({ ...input, address, indexerAddress: null, email: customer.email, id, version: 1 });
    await pollEngine(server.services, id);
    const [device] = await devicesOf(id);
    expect([device?.name.length, device?.address?.length, device?.os?.length]).toEqual([300, 200, 200]);
    expect(await streamOf(id, "devices")).toMatchObject({ problem: null });
  });

  it("is reported as a login problem when the secret can't be sent in a header", async () => {
    const { input } = await listening("iris");
    const { email } = await member(server, "user");
    const { body } = await server.send("admin/engines/test", { ...input, email, secret: "ключ" }, admin.token);
    expect(body).toMatchObject({ ok: false, problem: "login" });
  });
});

/** A stand-in of an engine in which `answers` replaces some answers, by path. */
async function standingBefore(kind: EngineKind, answers: Record<string, (query: URLSearchParams) => unknown>) {
  const customer = await member(server, "user");
  const { input } = await listening(kind);
  const http = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "", input.address);
      const body = (await request.toArray()).join("");
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      const headers = { Authorization: authorization, "Content-Type": type };
      const own = answers[url.pathname];
      const answer = own
        ? JSON.stringify(own(url.searchParams))
        : await (await fetch(url, { method: request.method ?? "GET", headers, ...(body && { body }) })).text();
      response.setHeader("Date", server.services.now().toUTCString());
      response.end(answer);
    })();
  });
  await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void (http.closeAllConnections(), http.close()));
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { status, body } = await bind({ ...input, address, email: customer.email });
  expect(status).toBe(200);
  const id = String(body["id"]);
  const poll = () => pollEngine(server.services, id);
  return {
    id,
    poll,
    /** Polls an engine so slow that each poll ends after one answer. */
    slowPolls: async (count: number) => {
      for (let round = 0; round < count; round++) {
        server.passTime(60);
        await pollEngine(server.services, id, 0);
      }
    },
    found: () => database().$count(engineFindings, eq(engineFindings.bindingId, id)),
    stateOf: async (externalId: string) =>
      (
        await database()
          .select()
          .from(engineFindings)
          .where(and(eq(engineFindings.bindingId, id), eq(engineFindings.externalId, externalId)))
      )[0]?.state,
  };
}

describe("A list that a poll does not come to the end of", () => {
  const minutesAgo = (minutes: number) => new Date(server.services.now().getTime() - minutes * 60_000);
  /** DFIR-IRIS alerts, one every two minutes, newest first. */
  const alertsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      alert_id: 10_000 - index,
      alert_title: "Many failed sign-ins",
      alert_creation_time: minutesAgo(2 * index + 1).toISOString(),
      status: { status_name: "New" },
    }));
  const irisAnswer = (all: readonly { alert_id: number }[], query: URLSearchParams) => {
    const ids = query.get("alert_ids")?.split(",");
    const wanted = all.filter(({ alert_id: id }) => !ids || ids.includes(String(id)));
    const size = Number(query.get("per_page"));
    const start = (Number(query.get("page")) - 1) * size;
    return { status: "success", data: { total: wanted.length, alerts: wanted.slice(start, start + size) } };
  };

  it("is gone on with by the next one in DFIR-IRIS, which then finds what is new and reads what is open again", async () => {
    const alerts = alertsOf(250);
    const { found, slowPolls, stateOf, id } = await standingBefore("iris", {
      "/alerts/filter": (query) => irisAnswer(alerts, query),
    });
    await slowPolls(4);
    alerts.unshift({ ...alertsOf(1)[0], alert_id: 10_001 } as (typeof alerts)[number]);
    await slowPolls(14);
    expect(await found()).toBe(251);
    for (const alert of alerts.slice(120)) alert.status = { status_name: "Closed" };
    await slowPolls(16);
    expect(await Promise.all([110, 120, 250].map((index) => stateOf(String(alerts[index]?.alert_id))))).toEqual([
      "open",
      "closed",
      "closed",
    ]);
    expect(await streamOf(id, "findings")).toMatchObject({ failingSince: null });
  });

  it("is gone on with by the next one in OpenSearch, detector by detector", async () => {
    const began = minutesAgo(600).getTime();
    const alertsBy = new Map(
      [230, 40].map((count, detector) => [
        `detector-${detector}`,
        Array.from({ length: count }, (_, index) => ({
          id: `${detector}-${index}`,
          trigger_name: "Many failed sign-ins",
          state: "ACTIVE",
          severity: "2",
          start_time: began + index * 120_000,
        })),
      ]),
    );
    const { found, slowPolls } = await standingBefore("opensearch", {
      "/_plugins/_security_analytics/alerts": (query) => {
        const shown = (alertsBy.get(query.get("detector_id") ?? "") ?? []).filter(
          ({ start_time: at }) => at >= Number(query.get("startTime")) && at <= Number(query.get("endTime")),
        );
        const start = Number(query.get("startIndex"));
        return { total_alerts: shown.length, alerts: shown.slice(start, start + Number(query.get("size"))) };
      },
    });
    await slowPolls(2);
    alertsBy.get("detector-0")?.push({
      id: "new",
      trigger_name: "Many failed sign-ins",
      state: "ACTIVE",
      severity: "2",
      start_time: server.services.now().getTime(),
    });
    await slowPolls(8);
    expect(await found()).toBe(271);
  });

  it.each<EngineKind>(["iris", "opensearch"])("of %s is read on from a cursor of before", async (kind) => {
    const { id, poll } = await bound(kind);
    await poll();
    const before = minutesAgo(120).toISOString();
    await database().update(engineStreams).set({ cursor: before }).where(eq(engineStreams.bindingId, id));
    await poll();
    const { from } = JSON.parse((await streamOf(id, "findings"))?.cursor ?? "{}") as { from: string | number };
    expect(new Date(from).getTime()).toBeGreaterThanOrEqual(Date.parse(before));
  });

  it("is read again in turn, so that of many open alerts in DFIR-IRIS the oldest are seen to close", async () => {
    const alerts = alertsOf(620);
    const { poll, stateOf, found } = await standingBefore("iris", {
      "/alerts/filter": (query) => irisAnswer(alerts, query),
    });
    await poll();
    expect(await found()).toBe(620);
    const oldest = alerts.at(-1);
    if (oldest) oldest.status = { status_name: "Closed" };
    for (let round = 0; round < 3; round++) {
      server.passTime(60);
      await poll();
    }
    expect(await stateOf(String(oldest?.alert_id))).toBe("closed");
  });

  it("has alerts of DFIR-IRIS in it whose state means nothing here, and these are seen to close, too", async () => {
    const alerts = alertsOf(300);
    const last = alerts.at(-1);
    // DFIR-IRIS's own name for the state of an alert created without one.
    if (last) last.status = { status_name: "Unspecified" };
    const { poll, stateOf } = await standingBefore("iris", {
      "/alerts/filter": (query) => irisAnswer(alerts, query),
    });
    await poll();
    expect(await stateOf(String(last?.alert_id))).toBe("unknown");
    if (last) last.status = { status_name: "Closed" };
    for (let round = 0; round < 3; round++) {
      server.passTime(60);
      await poll();
    }
    expect(await stateOf(String(last?.alert_id))).toBe("closed");
  });

  it("has every alert of DFIR-IRIS in it, though some are deleted between two of its pages", async () => {
    const alerts = alertsOf(150);
    const { poll, found } = await standingBefore("iris", {
      "/alerts/filter": (query) => {
        if (query.get("page") === "2") alerts.splice(5, 3);
        return irisAnswer(alerts, query);
      },
    });
    await poll();
    expect(await found()).toBe(150);
  });
});

describe("Cases of DFIR-IRIS", () => {
  const timelines = async (id: string) => {
    const rows = await database().select().from(engineIncidents).where(eq(engineIncidents.bindingId, id));
    return { cases: rows.length, timelines: rows.filter(({ timeline }) => timeline.length > 0).length };
  };

  it("have their timelines, however many are worked on at a time", async () => {
    const { id, poll } = await bound("iris", 1200);
    await poll();
    server.passTime(60);
    await poll();
    expect(await timelines(id)).toEqual({ cases: 90, timelines: 30 });
  });

  it("are all read from an engine that is too slow for one poll, and then their timelines", async () => {
    const cases = Array.from({ length: 130 }, (_, index) => ({
      case_id: index + 1,
      name: `#${index + 1} - A stranger signed in`,
      state: { state_name: index % 13 === 0 ? "In progress" : "Closed" },
      initial_date: server.services.now().toISOString(),
    }));
    const { id, slowPolls } = await standingBefore("iris", {
      "/manage/cases/filter": (query) => {
        const start = (Number(query.get("page")) - 1) * 100;
        return { status: "success", message: "", data: { cases: cases.slice(start, start + 100) } };
      },
      "/case/timeline/events/list": () => ({
        status: "success",
        data: { timeline: [{ event_date: server.services.now().toISOString(), event_title: "Detected" }] },
      }),
    });
    await slowPolls(16);
    expect(await timelines(id)).toEqual({ cases: 130, timelines: 10 });
  });
});

describe("Findings of an engine that counts anew", () => {
  const found = (id: string, over: Partial<Finding> = {}): Finding => ({
    id,
    title: "Many failed sign-ins",
    severity: "high",
    rawSeverity: "High",
    state: "open",
    at: server.services.now(),
    firstResponseAt: null,
    deviceId: null,
    attack: [],
    ...over,
  });
  const ago = (hours: number) => new Date(server.services.now().getTime() - hours * 3_600_000);
  async function stored(kind: EngineKind) {
    const { id, poll, calls } = await bound(kind);
    await database().delete(engineFindings).where(eq(engineFindings.bindingId, id));
    const row = await rowOf(id);
    if (!row) throw new Error("not bound");
    return {
      id,
      poll,
      calls,
      store: (findings: Finding[], skewSeconds: number | null = null) =>
        database().transaction((transaction) =>
          storeFindings(transaction, row, findings, { now: server.services.now(), skewSeconds }),
        ),
      fates: async () =>
        (
          await database()
            .select()
            .from(engineFindings)
            .where(eq(engineFindings.bindingId, id))
            .orderBy(engineFindings.id)
        ).map(({ externalId, fate }) => [externalId.replace(/^old:.{36}:/, "old:"), fate]),
      decide: (fate: "benign") =>
        database().update(engineFindings).set({ decided: fate }).where(eq(engineFindings.bindingId, id)),
    };
  }

  it("are open, whatever was decided of those that had their numbers, and the old ones are not asked for", async () => {
    const { id, store, fates, decide, poll, calls } = await stored("iris");
    await store([found("90884", { at: ago(48) }), found("90885", { at: ago(48) })]);
    await decide("benign");
    const second = found("90884", { at: ago(1) });
    await store([second]);
    await store([second]);
    expect(await fates()).toEqual([
      ["old:90884", "benign"],
      ["90885", "benign"],
      ["90884", "open"],
    ]);
    const rest = and(eq(engineFindings.bindingId, id), notLike(engineFindings.externalId, "old:%"));
    await database().update(engineFindings).set({ state: "closed" }).where(rest);
    const asked = calls.get("/alerts/filter") ?? 0;
    await poll();
    expect(calls.get("/alerts/filter")).toBe(asked + 1);
  });

  it("are not taken in anew once they are older than findings are kept, and are followed as long as they are here", async () => {
    const { id, store, fates } = await stored("iris");
    const [yearAgo, longAgo] = [ago(24 * 364), ago(24 * 366)];
    await store([found("12", { at: longAgo }), found("13", { at: yearAgo })]);
    expect(await fates()).toEqual([["13", "open"]]);
    const aged = { at: longAgo, engineTime: longAgo };
    await database().update(engineFindings).set(aged).where(eq(engineFindings.bindingId, id));
    await store([found("12", { at: longAgo }), found("13", { at: longAgo, state: "closed" })]);
    expect(await fates()).toEqual([["13", "benign"]]);
  });

  it("are not meant where the engine's clock is set right, or where it was never kept what it says", async () => {
    const { store, fates, id } = await stored("iris");
    const first = found("90884", { at: ago(3) });
    await store([first], 600);
    await store([first], null);
    await database().update(engineFindings).set({ engineTime: null }).where(eq(engineFindings.bindingId, id));
    await store([first], -600);
    // The times of an engine whose clock is hours ahead are capped at now.
    const ahead = found("90885", { at: ago(-5) });
    await store([ahead]);
    server.passTime(600);
    await store([ahead]);
    expect(await fates()).toEqual([
      ["90884", "open"],
      ["90885", "open"],
    ]);
  });

  it("are not meant where people date an alert of TheHive, nor where ids are random", async () => {
    for (const kind of ["thehive", "opensearch"] as const) {
      const { store, fates, decide } = await stored(kind);
      await store([found("~4128", { at: ago(48) })]);
      await decide("benign");
      await store([found("~4128", { at: ago(40) })]);
      await store([found("~4128", { at: ago(40), title: "Many failed sign-ins of a service" })]);
      expect(await fates()).toEqual([["~4128", "benign"]]);
    }
    const { store, fates } = await stored("thehive");
    await store([found("~4128", { at: ago(48) })]);
    await store([found("~4128", { title: "A new service" })]);
    expect(await fates()).toEqual([
      ["old:~4128", "open"],
      ["~4128", "open"],
    ]);
  });
});

describe("Devices", () => {
  it("that two engines report are listed once, as reported by the engine that answers", async () => {
    const { customer, poll, misbehave } = await bound("wazuh4");
    const second = await listening("wazuh5");
    const { body } = await bind({ ...second.input, email: customer.email });
    await poll();
    await pollEngine(server.services, String(body["id"]));
    expect(await seenBy(customer)).toHaveLength(40);
    misbehave("down");
    await poll();
    const devices = await seenBy(customer);
    expect([devices.length, new Set(devices.map(({ bindingId }) => bindingId))]).toEqual([40, new Set([body["id"]])]);
    expect(devices.every(({ unknownSince }) => unknownSince === null)).toBe(true);
  });

  it("that are gone do not pass on their decisions to new machines with their ids", async () => {
    const { id, customer, poll, change } = await bound();
    await poll();
    const { organisationId } = customer;
    const identity = (await devicesOf(id)).find(({ externalId }) => externalId === "005")?.identity ?? "";
    await database()
      .insert(deviceDecisions)
      .values({ organisationId, identity, notOurs: true, decidedAt: server.services.now() });
    change("005", null);
    server.passTime(60);
    await poll();
    change("005", { name: "new-machine", address: "10.99.0.1" });
    server.passTime(60);
    await poll();
    const decided = await database()
      .select()
      .from(deviceDecisions)
      .where(eq(deviceDecisions.organisationId, organisationId));
    expect(decided.map((each) => each.identity)).toEqual([identity]);
    expect((await devicesOf(id)).map(({ name }) => name)).toContain("new-machine");
  });

  it("count by themselves again where their engine ceases to tell events", async () => {
    const { id, customer, input, poll, misbehave } = await bound("wazuh4");
    const byEvents = async () => (await seenBy(customer)).filter(({ lastEventBasis }) => lastEventBasis === "events");
    await poll();
    expect(await byEvents()).toHaveLength(40);
    misbehave("no index");
    server.passTime(61 * 60);
    await poll();
    expect(await byEvents()).toEqual([]);
    misbehave(null);
    server.passTime(60);
    await poll();
    expect(await byEvents()).toHaveLength(40);
    const noIndexer = { ...input, indexerAddress: null, indexerUsername: null, indexerSecret: null };
    expect((await bind({ ...noIndexer, email: customer.email, id, version: 1 })).status).toBe(200);
    await poll();
    expect(await byEvents()).toEqual([]);
  });

  it("that an engine names no more are gone, unless its answer was partial", async () => {
    const { id, poll, misbehave } = await bound();
    await poll();
    misbehave("partial answer");
    await poll();
    expect(await devicesOf(id)).toHaveLength(40);
    misbehave(null);
    await database()
      .insert(engineDevices)
      .values({
        bindingId: id,
        organisationId: (await rowOf(id))?.organisationId ?? "",
        externalId: "999",
        identity: "old|10.0.0.1",
        name: "old",
        groups: [],
        state: "active",
      });
    server.passTime(60);
    await poll();
    expect((await devicesOf(id)).map(({ externalId }) => externalId)).not.toContain("999");
    expect(await devicesOf(id)).toHaveLength(40);
  });
});

describe("A binding that leads to another engine", () => {
  it("gives none of the old machines' decisions, events and retention to the new ones that have their ids", async () => {
    const { id, customer, poll } = await bound();
    await poll();
    await noteSources(server.services);
    const { organisationId } = customer;
    const sources = () => database().select().from(heldSources).where(eq(heldSources.organisationId, organisationId));
    const identityOf = async (externalId: string) =>
      (await devicesOf(id)).find((device) => device.externalId === externalId)?.identity ?? "";
    const before = { decided: await identityOf("005"), sources: (await sources()).length };
    const decision = { organisationId, notOurs: true, decidedAt: server.services.now() };
    await database()
      .insert(deviceDecisions)
      .values([
        { ...decision, identity: before.decided },
        { ...decision, identity: `${id}|006` },
      ]);
    await database()
      .update(engineDevices)
      .set({ identity: `${id}|006` })
      .where(eq(engineDevices.externalId, "006"));
    const second = await listening("wazuh4");
    second.change("005", { name: "new-machine", address: "10.99.0.1", lastEventAt: null });
    const moved = await bind({ ...second.input, email: customer.email, id, version: 1 });
    expect([moved.status, await devicesOf(id)]).toEqual([200, []]);
    await poll();
    await noteSources(server.services);
    const device = (await devicesOf(id)).find(({ externalId }) => externalId === "005");
    expect(device).toMatchObject({ name: "new-machine", lastEventAt: null });
    const decided = await database()
      .select({ identity: deviceDecisions.identity })
      .from(deviceDecisions)
      .where(eq(deviceDecisions.organisationId, organisationId));
    expect(decided).toHaveLength(2);
    expect(decided.map(({ identity }) => identity)).toEqual(
      expect.arrayContaining([before.decided, expect.stringMatching(`^${id}\\|old:.+:006$`)]),
    );
    const held = await sources();
    expect(held.filter(({ externalId }) => externalId.startsWith("old:"))).toHaveLength(before.sources);
    expect(held.find(({ externalId }) => externalId === "005")).toMatchObject({ firstEventAt: null });
  });

  it.each(["leads to another engine", "is removed"])(
    "ends the rules that suppress for one of its devices when it %s, and no others",
    async (how) => {
      const { id, customer, input, poll } = await bound("wazuh4");
      await poll();
      const [found] = await database().select().from(engineFindings).where(eq(engineFindings.bindingId, id)).limit(1);
      const { title, deviceId } = found ?? { title: "", deviceId: null };
      const suppressing = { email: customer.email, reason: "It does so each night", on_word_of: "Asha Rao" };
      for (const device_id of [deviceId, "of another engine", null]) {
        const rule = { ...suppressing, id: randomUUID(), title: device_id ? title : "Noise", device_id };
        // oxlint-disable-next-line no-await-in-loop -- only three
        expect((await server.send("admin/findings/suppress", rule, admin.token)).status).toBe(201);
      }
      const second = await listening("wazuh4");
      const changed = { ...(how === "is removed" ? input : second.input), email: customer.email };
      if (how === "is removed") await server.call("admin/engines/remove", { id, version: 1 }, admin.token);
      const next = await bind({ ...changed, ...(how === "leads to another engine" && { id, version: 1 }) });
      expect(next.status).toBe(200);
      // Another machine now has this number.
      await database()
        .insert(engineFindings)
        .values({
          bindingId: String(next.body["id"]),
          organisationId: customer.organisationId,
          externalId: "of-the-new-engine",
          title,
          severity: "critical",
          rawSeverity: "13",
          state: "open",
          at: server.services.now(),
          attack: [],
          deviceId,
        });
      await applyRules(server.services);
      const [row] = await database()
        .select()
        .from(engineFindings)
        .where(
          and(
            eq(engineFindings.organisationId, customer.organisationId),
            eq(engineFindings.externalId, "of-the-new-engine"),
          ),
        );
      const standing = await database()
        .select({ deviceId: suppressionRules.deviceId })
        .from(suppressionRules)
        .where(and(eq(suppressionRules.organisationId, customer.organisationId), isNull(suppressionRules.endedAt)))
        .orderBy(suppressionRules.deviceId);
      expect([row?.fate, standing.map((rule) => rule.deviceId)]).toEqual(["open", ["of another engine", null]]);
      const [entry] = await database()
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.subject, `organisation:${customer.organisationId}`),
            eq(auditEntries.action, "end suppression"),
          ),
        );
      expect(entry).toMatchObject({ actorId: null, detail: { title } });
    },
  );

  it("leaves the old one's cases to nobody, and the same case told anew goes on in its incident", async () => {
    const { id, customer, poll } = await bound("iris");
    await poll();
    await takeEngineIncidents(server.services, id);
    const ids = async () =>
      (await database().select().from(incidents).where(eq(incidents.organisationId, customer.organisationId))).map(
        ({ externalId }) => externalId,
      );
    expect(await ids()).toEqual(["43"]);
    const long = new Date(server.services.now().getTime() - inMilliseconds({ days: 30 }));
    await database()
      .update(engineBindings)
      .set({ createdAt: long, connectedAt: long })
      .where(eq(engineBindings.id, id));
    const second = await listening("iris");
    await bind({ ...second.input, email: customer.email, id, version: 1 });
    expect(await ids()).toEqual([expect.stringMatching(/^old:.+:43$/)]);
    await poll();
    await takeEngineIncidents(server.services, id);
    // Incidents that had ended there before the connection are not taken either.
    expect(await ids()).toEqual(["43"]);
  });
});

describe("Devices of a long list", () => {
  it("are what they became, although only those are read that changed", async () => {
    const { id, poll, change, calls, customer } = await bound("wazuh4", 1200);
    await poll();
    expect([calls.get("/manager/agents"), (await devicesOf(id)).length]).toEqual([3, 1200]);
    const seen = async (externalId: string) =>
      (await seenBy(customer)).find((device) => device.externalId === externalId);
    change("700", { isOff: true });
    server.passTime(60);
    await poll();
    expect([calls.get("/manager/agents"), (await seen("700"))?.state]).toEqual([6, "disconnected"]);
    // Those that were not named are known to have been there a minute later.
    const ages = (await devicesOf(id)).flatMap(({ state, lastSeenAt }) =>
      state === "active" ? [server.services.now().getTime() - Number(lastSeenAt)] : [],
    );
    expect([ages.length, Math.max(...ages) < 60_000]).toEqual([1198, true]);
    change("700", { isOff: false });
    change("701", null);
    server.passTime(60);
    await poll();
    expect([(await seen("700"))?.state, await seen("701"), (await devicesOf(id)).length]).toEqual([
      "active",
      undefined,
      1199,
    ]);
  });
});

describe("A sealed secret", () => {
  const keysOf = (written: string) => {
    const keys = readEngineKeys(written);
    if (typeof keys === "string") throw new Error(keys);
    return keys;
  };
  const [old, fresh] = [
    "old:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "new:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=",
  ];

  it("is read by its key and for its owner only, and never when a byte has changed", () => {
    const keys = keysOf(old);
    const sealed = seal(keys, secret, "engine:1");
    expect(unseal(keys, sealed, "engine:1")).toBe(secret);
    expect(unseal(keys, sealed, "engine:2")).toBeNull();
    expect(unseal(keysOf(fresh), sealed, "engine:1")).toBeNull();
    expect(unseal(keys, sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA"), "engine:1")).toBeNull();
    expect(seal(keys, secret, "engine:1")).not.toBe(sealed);
  });

  it("is encrypted anew by the first key, once", async () => {
    const { id, poll, shown } = await bound("iris");
    const local = sealingKeys(server.services.env);
    const keys = [...keysOf(fresh), ...local];
    expect((await resealBindings(database(), keys)).sealed).toBeGreaterThan(0);
    expect((await resealBindings(database(), keys)).sealed).toBe(0);
    expect((await rowOf(id))?.sealedSecret).toMatch(/^v1\|new\|/);
    await poll();
    expect((await shown())?.streams[0]).toMatchObject({ problem: "credential" });
    await resealBindings(database(), [...local, ...keysOf(fresh)]);
    server.passTime(60);
    await poll();
    expect((await shown())?.state).toBe("ok");
  });

  it("has keys of 32 bytes with names of their own", () => {
    expect(readEngineKeys("short:abc")).toMatch(/must look like/);
    expect(readEngineKeys(`${old},${old}`)).toMatch(/two keys/);
    expect(readEngineKeys(`zero:${"A".repeat(43)}`)).toMatch(/guessed/);
    expect(keysOf(`${fresh},${old}`).map(({ name }) => name)).toEqual(["new", "old"]);
  });
});

it("An engine gets another address while somebody comments on an incident of it, who does not wait for that", async () => {
  const customer = await member(server, "user");
  const [one, other] = [await listening("thehive"), await listening("thehive")];
  const { body } = await server.send("admin/engines/post", { ...one.input, email: customer.email }, admin.token);
  const id = String(body["id"]);
  await pollEngine(server.services, id);
  await takeEngineIncidents(server.services, id);
  const ofCustomer = eq(incidents.organisationId, customer.organisationId);
  const [incident] = await database().select().from(incidents).where(ofCustomer);
  const [binding] = await database().select().from(engineBindings).where(eq(engineBindings.id, id));
  const moved = { ...other.input, email: customer.email, id, version: binding?.version };
  const said = { id: incident?.id ?? "", fact_id: randomUUID(), text: "We unplugged it" };
  let saved: ReturnType<typeof server.send> | undefined;
  await database().transaction(async (transaction) => {
    await transaction.execute(sql`select from engine_streams where binding_id = ${id} for update`);
    saved = server.send("admin/engines/post", moved, admin.token);
    await expect.poll(() => countWaiting(server), { interval: 20 }).toBe(1);
    expect((await server.send("user/incidents/comment", said, customer.token)).status).toBe(200);
  });
  expect((await saved)?.status).toBe(200);
});

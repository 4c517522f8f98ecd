import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { watchedCustomer } from "../../tests/watched-customer.ts";
import { engineBindings, engineFindings, engineIncidents } from "../database/schema/index.ts";
import { takeEngineIncidents } from "../incidents/take-engine-incidents.ts";
import { type EnginePages, type InEngine, pageIn } from "../outside/engines/pages.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false, env: { enginesAllowPrivate: true } });
});
afterAll(() => server.stop());

describe("The page of a record in its engine", () => {
  const wazuh: EnginePages = {
    kind: "wazuh4",
    address: "https://wazuh.example.in:55000",
    dashboardAddress: "https://siem.example.in/dash",
    engineVersion: "4.14.1",
  };
  const elsewhere = { dashboardAddress: null, engineVersion: null };
  const iris: EnginePages = { ...elsewhere, kind: "iris", address: "https://iris.example.in" };
  const hive: EnginePages = { ...elsewhere, kind: "thehive", address: "https://hive.example.in" };
  const device = "https://siem.example.in/dash/app/endpoints-summary#/agents?tab=welcome&agent=001";
  it.each<[string, EnginePages, InEngine, string | null]>([
    ["an agent", wazuh, { kind: "device", id: "001" }, device],
    ["an agent of Wazuh 5", { ...wazuh, kind: "wazuh5", engineVersion: null }, { kind: "device", id: "001" }, device],
    ["an agent of before 4.8", { ...wazuh, engineVersion: "4.7.5" }, { kind: "device", id: "001" }, null],
    ["an agent of a version not told", { ...wazuh, engineVersion: null }, { kind: "device", id: "001" }, null],
    ["an agent whose dashboard is not told", { ...wazuh, dashboardAddress: null }, { kind: "device", id: "001" }, null],
    ["an alert of Wazuh", wazuh, { kind: "finding", id: "x" }, null],
    ["a case of IRIS", iris, { kind: "incident", id: "41" }, "https://iris.example.in/case?cid=41"],
    ["an alert of IRIS", iris, { kind: "finding", id: "9" }, "https://iris.example.in/alerts?alert_ids=9"],
    ["a case of TheHive", hive, { kind: "incident", id: "~41" }, "https://hive.example.in/cases/~41/details"],
    ["an alert of TheHive", hive, { kind: "finding", id: "~9" }, null],
    [
      "one whose id would lead elsewhere",
      hive,
      { kind: "incident", id: "../../x?y#z" },
      "https://hive.example.in/cases/..%2F..%2Fx%3Fy%23z/details",
    ],
    ["an alert of OpenSearch", { ...hive, kind: "opensearch" }, { kind: "finding", id: "9" }, null],
    ["a notification of Shuffle", { ...hive, kind: "shuffle" }, { kind: "finding", id: "9" }, null],
  ])("is known, or not, of %s", (_of, pages, what, expected) => {
    expect(pageIn(pages, what)).toBe(expected);
  });
});

describe("Links into engines", () => {
  it("are shown to our own people, to the customer's where the binding says so, and to no partner", async () => {
    const partner = await member(server, "partner");
    const { admin, customer, manage, input, poll } = await watchedCustomer(server, {
      partnerId: partner.organisationId,
    });
    const linksOf = async () => {
      const query = { limit: 1, search: "srv-erp-1" };
      const { email } = customer;
      const answers = await Promise.all([
        server.call("admin/coverage/devices", { ...query, email }, admin.token),
        server.call("user/coverage/devices", query, customer.token),
        server.call("partner/coverage/devices", { ...query, email }, partner.token),
      ]);
      return answers.map(({ body }) => body.devices[0]?.link);
    };
    expect(await linksOf()).toEqual([null, null, null]);
    const { body } = await server.call("admin/engines", { email: customer.email }, admin.token);
    const [bound] = body.engines;
    const change = { ...input, id: bound?.id, dashboardAddress: "https://siem.example.in/" };
    expect((await manage("engines/post", { ...change, version: 1 })).status).toBe(200);
    await poll();
    const page = "https://siem.example.in/app/endpoints-summary#/agents?tab=welcome&agent=005";
    expect(await linksOf()).toEqual([page, null, null]);
    expect((await manage("engines/post", { ...change, version: 2, opensToCustomer: true })).status).toBe(200);
    expect(await linksOf()).toEqual([page, page, null]);
  });

  it("lead from an incident and its findings into the case, until the engine is removed", async () => {
    const { admin, customer, manage } = await watchedCustomer(server);
    const now = server.services.now();
    const { database } = server.services;
    const address = "https://iris.example.in";
    const of = { organisationId: customer.organisationId };
    const [binding] = await database
      .insert(engineBindings)
      .values({ ...of, kind: "iris", address, nextPollAt: now, connectedAt: new Date(now.getTime() - 3_600_000) })
      .returning();
    const told = { ...of, bindingId: binding?.id ?? "", severity: "high" as const, rawSeverity: "High" };
    const open = { ...told, state: "new" as const, rawState: "New", timeline: [], figures: {}, changedAt: now };
    await database.insert(engineIncidents).values({ ...open, externalId: "41", title: "A beacon", openedAt: now });
    const [finding] = await database
      .insert(engineFindings)
      .values({ ...told, externalId: "9", title: "A sign-in", state: "open", at: now, attack: [] })
      .returning();
    await takeEngineIncidents(server.services, told.bindingId);
    const { body } = await server.call("user/incidents", {}, customer.token);
    const { id = "", number = "" } = body.incidents.find(({ title }) => title === "A beacon") ?? {};
    const attach = {
      findings: [finding?.id ?? ""],
      fate: "attached" as const,
      incident: number,
      reason: "It began so",
    };
    expect((await server.call("admin/findings/decide", attach, admin.token)).status).toBe(200);
    const rooms = async () => {
      const shown = await Promise.all([
        server.call("admin/incidents/{id}", { id }, admin.token),
        server.call("user/incidents/{id}", { id }, customer.token),
      ]);
      return shown.map(({ body: room }) => [room.engine?.link, room.findings[0]?.link]);
    };
    expect(await rooms()).toEqual([
      [`${address}/case?cid=41`, `${address}/alerts?alert_ids=9`],
      [null, null],
    ]);
    const { body: listed } = await server.call("admin/findings", { email: customer.email }, admin.token);
    expect(listed.findings.find((each) => each.id === finding?.id)?.link).toBe(`${address}/alerts?alert_ids=9`);
    expect((await manage("engines/remove", { id: binding?.id, version: 1 })).status).toBe(200);
    expect(await rooms()).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("are kept for engines that have pages, by https, and never take a secret along", async () => {
    const { manage, input, customer } = await watchedCustomer(server);
    const shuffle = { ...input, kind: "shuffle", tenantKey: "1", indexerAddress: null, username: null };
    const refused = await manage("engines/post", { ...shuffle, dashboardAddress: "https://pages.example.in" });
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, ["dashboardAddress"]]);
    const script = await manage("engines/post", { ...input, dashboardAddress: "javascript:alert(1)" });
    expect([script.status, Object.keys(script.body.fields ?? {})]).toEqual([422, ["dashboardAddress"]]);
    const [row] = await server.services.database
      .select()
      .from(engineBindings)
      .where(eq(engineBindings.organisationId, customer.organisationId));
    // The address of the web interface does not affect where the secret is sent, so the secret is kept.
    const kept = { ...input, secret: null, id: row?.id, version: row?.version };
    expect((await manage("engines/post", { ...kept, dashboardAddress: "https://other.example.in" })).status).toBe(200);
  });
});

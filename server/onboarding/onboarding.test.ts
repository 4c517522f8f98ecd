import { and, eq, inArray, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { daysAfter } from "../../contract/proration.ts";
import { again, buyQuote, contractHolder, contractOf } from "../../tests/contract.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { type Member, member } from "../../tests/people.ts";
import { dayIn } from "../accounts/time-zones.ts";
import {
  contactLadders,
  contracts,
  customerTools,
  engineBindings,
  engineDevices,
  engineStreams,
  logSources,
  mails,
  onboardingItems,
  onboardings,
  organisations,
  sites as siteRows,
} from "../database/schema/index.ts";
import { followOnboardings } from "./follow-onboardings.ts";
import { openOnboarding } from "./open-onboarding.ts";
import { onboardingOf } from "./read-onboarding.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());

const database = () => server.services.database;
const firewalls = [{ service: "Network & Security Solutions", deviceType: "Firewall", number: 2 }];

async function holder() {
  const { person } = await contractHolder(server, firewalls);
  const read = async (token = person.token) => {
    const { body } = await server.call("user/onboarding", {}, token);
    return { ...body, item: (kind: string) => body.items.find((each) => each.kind === kind) };
  };
  return { person, read };
}

it("A line is overdue once its day is over where the customer is", async () => {
  const { person, read } = await holder();
  const timeZone = "America/Los_Angeles";
  await server.call("user/onboarding/time-zone", { timeZone }, person.token);
  // Until the date differs from India's.
  while (dayIn(timeZone, server.services.now()) === writtenDay(server.services.now())) server.passTime(1800);
  const { token } = await again(server, person);
  const line = (await read(token)).item("sites");
  const planned = { id: line?.id ?? "", version: line?.version ?? 0, side: "yours" as const, ownerId: null, note: "" };
  const dueOn = dayIn(timeZone, server.services.now());
  expect((await server.call("user/onboarding/plan", { ...planned, dueOn }, token)).status).toBe(200);
  expect((await read(token)).item("sites")).toMatchObject({ dueOn, overdue: false });
  const { open } = await onboardingOf(database(), person.organisationId, server.services.now());
  expect(open.find((each) => each.dueOn === dueOn)?.overdue).toBe(false);
});

it("A partner reads its customer's checklist, without the names of either side's people", async () => {
  const partner = await member(server, "partner");
  const { person, read } = await holder();
  await database()
    .update(organisations)
    .set({ partnerId: partner.organisationId })
    .where(eq(organisations.id, person.organisationId));
  const { body } = await server.call("partner/onboarding", { email: person.email }, partner.token);
  const { items, people } = await read();
  expect(body.items).toEqual(items);
  expect([people.yours.length > 0, people.ours.length > 0, body.people]).toEqual([true, true, { yours: [], ours: [] }]);
});

describe("An onboarding", () => {
  it("is opened by the payment, once, with a line for each type of device that was bought", async () => {
    const { person, read } = await holder();
    await database()
      .insert(logSources)
      .values({ product: "Acme Wall", category: "Firewall", label: "ACME_WALL", format: "SYSLOG" });
    const { state, items, timeZone } = await read();
    expect({ state, timeZone }).toEqual({ state: "open", timeZone: "Asia/Kolkata" });
    expect(items.map(({ kind }) => kind)).toEqual([
      "contacts",
      "time zone",
      "sites",
      "log source",
      "first events",
      "dashboards",
    ]);
    const line = items.find(({ kind }) => kind === "log source");
    expect(line).toMatchObject({ title: "Connect Firewall", side: "yours", state: "open" });
    expect(line?.steps.length).toBeGreaterThan(0);
    expect(line?.products).toEqual(["Acme Wall (SYSLOG)"]);
    const [opened] = await database()
      .select()
      .from(onboardings)
      .where(eq(onboardings.organisationId, person.organisationId));
    const again = () =>
      database().transaction((transaction) =>
        openOnboarding(server.services, transaction, {
          organisationId: person.organisationId,
          orderId: opened?.orderId ?? "",
        }),
      );
    await Promise.all([again(), again()]);
    expect((await read()).items).toHaveLength(6);
    const nobody = await member(server, "user");
    expect((await read(nobody.token)).state).toBe("none");
  });

  it("is ticked by facts: contacts, time zone, sites and dashboards can't be ticked by hand", async () => {
    const { person, read } = await holder();
    const { organisationId } = person;
    const contacts = (await read()).item("contacts");
    const byHand = await server.call(
      "user/onboarding/tick",
      { id: contacts?.id ?? "", version: 1, done: true },
      person.token,
    );
    expect(byHand.status).toBe(409);
    await database()
      .insert(contactLadders)
      .values({
        organisationId,
        contacts: [{ name: "Asha Rao", says: "Head of IT", phone: "+919876543210", email: "asha@example.in" }],
        changedAt: new Date(),
      });
    expect((await server.call("user/onboarding/time-zone", { timeZone: "Asia/Dubai" }, person.token)).status).toBe(200);
    expect((await server.call("user/onboarding/time-zone", { timeZone: "Nowhere/Else" }, person.token)).status).toBe(
      422,
    );
    const id = randomUUID();
    const addSite = () =>
      server.call("user/onboarding/add-site", { id, name: "Plant 1", address: "Mill Road, Kochi" }, person.token);
    await Promise.all([addSite(), addSite()]);
    const corrected = { id, name: "Plant 1", address: "Mill Road 2, Kochi" };
    expect((await server.call("user/onboarding/add-site", corrected, person.token)).status).toBe(409);
    const others = Array.from({ length: limits.sitesMax - 1 }, (_, number) => ({
      id: randomUUID(),
      organisationId: person.organisationId,
      name: `Office ${number}`,
      address: "Kochi",
      addedBy: person.id,
      createdAt: server.services.now(),
    }));
    await database().insert(siteRows).values(others);
    expect((await addSite()).status).toBe(201);
    const beyond = { id: randomUUID(), name: "One more", address: "Kochi" };
    expect((await server.call("user/onboarding/add-site", beyond, person.token)).status).toBe(409);
    await database()
      .delete(siteRows)
      .where(
        inArray(
          siteRows.id,
          others.map((site) => site.id),
        ),
      );
    const another = await member(server, "user");
    const reused = { id, name: "Mine now", address: "Elsewhere" };
    expect((await server.call("user/onboarding/add-site", reused, another.token)).status).toBe(409);
    await database()
      .insert(customerTools)
      .values({ organisationId, siemUrl: "https://siem.example.in", siemEnabled: true });
    const { items, sites, timeZone } = await read();
    expect({ timeZone, sites: sites.map(({ name }) => name) }).toEqual({ timeZone: "Asia/Dubai", sites: ["Plant 1"] });
    expect(items.filter(({ state }) => state === "done").map(({ kind }) => kind)).toEqual([
      "contacts",
      "time zone",
      "sites",
      "dashboards",
    ]);
    const stranger = await member(server, "user");
    expect((await server.call("user/onboarding/remove-site", { id }, stranger.token)).status).toBe(404);
    expect((await server.call("user/onboarding/remove-site", { id }, person.token)).status).toBe(200);
    expect((await read()).item("sites")?.state).toBe("open");
  });

  it("never shows as done what an engine would know and does not say", async () => {
    const { person, read } = await holder();
    const { organisationId } = person;
    expect((await read()).item("first events")).toMatchObject({ state: "open", byHand: true });
    const [binding] = await database()
      .insert(engineBindings)
      .values({ organisationId, kind: "wazuh4", address: "https://wazuh.example.in", nextPollAt: new Date() })
      .returning();
    const bindingId = binding?.id ?? "";
    expect((await read()).item("first events")).toMatchObject({ state: "open", byHand: false });
    await database().insert(engineStreams).values({ bindingId, stream: "devices", failingSince: new Date() });
    expect((await read()).item("first events")?.state).toBe("unknown");
    await database().insert(engineDevices).values({
      bindingId,
      organisationId,
      externalId: "001",
      identity: "fw-1",
      name: "fw-1",
      groups: [],
      state: "active",
      lastEventAt: new Date(),
    });
    expect((await read()).item("first events")?.state).toBe("done");
  });

  it("has lines that a person of either side ticks and plans, with who and when; of two at once one", async () => {
    const { person, read } = await holder();
    const child = await member(server, "userChild", { organisationId: person.organisationId, firstName: "Ravi" });
    const line = (await read()).item("log source");
    const tick = (token: string, version: number, done = true) =>
      server.call("user/onboarding/tick", { id: line?.id ?? "", version, done }, token);
    const both = await Promise.all([tick(child.token, 1), tick(child.token, 1)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await read()).item("log source")).toMatchObject({ state: "done", ticked: { by: "Ravi Rao" } });
    const plan = {
      id: line?.id ?? "",
      version: 2,
      side: "ours" as const,
      dueOn: writtenDay(later(new Date(), { days: 3 })),
      note: "We do it on site",
    };
    const planned = (ownerId: string, over: object = {}) =>
      server.send("admin/onboarding/plan", { ...plan, ownerId, ...over }, admin.token);
    expect((await planned(child.id)).status).toBe(404);
    expect((await planned(admin.id, { dueOn: "2020-01-01" })).body.fields).toHaveProperty("dueOn");
    expect((await planned(admin.id)).status).toBe(200);
    // An earlier plan stays valid, even once its day is over.
    await database().update(onboardingItems).set({ dueOn: "2020-01-01" }).where(eq(onboardingItems.id, plan.id));
    expect((await planned(admin.id, { dueOn: "2020-01-01", version: 3 })).status).toBe(200);
    const { body } = await server.call("admin/onboarding", { email: person.email }, admin.token);
    expect(body.items.find(({ kind }) => kind === "log source")).toMatchObject({
      side: "ours",
      owner: { id: admin.id },
      note: "We do it on site",
    });
    const stranger = await member(server, "user");
    expect((await tick(stranger.token, 4, false)).status).toBe(404);
  });

  it("is done once every line is, and opens again when more is bought", async () => {
    const { person, read } = await holder();
    const { organisationId } = person;
    const state = async () => (await onboardingOf(database(), organisationId, server.services.now())).state;
    expect(await state()).toBe("open");
    await database()
      .insert(contactLadders)
      .values({ organisationId, contacts: [{ name: "A", says: "", phone: "1", email: "" }], changedAt: new Date() });
    await database()
      .insert(customerTools)
      .values({ organisationId, siemEnabled: true, siemUrl: "https://s.example.in" });
    await server.call("user/onboarding/add-site", { id: randomUUID(), name: "Plant", address: "Kochi" }, person.token);
    await server.call("user/onboarding/time-zone", { timeZone: "Asia/Kolkata" }, person.token);
    for (const kind of ["log source", "first events"]) {
      // oxlint-disable-next-line no-await-in-loop -- each reads what the one before has changed
      const item = (await read()).item(kind);
      // oxlint-disable-next-line no-await-in-loop
      await server.call("user/onboarding/tick", { id: item?.id ?? "", version: 1, done: true }, person.token);
    }
    expect(await state()).toBe("done");
    // A source that falls silent later reopens nothing: coverage reports it.
    await database().update(onboardingItems).set({ tickedAt: null, tickedBy: null });
    expect((await onboardingOf(database(), organisationId, server.services.now())).open).toEqual([]);
    await database()
      .delete(onboardingItems)
      .where(and(eq(onboardingItems.organisationId, organisationId), eq(onboardingItems.kind, "log source")));
    const [contract] = await database().select().from(contracts).where(eq(contracts.organisationId, organisationId));
    await database().transaction((transaction) =>
      openOnboarding(server.services, transaction, { organisationId, orderId: contract?.orderId ?? "" }),
    );
    expect(await state()).toBe("open");
  });

  it("has no line for a device type that no contract holds any more", async () => {
    const { person, read } = await holder();
    // As an order of an earlier year left it, of which only the firewalls were renewed.
    const { organisationId } = person;
    const key = "Network & Security Solutions|Router";
    await database()
      .insert(onboardingItems)
      .values({ organisationId, kind: "log source", key, side: "yours", dueOn: "2025-01-01" });
    const lines = ["Connect Firewall"];
    const connects = ({ title }: { title: string }) => (title.startsWith("Connect") ? [title] : []);
    expect((await read()).items.flatMap(connects)).toEqual(lines);
    const { open } = await onboardingOf(database(), organisationId, server.services.now());
    expect(open.flatMap(connects)).toEqual(lines);
  });

  it("has no line for devices that are taken away before their first day", async () => {
    const { person, read } = await holder();
    const { token } = person;
    const contract = await contractOf(server, person);
    const from = daysAfter(writtenDay(server.services.now()), 20);
    const router = { service: "Network", deviceType: "Router", number: 3 };
    const asked = { contract_id: contract.id, from, selectedDevices: [router] };
    const { body: price } = await server.call("user/contracts/price-addition", asked, token);
    const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
    await server.call("user/contracts/add-devices", made, token);
    await buyQuote(server, person, made.quote_id);
    const lines = async () => (await read()).items.map(({ title }) => title);
    expect(await lines()).toContain("Connect Router");
    const { lines: held } = await contractOf(server, person);
    const series = held.find(({ device_type }) => device_type === "Router")?.series ?? 0;
    const less = {
      id: randomUUID(),
      contract_id: contract.id,
      series,
      quantity: 3,
      wished_on: from,
      reason: "No longer",
    };
    expect((await server.call("user/contracts/ask-less", less, token)).status).toBe(201);
    const agreed = { id: less.id, agreed: true, effective_on: from, answer: "Agreed" };
    expect((await server.call("admin/contracts/decide-less", agreed, admin.token)).status).toBe(200);
    expect(await lines()).not.toContain("Connect Router");
  });

  it("reminds the main user of what is theirs, at most once a week", async () => {
    const { person } = await holder();
    const reminders = () =>
      database().$count(mails, sql`event_key like 'onboarding:%' and recipient = ${person.email}`);
    await followOnboardings(server.services);
    expect(await reminders()).toBe(0);
    const weeksAgo = (days: number) => new Date(server.services.now().getTime() - days * 86_400_000);
    const set = (change: Partial<typeof onboardings.$inferInsert>) =>
      database().update(onboardings).set(change).where(eq(onboardings.organisationId, person.organisationId));
    await set({ openedAt: weeksAgo(8) });
    await Promise.all([followOnboardings(server.services), followOnboardings(server.services)]);
    expect(await reminders()).toBe(1);
    await followOnboardings(server.services);
    expect(await reminders()).toBe(1);
    // Once the contract has ended, nobody is reminded to connect what is not watched.
    server.passTime(400 * 86_400);
    await followOnboardings(server.services);
    expect(await reminders()).toBe(1);
    const [kept] = await database()
      .select({ zone: organisations.timeZone })
      .from(organisations)
      .where(eq(organisations.id, person.organisationId));
    expect(kept?.zone).toBe("Asia/Kolkata");
  });
});

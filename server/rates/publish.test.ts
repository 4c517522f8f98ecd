import { desc, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { later } from "../../contract/durations.ts";
import { shippedCatalogue } from "../../contract/devices.ts";
import { indiaCalendar } from "../../contract/india-time.ts";
import type { RateCardContent } from "../../contract/rates.ts";
import { quoteRequest } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";
import { edited, publishCard, withMovedType, withNewType, withType } from "../../tests/rate-card.ts";
import { auditEntries, quotes, rateCardDrafts, rateCards, rateLimits } from "../database/schema/index.ts";

let server: TestServer;
let admin: Member;
let other: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
  other = await member(server, "admin", { firstName: "Rohan", lastName: "Das" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
  await server.services.database.delete(rateCardDrafts);
});

const rates = async () => (await server.call("admin/rates", {}, admin.token)).body;
const publish = (change: (content: RateCardContent) => RateCardContent, from: string | null = null) =>
  publishCard(server, admin, change, from);
const priceOf = (service: string, deviceType: string) =>
  server.call("estimator/price", { selectedDevices: [{ service, deviceType, number: 1 }] });
const offered = async () => (await server.call("catalogue", {})).body.groups;
const namesIn = async (group: string) =>
  (await offered()).find(({ name }) => name === group)?.types.map(({ name }) => name) ?? [];
const save = async (change: (content: RateCardContent) => RateCardContent, by = admin) => {
  const { id, content } = await edited(server, by);
  return server.call("admin/rates/save-draft", { id, content: change(content) }, by.token);
};
const lastAudit = async () => {
  const [entry] = await server.services.database
    .select()
    .from(auditEntries)
    .where(like(auditEntries.action, "%rate card%"))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return entry;
};

it("A new database offers the specification's types under their own names, and its card says SAMPLE", async () => {
  expect(await offered()).toEqual(shippedCatalogue.groups);
  const { inForce, history, draft } = await rates();
  expect(inForce).toMatchObject({ isSample: true, state: "in_force", published_by: null, number: 1 });
  expect(inForce.content).toMatchObject({ gstPercent: 18, quoteValidDays: 30 });
  expect([history.length, draft]).toEqual([1, null]);
});

describe("A card that is published", () => {
  it("sells a new type at once, and is no sample any more", async () => {
    expect((await priceOf("Server", "Mainframe")).status).toBe(422);
    const { status, body } = await publish(withNewType("Server", "Mainframe"));
    expect([status, body.message]).toEqual([200, "Card 2 is in force."]);
    expect((await priceOf("Server", "Mainframe")).body).toMatchObject({ subtotal: "120000.00", sampleRates: false });
    expect(await namesIn("Server")).toContain("Mainframe");
    const { history } = await rates();
    expect(history[0]).toMatchObject({
      state: "in_force",
      published_by: "Meera Iyer",
      isSample: false,
      changes: ["Mainframe added to Server: ₹1,20,000.00 per device and year"],
    });
    expect(await lastAudit()).toMatchObject({ action: "publish rate card", actorId: admin.id });
    expect((await lastAudit())?.detail).toMatchObject({ changes: history[0]?.changes });
  });

  it("keeps the key of a type that is renamed and moved: who asks by the old name gets the new one", async () => {
    await publish(withType("AWS", { name: "Amazon Web Services" }));
    await publish(withMovedType("Amazon Web Services", "Public clouds"));
    const { body } = await priceOf("Cloud", "AWS");
    expect(body.lines[0]).toMatchObject({ service: "Public clouds", deviceType: "Amazon Web Services" });
    const moved = (await offered()).find(({ name }) => name === "Public clouds");
    expect(moved?.types).toEqual([{ service: "Cloud", deviceType: "AWS", name: "Amazon Web Services" }]);
    const { history } = await rates();
    expect(history.slice(0, 2).flatMap(({ changes }) => changes)).toEqual([
      "Amazon Web Services moved from Cloud to Public clouds",
      "AWS renamed to Amazon Web Services",
    ]);
  });

  it("gives no other type a name that somebody may still ask by", async () => {
    await publish(withType("Oracle", { name: "Oracle Database" }));
    const { status, body } = await save(withNewType("Databases", "Oracle"));
    expect([status, body.fields]).toEqual([422, { "content.groups": expect.stringContaining("was called “Oracle”") }]);
    expect((await priceOf("Databases", "Oracle")).body.lines[0]).toMatchObject({ deviceType: "Oracle Database" });
  });

  it("offers a retired type no more and says so, until it is brought back", async () => {
    await publish(withType("VPN", { retired: true }));
    expect(await namesIn("Network & Security Solutions")).not.toContain("VPN");
    const refused = await priceOf("Network & Security Solutions", "VPN");
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { "selectedDevices.0.deviceType": expect.stringContaining("“VPN” is no longer offered") },
    ]);
    const vpn = { service: "Network & Security Solutions", deviceType: "VPN", number: 1 };
    expect((await server.call("estimator", quoteRequest({ selectedDevices: [vpn] }))).status).toBe(422);
    await publish(withType("VPN", { retired: false }));
    expect((await priceOf("Network & Security Solutions", "VPN")).status).toBe(200);
  });

  it("sets tiers, GST and days of validity; quotes made before keep theirs", async () => {
    const before = await server.call("estimator", quoteRequest());
    const kept = async (id: string) =>
      (await server.services.database.select().from(quotes).where(eq(quotes.id, id)))[0];
    const old = await kept(before.body.quoteId);
    const cardBefore = (await rates()).inForce.id;
    await publish((content) => ({
      ...withType("Prod Server", { name: "Production server", yearly: "1000.00" })(content),
      tiers: [{ fromDevices: 2, discountPercent: 12.5 }],
      gstPercent: 5,
      quoteValidDays: 7,
    }));
    const after = await server.call("estimator", quoteRequest());
    const made = await kept(after.body.quoteId);
    expect(made).toMatchObject({ gstBasisPoints: 500, validDays: 7, discountBasisPoints: 1250, sampleRates: false });
    expect(made?.lines[0]).toMatchObject({ deviceType: "Production server", ratePaise: 1000_00 });
    const days = ((made?.validUntil.getTime() ?? 0) - (made?.createdAt.getTime() ?? 0)) / 86_400_000;
    expect(Math.floor(days)).toBe(7);
    expect(await kept(before.body.quoteId)).toEqual(old);
    expect(old).toMatchObject({ gstBasisPoints: 1800, rateCardId: cardBefore });
    expect(old?.lines[0]).toMatchObject({ deviceType: "Prod Server", ratePaise: 14_400_00 });
    expect((await rates()).history[0]?.changes).toEqual([
      "Prod Server renamed to Production server",
      "Production server from ₹14,400.00 to ₹1,000.00 a year",
      "Volume discount from 5% from 50, 8% from 100, 12% from 250, 15% from 500 to 12.5% from 2",
      "GST from 18% to 5%",
      "Quotes valid for 7 days instead of 30",
    ]);
  });

  it("says that a group is renamed once, not for each of its types", async () => {
    await publish((content) => ({
      ...content,
      groups: content.groups.map((group) => (group.name === "Other" ? { ...group, name: "Everything else" } : group)),
    }));
    expect((await rates()).history[0]?.changes).toEqual(["Group “Other” renamed to “Everything else”"]);
    expect((await priceOf("Other", "Workstation")).body.lines[0]).toMatchObject({ service: "Everything else" });
  });
});

describe("A card for a later day", () => {
  const inDays = (days: number) => indiaCalendar(later(server.services.now(), { days })).toISOString().slice(0, 10);

  it("waits for the start of that day in India, and comes into force by itself", async () => {
    const before = (await priceOf("Server", "Hypervisor")).body.subtotal;
    const { body } = await publish(withType("Hypervisor", { yearly: "77.00" }), inDays(2));
    expect(body.message).toMatch(/^Card \d+ comes into force on \d/);
    expect((await priceOf("Server", "Hypervisor")).body.subtotal).toBe(before);
    const coming = (await rates()).latest;
    expect(coming).toMatchObject({ state: "coming" });
    expect(coming.in_force_from).toMatch(/T18:30:00.000Z$/);
    server.passTime((new Date(coming.in_force_from).getTime() - server.services.now().getTime()) / 1000 - 60);
    expect((await priceOf("Server", "Hypervisor")).body.subtotal).toBe(before);
    server.passTime(61);
    admin = await member(server, "admin", { firstName: "Meera", lastName: "Iyer" });
    other = await member(server, "admin", { firstName: "Rohan", lastName: "Das" });
    expect((await priceOf("Server", "Hypervisor")).body.subtotal).toBe("77.00");
    const { inForce, history } = await rates();
    expect(inForce.id).toBe(coming.id);
    expect(history.filter(({ state }) => state === "in_force")).toHaveLength(1);
  });

  it("is followed by later ones only, and withdrawn it becomes the draft", async () => {
    await publish(withType("Hypervisor", { yearly: "88.00" }), inDays(5));
    const early = await publish(withType("Hypervisor", { yearly: "99.00" }));
    expect([early.status, Object.keys(early.body.fields ?? {})]).toEqual([422, ["from"]]);
    expect((await publish((content) => content, inDays(4))).status).toBe(422);
    const first = (await rates()).latest;
    expect((await publish((content) => content, inDays(6))).status).toBe(200);
    const last = (await rates()).latest;
    const withdraw = (id: string) => server.call("admin/rates/withdraw", { id }, admin.token);
    const refused = await withdraw(first.id);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining("builds on it")]);
    const answers = await Promise.all([withdraw(last.id), withdraw(last.id)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect((await withdraw(first.id)).status).toBe(200);
    expect(await lastAudit()).toMatchObject({ action: "withdraw rate card", subject: `rate card:${first.id}` });
    const { draft, inForce, history } = await rates();
    const yearly = draft?.content.groups[0]?.types.find(({ name }) => name === "Hypervisor")?.yearly;
    expect(yearly).toBe("99.00");
    expect(history.slice(0, 2).map(({ state }) => state)).toEqual(["withdrawn", "withdrawn"]);
    expect((await withdraw(inForce.id)).status).toBe(409);
  });

  it("is neither in the past nor far away", async () => {
    for (const from of [inDays(0), inDays(-1), inDays(400), "2026-02-30", "soon"])
      expect((await publish((content) => content, from)).status, from).toBe(422);
  });
});

describe("Of two administrators", () => {
  it("who save at once the second is told who was first", async () => {
    const { id, content } = await edited(server, admin);
    const answers = await Promise.all(
      [admin, other].map(({ token }) => server.call("admin/rates/save-draft", { id, content }, token)),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    const told = answers.find(({ status }) => status === 409)?.body;
    expect(told?.error).toMatch(/^(Meera Iyer|Rohan Das) has saved the draft meanwhile\.$/);
  });

  it("nobody publishes or discards a draft that the other has changed since", async () => {
    await save((content) => content);
    const { id } = await edited(server, admin);
    await save(withType("Router", { yearly: "5.00" }), other);
    for (const operation of ["admin/rates/publish", "admin/rates/discard-draft"] as const) {
      const { status, body } = await server.send(operation, { id, from: null }, admin.token);
      expect([status, body.error]).toEqual([409, "Rohan Das has saved the draft meanwhile."]);
    }
    const draft = await edited(server, other);
    const publishes = await Promise.all(
      [1, 2].map(() => server.call("admin/rates/publish", { id: draft.id, from: null }, other.token)),
    );
    expect(publishes.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    const late = await server.call("admin/rates/save-draft", { id, content: draft.content }, admin.token);
    expect([late.status, late.body.error]).toEqual([409, expect.stringContaining("The draft is gone")]);
  });

  it("who goes on from a card is told who has published another one", async () => {
    const { id, content } = await edited(server, admin);
    await publishCard(server, other, (card) => card);
    const { status, body } = await server.call("admin/rates/save-draft", { id, content }, admin.token);
    expect([status, body.error]).toEqual([
      409,
      expect.stringMatching(/^Rohan Das has published card \d+ meanwhile\.$/),
    ]);
  });
});

it("A draft changes no price, is kept for everybody, and can be thrown away", async () => {
  const before = (await priceOf("Network", "Router")).body.subtotal;
  await save(withType("Router", { yearly: "3.00" }));
  const { draft } = (await server.call("admin/rates", {}, other.token)).body;
  expect(draft).toMatchObject({ saved_by: "Meera Iyer" });
  expect((await priceOf("Network", "Router")).body.subtotal).toBe(before);
  expect((await server.call("admin/rates/discard-draft", { id: draft?.id ?? "" }, other.token)).status).toBe(200);
  expect(await lastAudit()).toMatchObject({ action: "discard rate card draft", actorId: other.id });
  expect((await rates()).draft).toBeNull();
});

it("A card is refused that leaves a type out, names one twice, or has disordered tiers or prices", async () => {
  const { id, content } = await edited(server, admin);
  const [first, ...others] = content.groups;
  const tier = (fromDevices: number, discountPercent: number) => ({ fromDevices, discountPercent });
  const price = (yearly: string) => withType("Hypervisor", { yearly })(content);
  const wrong: [object, string][] = [
    [{ ...content, groups: others }, "groups"],
    [{ ...content, groups: [first, first, ...others] }, "groups"],
    [{ ...content, groups: [{ ...first, name: "customization" }, ...others] }, "groups"],
    [withNewType("Server", "HYPERVISOR")(content), "groups"],
    [withType("Hypervisor", { name: " " })(content), "groups.0.types.2.name"],
    [price("12"), "groups.0.types.2.yearly"],
    [price("10000000.00"), "groups.0.types.2.yearly"],
    [{ ...content, tiers: [tier(50, 5), tier(50, 8)] }, "tiers"],
    [{ ...content, tiers: [tier(50, 101)] }, "tiers.0.discountPercent"],
    [{ ...content, gstPercent: 18.1 }, "gstPercent"],
    [{ ...content, quoteValidDays: 0 }, "quoteValidDays"],
  ];
  for (const [card, field] of wrong) {
    const sent = await server.send("admin/rates/save-draft", { id, content: card }, admin.token);
    expect([sent.status, Object.keys(sent.body.fields ?? {})]).toEqual([422, [`content.${field}`]]);
  }
  expect((await rates()).draft).toBeNull();
});

it("What three estimates would cost is shown before anything is saved", async () => {
  const devices = (number: number) => ({
    selectedDevices: [
      { service: "Server", deviceType: "Email Servers", number },
      { service: "Customization", deviceType: "SCADA gateway", number: 1 },
    ],
  });
  await server.services.database.delete(quotes);
  for (const number of [200, 1, 60, 30, 400]) await server.call("estimator", quoteRequest(devices(number)));
  const { content } = await edited(server, admin);
  const changed = withType("Email Servers", { yearly: "100.00", retired: true })({ ...content, tiers: [] });
  const { body } = await server.call("admin/rates/compare", { content: changed }, admin.token);
  expect(body.estimates.map((estimate) => estimate.devices)).toEqual([2, 61, 401]);
  expect(body.estimates[0]?.number).toMatch(/^Q-\d{6}$/);
  const custom = Number(content.custom.yearly);
  expect(body.estimates.map(({ after }) => Number(after.subtotal) - custom)).toEqual([100, 6000, 40_000]);
  expect(body.estimates[0]?.before.subtotal).not.toBe(body.estimates[0]?.after.subtotal);
  expect(body.changes).toContain("Email Servers retired");
  expect((await rates()).draft).toBeNull();
});

it("A child administrator reads and compares, and changes nothing; nobody else sees the cards", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const { id, content } = await edited(server, child);
  expect((await server.call("admin/rates/card", { id: (await rates()).inForce.id }, child.token)).status).toBe(200);
  expect((await server.call("admin/rates/compare", { content }, child.token)).status).toBe(200);
  const attempts: [string, object][] = [
    ["save-draft", { id, content }],
    ["discard-draft", { id }],
    ["publish", { id, from: null }],
    ["withdraw", { id }],
  ];
  const customer = await member(server, "user");
  for (const [verb, input] of attempts)
    for (const { token } of [child, customer])
      expect((await server.send(`admin/rates/${verb}`, input, token)).status).toBe(403);
  expect((await server.call("admin/rates", {}, customer.token)).status).toBe(403);
});

it("A published card can't be changed by any of this: its row stays as it was", async () => {
  const { database } = server.services;
  const rows = () => database.select().from(rateCards).orderBy(rateCards.id);
  const before = await rows();
  await publish(withType("Router", { yearly: "42.00" }));
  expect((await rows()).slice(0, before.length)).toEqual(before);
});

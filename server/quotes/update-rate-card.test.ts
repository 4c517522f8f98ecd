import { afterAll, beforeAll, expect, it } from "vitest";
import type { RateCard } from "../../contract/quotes.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member, type Member } from "../../tests/people.ts";

let server: TestServer;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
});
afterAll(() => server.stop());

const current = async () => (await server.call("admin/rate-card", {}, admin.token)).body;
const send = (card: object, token = admin.token) => server.send("admin/updateRateCard", card, token);
const priced = (card: RateCard, deviceType: string, yearly: string) => ({
  ...card,
  rates: card.rates.map((rate) => (rate.deviceType === deviceType ? { ...rate, yearly } : rate)),
});
const priceOf = async (deviceType: string, service = "Server") =>
  (await server.call("estimator/price", { selectedDevices: [{ service, deviceType, number: 1 }] })).body;

it("An administrator edits the card: the next estimate has the new price, tier and no sample mark", async () => {
  const card = await current();
  expect(card.isSample).toBe(true);
  const changed = priced(priced(card, "Prod Server", "1234.50"), "*", "99.00");
  const tiers = [{ fromDevices: 1, discountPercent: 12.5 }];
  expect((await send({ ...changed, tiers, isSample: false })).status).toBe(200);
  expect(await priceOf("Prod Server")).toMatchObject({
    subtotal: "1234.50",
    discountPercent: 12.5,
    sampleRates: false,
  });
  expect(await priceOf("Weighbridge", "Customization")).toMatchObject({ subtotal: "99.00" });
  expect(await current()).toMatchObject({ isSample: false, tiers });
});

it("Of two who edit the same card the second is told", async () => {
  const card = await current();
  const answers = await Promise.all(["10.00", "20.00"].map((yearly) => send(priced(card, "Hypervisor", yearly))));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
});

it("A card is refused that lacks a device type, names one twice or has disordered tiers or prices", async () => {
  const card = await current();
  const [first, ...others] = card.rates;
  const wrong: [object, string][] = [
    [{ ...card, rates: others }, "rates"],
    [{ ...card, rates: [...others, others[0]] }, "rates"],
    [{ ...card, rates: [...card.rates, { ...first, deviceType: "Toaster" }] }, "rates"],
    [priced(card, "Prod Server", "12"), "rates.0.yearly"],
    [priced(card, "Prod Server", "10000000.00"), "rates.0.yearly"],
    [
      {
        ...card,
        tiers: [
          { fromDevices: 50, discountPercent: 5 },
          { fromDevices: 50, discountPercent: 8 },
        ],
      },
      "tiers",
    ],
    [{ ...card, tiers: [{ fromDevices: 50, discountPercent: 101 }] }, "tiers.0.discountPercent"],
    [{ ...card, tiers: [{ fromDevices: 50, discountPercent: 0.001 }] }, "tiers.0.discountPercent"],
  ];
  for (const [sent, field] of wrong) {
    const { status, body } = await send(sent);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
  }
});

it("A child administrator reads the card and changes nothing", async () => {
  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  expect((await server.call("admin/rate-card", {}, child.token)).status).toBe(200);
  expect((await send(await current(), child.token)).status).toBe(403);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { rateCards } from "../database/schema/index.ts";
import { currentRateCard, ensureRateCard, sampleCard } from "./rate-card.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const price = async (number: number) =>
  (
    await server.call("estimator/price", {
      selectedDevices: [{ service: "Server", deviceType: "Prod Server", number }],
    })
  ).body;

it.each([
  [49, 0],
  [50, 5],
  [99, 5],
  [100, 8],
  [249, 8],
  [250, 12],
  [499, 12],
  [500, 15],
])("On the shipped card %i devices get %i %% off", async (number, discountPercent) => {
  expect(await price(number)).toMatchObject({ discountPercent, sampleRates: true });
});

it("The discount goes by all devices together", async () => {
  const selectedDevices = ["Prod Server", "Non-Prod Server", "Hypervisor"].map((deviceType) => ({
    service: "Server",
    deviceType,
    number: 20,
  }));
  // 20 × 3,500 a month for a year, less 5 %, plus 18 %.
  expect((await server.call("estimator/price", { selectedDevices })).body).toMatchObject({
    subtotal: "840000.00",
    discount: "42000.00",
    taxable: "798000.00",
    gst: "143640.00",
    total: "941640.00",
  });
});

it("Copies that start at once make one card; a later start makes none", async () => {
  const { database, now } = server.services;
  await database.delete(rateCards);
  await Promise.all(Array.from({ length: 5 }, () => ensureRateCard(database, now)));
  await ensureRateCard(database, now);
  expect(await database.$count(rateCards)).toBe(1);
});

it("A newer card is in force at once", async () => {
  const { database } = server.services;
  const before = await currentRateCard(server.services);
  await database.insert(rateCards).values({
    ...sampleCard(),
    rates: sampleCard().rates.map((rate) => ({ ...rate, yearlyPaise: 101 })),
    tiers: [],
    isSample: false,
  });
  expect(before.isSample).toBe(true);
  // 5.05 and 18 % of it, 0.909, rounded to the paisa.
  expect(await price(5)).toMatchObject({ subtotal: "5.05", gst: "0.91", total: "5.96", sampleRates: false });
});

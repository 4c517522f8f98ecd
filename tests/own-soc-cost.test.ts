import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  assumptions,
  claim,
  figureNames,
  hundredDevices,
  ourFigures,
  reckon,
  sampleSubscription,
  verdictOn,
} from "../app/public/home/own-soc-cost.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { currentRateCard } from "../server/rates/rate-card.ts";
import { startTestServer, type TestServer } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

const reckonWith = (over: Partial<typeof ourFigures>) => reckon({ ...ourFigures, ...over });

describe("the subscription", () => {
  it.each([1, 2, 3, 4, 5])("costs %i hundred devices as the shipped rate card prices them", async (hundreds) => {
    const card = await currentRateCard(server.services);
    const priced = priceDevices(
      card,
      hundredDevices.map((device) => ({ ...device, number: device.number * hundreds })),
    );
    const { subscription, discountPercent } = sampleSubscription(hundreds * 100);
    expect(discountPercent * 100).toBe(priced.discountBasisPoints);
    expect(subscription * 100).toBe(priced.subtotalPaise - priced.discountPaise);
  });
  it("has the card's discount from the very device on that earns it", async () => {
    const { tiers } = await currentRateCard(server.services);
    for (const { fromDevices, discountBasisPoints } of tiers) {
      expect(sampleSubscription(fromDevices).discountPercent).toBe(discountBasisPoints / 100);
      expect(sampleSubscription(fromDevices - 1).discountPercent).toBeLessThan(discountBasisPoints / 100);
    }
  });
});

describe("a centre of one's own", () => {
  it("adds up line by line", () => {
    const { own, ownTotal, people, perChair } = reckon(ourFigures);
    expect(perChair).toBeCloseTo(5.6);
    // Two chairs of 5.6 people make 11.2, so 12 have to be hired.
    expect(people).toBe(12 + 3);
    expect(own).toEqual({
      people: 15 * 700_000,
      training: 15 * 40_000,
      licence: 20 * 365 * 200,
      machines: 800_000,
    });
    expect(ownTotal).toBe(13_360_000);
  });
  it("needs no thirteenth analyst where twelve are just enough", () => {
    expect(reckonWith({ dutyHours: 42, chairs: 3, others: 0 }).people).toBe(12);
  });
  it("stays a number at every bound of every assumption", () => {
    for (const name of figureNames)
      for (const end of ["min", "max"] as const) {
        const { ownTotal, subscription, ratio } = reckonWith({ [name]: assumptions[name][end] });
        for (const number of [ownTotal, subscription, ratio]) expect(Number.isFinite(number), name).toBe(true);
        expect(subscription).toBeGreaterThan(0);
      }
  });
});

describe("the claim", () => {
  it("holds with our own assumptions", () => {
    const { ratio } = reckon(ourFigures);
    expect(ratio).toBeGreaterThanOrEqual(claim.from);
    expect(ratio).toBeLessThanOrEqual(claim.to);
    expect(verdictOn(ratio)).toBe("Within the 3-5X that we claim.");
  });
  it.each([
    [0.9, "With these figures a SOC of your own costs less than the subscription."],
    [1, "With these figures it is not 3-5X lower: our claim does not hold for you."],
    [2.9, "With these figures it is not 3-5X lower: our claim does not hold for you."],
    [3, "Within the 3-5X that we claim."],
    [5, "Within the 3-5X that we claim."],
    [5.1, "More than the 3-5X that we claim."],
  ])("is judged honestly at %f", (ratio, sentence) => {
    expect(verdictOn(ratio)).toBe(sentence);
  });
  it.each([
    [1242, 1],
    [1250, 0.9],
    [1308, 0.9],
  ])("for %i devices is %f, rounded to no figure that favours us", (devices, ratio) => {
    expect(reckonWith({ devices }).ratio).toBe(ratio);
  });
  it("does not hold for many devices, and we say so", () => {
    expect(verdictOn(reckonWith({ devices: 900 }).ratio)).toContain("does not hold");
  });
});

import { assert, constantFrom, integer, property, record, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { customService, deviceCatalogue } from "../../contract/devices.ts";
import { randomFrom } from "../../tests/random.ts";
import { partOf } from "../../contract/totals.ts";
import { priceDevices } from "./pricing.ts";
import { sampleCard } from "./rate-card.ts";

const card = {
  ...sampleCard(),
  tiers: [
    { fromDevices: 50, discountBasisPoints: 500 },
    { fromDevices: 100, discountBasisPoints: 800 },
  ],
};
const all = deviceCatalogue.flatMap(({ service, deviceTypes }) =>
  deviceTypes.map((deviceType) => ({ service, deviceType })),
);
const devices = uniqueArray(
  record({ device: constantFrom(...all), number: integer({ min: 1, max: 500 }) }).map(({ device, number }) => ({
    ...device,
    number,
  })),
  { minLength: 1, selector: ({ service, deviceType }) => `${service}|${deviceType}` },
);

describe("the sample rate card", () => {
  it("has a rate for every device type and a default for the others", () => {
    const priced = priceDevices(card, [
      ...all.map((device) => ({ ...device, number: 1 })),
      { service: customService, deviceType: "SCADA", number: 1 },
    ]);
    expect(priced.lines).toHaveLength(all.length + 1);
    expect(priced.lines.every((line) => line.ratePaise > 0)).toBe(true);
  });
  it("holds a year's price in paise", () => {
    const [line] = priceDevices(card, [{ service: "Server", deviceType: "Prod Server", number: 1 }]).lines;
    expect(line?.ratePaise).toBe(1200 * 12 * 100);
  });
});

describe("a price", () => {
  it("adds up in whole paise, in any order of the devices", () => {
    assert(
      property(devices, (selection) => {
        const priced = priceDevices(card, selection);
        expect(priced.totalPaise).toBe(priced.subtotalPaise - priced.discountPaise + priced.gstPaise);
        expect(priced.subtotalPaise).toBe(priced.lines.reduce((sum, line) => sum + line.amountPaise, 0));
        for (const paise of [priced.subtotalPaise, priced.discountPaise, priced.gstPaise, priced.totalPaise])
          expect(Number.isSafeInteger(paise)).toBe(true);
        expect(priceDevices(card, selection.toReversed()).totalPaise).toBe(priced.totalPaise);
      }),
    );
  });
  it("rises with every device, but for the step down where a larger discount begins", () => {
    assert(
      property(devices, (selection) => {
        const [first, ...rest] = selection.toSorted((one, other) => one.number - other.number);
        if (!first || first.number === 500) return;
        const less = priceDevices(card, selection);
        const more = priceDevices(card, [{ ...first, number: first.number + 1 }, ...rest]);
        expect(more.subtotalPaise).toBeGreaterThan(less.subtotalPaise);
        expect(more.discountBasisPoints).toBeGreaterThanOrEqual(less.discountBasisPoints);
        const sameTier = more.discountBasisPoints === less.discountBasisPoints;
        const risen = sameTier ? more.totalPaise > less.totalPaise : more.discountPaise > less.discountPaise;
        expect(risen).toBe(true);
      }),
    );
  });
  it("never has a discount larger than the lines, nor less tax than is due", () => {
    assert(
      property(devices, (selection) => {
        const { subtotalPaise, discountPaise, gstPaise } = priceDevices(card, selection);
        const taxablePaise = subtotalPaise - discountPaise;
        expect(taxablePaise).toBeGreaterThan(0);
        expect(Math.abs(gstPaise * 10_000 - taxablePaise * 1800)).toBeLessThanOrEqual(5000);
      }),
    );
  });
  it("takes the default rate for a device typed in by hand, to be confirmed, whatever it is called", () => {
    const typed = ["Prod Server", "*", "SCADA"].map((deviceType) => ({
      service: customService,
      deviceType,
      number: 2,
    }));
    for (const line of priceDevices(card, typed).lines)
      expect(line).toMatchObject({ ratePaise: 1500 * 12 * 100, amountPaise: 3_600_000, subjectToConfirmation: true });
  });
  it("is refused where the card has no rate, instead of being nothing", () => {
    expect(() =>
      priceDevices({ ...card, rates: [] }, [{ service: "Server", deviceType: "Prod Server", number: 1 }]),
    ).toThrow("“Prod Server” is not in the estimator.");
  });
  it.each([
    [49, 0],
    [50, 500],
    [99, 500],
    [100, 800],
    [500, 800],
  ])("of %i devices is discounted by %i basis points", (number, discountBasisPoints) => {
    expect(priceDevices(card, [{ service: "Other", deviceType: "Workstation", number }])).toMatchObject({
      discountBasisPoints,
    });
  });
  it("rounds each step half up to the paisa", () => {
    expect([
      partOf(1, 5000),
      partOf(3, 5000),
      partOf(1, 4999),
      partOf(0, 1800),
      partOf(100, 1800),
      partOf(25, 1800),
    ]).toEqual([1, 2, 0, 0, 18, 5]);
  });
  it("stays exact far beyond 2^53 on the way", () => {
    expect(partOf(9_007_199_254_740_991, 10_000)).toBe(9_007_199_254_740_991);
  });
  it("is what whole numbers without end give, for sums of every length", () => {
    const { below, pick } = randomFrom(1);
    const differ = Array.from({ length: 20_000 }, () => {
      const paise = below(10 ** pick([1, 3, 6, 9, 11, 12, 15]));
      const basisPoints = pick([0, 1, 500, 900, 1800, 3333, 10_000]);
      const parts = pick([1, 2]);
      const unit = 10_000n * BigInt(parts);
      const exact = (BigInt(paise) * BigInt(basisPoints) * 2n + unit) / (2n * unit);
      return { paise, basisPoints, parts, isSame: BigInt(partOf(paise, basisPoints, parts)) === exact };
    }).filter(({ isSame }) => !isSame);
    expect(differ).toEqual([]);
  });
});

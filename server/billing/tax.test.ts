import { describe, expect, it } from "vitest";
import type { Undertaking } from "../../contract/billing.ts";
import { type TaxedBuyer, type TaxedSeller, taxOf } from "./tax.ts";
import { taxRules } from "./tax-rules.ts";

const at = new Date("2026-11-22T06:00:00Z");
const seller: TaxedSeller = { stateCode: "29", undertaking: null, roundToRupee: false };
const letter = { number: "AD290426000001A", validFrom: "2026-04-01", validTo: "2027-03-31" };
const ended = { ...letter, validTo: "2026-11-21" };
const withLetter = { ...seller, undertaking: letter };
const withEnded = { ...seller, undertaking: ended };
const ofBuyer: Undertaking = { number: "SEZ/17", date: "2026-11-22", validTo: "2026-11-22" };
const endedOfBuyer = { ...ofBuyer, date: "2026-01-01", validTo: "2026-11-21" };
const taxed = { taxablePaise: 1_000_005, gstBasisPoints: 1800, at };

// The quote has 180001: the paisa becomes the round-off.
const local = "CGST 9% 90000 + SGST 9% 90000";
const igst = "IGST 18% 180001";
const unionTerritory = "CGST 9% 90000 + UTGST 9% 90000";

/** Buyer's kind, state and undertaking, and the seller → place of supply, treatment, taxes. */
const table: [TaxedBuyer, TaxedSeller, place: string, treatment: string, taxes: string][] = [
  [{}, seller, "29", "within the state", local],
  [{ kind: "unregistered", stateCode: null }, seller, "29", "within the state", local],
  [{ kind: "registered", stateCode: "29" }, seller, "29", "within the state", local],
  [{ kind: "registered", stateCode: "32" }, seller, "32", "to another state", igst],
  [{ kind: "registered", stateCode: "32" }, withLetter, "32", "to another state", igst],
  [{ kind: "unregistered", stateCode: "29" }, seller, "29", "within the state", local],
  [{ kind: "unregistered", stateCode: "97" }, seller, "97", "to another state", igst],
  // A union territory without a legislature has UTGST; those with one have SGST.
  [{ kind: "registered", stateCode: "04" }, { ...seller, stateCode: "04" }, "04", "within the state", unionTerritory],
  [{ kind: "registered", stateCode: "07" }, { ...seller, stateCode: "07" }, "07", "within the state", local],
  // A supply to a special economic zone is never within the state.
  [{ kind: "sez", stateCode: "29" }, seller, "29", "SEZ with tax", igst],
  [{ kind: "sez", stateCode: "29" }, withLetter, "29", "SEZ with tax", igst],
  [{ kind: "sez", stateCode: "29", undertaking: ofBuyer }, seller, "29", "SEZ with tax", igst],
  [{ kind: "sez", stateCode: "29", undertaking: ofBuyer }, withEnded, "29", "SEZ with tax", igst],
  [{ kind: "sez", stateCode: "29", undertaking: endedOfBuyer }, withLetter, "29", "SEZ with tax", igst],
  [{ kind: "sez", stateCode: "32", undertaking: ofBuyer }, withLetter, "32", "SEZ under undertaking", ""],
  [{ kind: "abroad" }, seller, "96", "export with tax", igst],
  [{ kind: "abroad" }, withEnded, "96", "export with tax", igst],
  [{ kind: "abroad" }, withLetter, "96", "export under undertaking", ""],
];

describe("The tax on a supply", () => {
  it.each(table)("to %j by %j is %s, %s: %s", (buyer, by, placeOfSupply, treatment, taxes) => {
    const split = taxOf(by, buyer, taxed);
    expect(split).toMatchObject({ placeOfSupply, treatment, taxablePaise: 1_000_005 });
    const written = split.taxes.map(
      ({ name, basisPoints, amountPaise }) => `${name} ${basisPoints / 100}% ${amountPaise}`,
    );
    expect(written.join(" + ")).toBe(taxes);
    const sum = 1_000_005 + split.taxes.reduce((all, tax) => all + tax.amountPaise, 0);
    expect(split.roundOffPaise).toBe(split.taxes.length === 2 ? 1 : 0);
    expect(split.totalPaise).toBe(sum + split.roundOffPaise);
  });

  it("says what rule 46 wants of exports and special economic zones, and nothing otherwise", () => {
    const says = (buyer: TaxedBuyer, by: TaxedSeller) => taxOf(by, buyer, taxed).sentences.join(" ");
    expect(says({ kind: "registered", stateCode: "32" }, withLetter)).toBe("");
    expect(says({ kind: "abroad" }, seller)).toMatch(/ON PAYMENT OF INTEGRATED TAX\.$/);
    expect(says({ kind: "abroad" }, withLetter)).toMatch(
      /WITHOUT PAYMENT OF INTEGRATED TAX\. Letter of undertaking AD290426000001A, valid from 1 April 2026 to 31 March 2027\.$/,
    );
    expect(says({ kind: "sez", stateCode: "29", undertaking: ofBuyer }, withLetter)).toContain(
      "Recipient's letter of undertaking SEZ/17 of 22 November 2026",
    );
  });

  it("rounds each tax half up to the paisa, and the document to the rupee only where the operator says so", () => {
    const buyer = { kind: "registered", stateCode: "29" } as const;
    // 9% of 50 paise is 4.5.
    const small = { ...taxed, taxablePaise: 50 };
    expect(taxOf(seller, buyer, small).taxes.map(({ amountPaise }) => amountPaise)).toEqual([5, 5]);
    expect(taxOf(seller, buyer, small)).toMatchObject({ roundOffPaise: -1, totalPaise: 59 });
    const rounded = { ...seller, roundToRupee: true };
    expect(taxOf(rounded, buyer, small)).toMatchObject({ roundOffPaise: 40, totalPaise: 100 });
    expect(taxOf(rounded, buyer, { ...taxed, taxablePaise: 10_040 })).toMatchObject({
      roundOffPaise: -48,
      totalPaise: 11_800,
    });
  });

  it("is the same of amounts beyond what a float holds", () => {
    const split = taxOf(
      seller,
      { kind: "registered", stateCode: "32" },
      { ...taxed, taxablePaise: 900_719_925_474_099 },
    );
    expect(split.taxes[0]?.amountPaise).toBe(162_129_586_585_338);
  });

  it("follows the rule of its day: no two of one kind hold on the same day, and none is missing since GST began", () => {
    for (const rule of taxRules)
      expect(
        taxRules.filter(
          (other) =>
            other.treatment === rule.treatment &&
            other.from <= (rule.to ?? "9999") &&
            rule.from <= (other.to ?? "9999"),
        ),
      ).toEqual([rule]);
    expect(() => taxOf(seller, {}, { ...taxed, at: new Date("2017-06-30T00:00:00Z") })).toThrow("no tax rule");
  });
});

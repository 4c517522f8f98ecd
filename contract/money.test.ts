import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { formatRupees, paiseFrom, rupees } from "./money.ts";

const amounts = integer({ min: 0, max: 99_999_999_999_999 });

test("Paise go to the wire and come back the same", () => {
  assert(
    property(amounts, (paise) => {
      expect(paiseFrom(rupees(paise))).toBe(paise);
    }),
  );
});

test("What people read has the same digits as the wire", () => {
  assert(
    property(amounts, (paise) => {
      expect(formatRupees(paise).replace(/[₹,]/g, "")).toBe(rupees(paise));
    }),
  );
});

test.each([
  [5, "0.05", "₹0.05"],
  [-5, "-0.05", "-₹0.05"],
  [123_450, "1234.50", "₹1,234.50"],
  [12_345_678, "123456.78", "₹1,23,456.78"],
  [1_041_118_480_000, "10411184800.00", "₹10,41,11,84,800.00"],
])("%i paise are %s on the wire and %s for people", (paise, wire, shown) => {
  expect([rupees(paise), formatRupees(paise)]).toEqual([wire, shown]);
});

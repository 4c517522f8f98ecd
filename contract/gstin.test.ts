import { describe, expect, test } from "vitest";
import { brand } from "./brand.ts";
import { isValidGstin, states } from "./gstin.ts";

describe("A GSTIN", () => {
  test.each(["29AAGCG6253J1Z8", "27AAPFU0939F1ZV"])("in real use passes: %s", (gstin) => {
    expect(isValidGstin(gstin)).toBe(true);
  });

  test("that is often shown as a sample fails by its check digit", () => {
    expect(isValidGstin("22AAAAA0000A1Z5")).toBe(false);
  });

  test("with any other check digit fails", () => {
    const others = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("").filter((digit) => digit !== "V");
    expect(others.filter((digit) => isValidGstin(`27AAPFU0939F1Z${digit}`))).toEqual([]);
  });

  test.each([
    "",
    "27aapfu0939f1zv",
    " 27AAPFU0939F1ZV",
    "27AAPFU0939F1ZV\n",
    "25AAPFU0939F1ZV",
    "99AAPFU0939F1ZV",
    "27AAPFU0939F1XV",
    "२७AAPFU0939F1ZV",
  ])("of another shape or of no state fails: %j", (gstin) => {
    expect(isValidGstin(gstin)).toBe(false);
  });

  test("of the brand file is well formed and of the brand's own state", () => {
    expect(isValidGstin(brand.gstin)).toBe(true);
    expect(brand.gstin.slice(0, 2)).toBe(brand.stateCode);
  });
});

test("State codes 25 and 28 are no longer given out; 97 is Other Territory", () => {
  expect(Object.keys(states)).toHaveLength(37);
  expect(states["25"]).toBeUndefined();
  expect(states["28"]).toBeUndefined();
  expect(states["97"]).toBe("Other Territory");
});

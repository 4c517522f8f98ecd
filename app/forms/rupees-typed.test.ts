import { expect, test } from "vitest";
import { rupeesTyped } from "./rupees-typed.ts";

test.each([
  ["1,23,456.5", "123456.50"],
  [" ₹ 1,234,567 ", "1234567.00"],
  ["1,500₹", "1500.00"],
  ["1234.", "1234.00"],
])("%s is an amount", (typed, rupees) => expect(rupeesTyped(typed)).toBe(rupees));

test.each(["1,5", "269040,00", "1.200,00", "1.5,000"])("%s stays as it was typed and is refused", (typed) =>
  expect(rupeesTyped(typed)).not.toMatch(/^\d+\.\d{2}$/),
);

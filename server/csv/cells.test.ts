import { expect, test } from "vitest";
import { paiseOfCell } from "./cells.ts";

test.each([
  ["2,69,040.00", 26904000],
  ["2,69,040", 26904000],
  ["269,040.00", 26904000],
  ["1,269,040.5", 126904050],
  ["₹ 269040.00", 26904000],
  ["-1,200.50", -120050],
  ["", 0],
  ["-", 0],
])("“%s” is an amount", (cell, paise) => expect(paiseOfCell(cell)).toBe(paise));

test.each(["269040,00", "2.69.040,00", "1.200,00", "1,5", "12,34", "1.5,000", "269040,000", "1,2345", ",500", "1e3"])(
  "“%s” is none, as nobody knows where its paise begin",
  (cell) => expect(paiseOfCell(cell)).toBeNull(),
);

import { expect, test } from "vitest";
import { percentTyped } from "./percent-typed.ts";

test.each([
  ["10", 10],
  [" 0.1 ", 0.1],
  [".5", 0.5],
  ["2.", 2],
])("%s is a percentage", (typed, percent) => expect(percentTyped(typed)).toBe(percent));

test.each(["", ".", "10,5", "10%", "-1", "1e1", "1e999", "0x1"])("%s is none", (typed) =>
  expect(percentTyped(typed)).toBeNaN(),
);

import { expect, it } from "vitest";
import { asInstant, asTyped } from "./time-typed.ts";

it("A typed time is India's, wherever the browser stands, and is shown as it was typed", () => {
  expect(asInstant("2026-11-22T09:12")).toBe("2026-11-22T03:42:00.000Z");
  expect(asTyped("2026-11-22T03:42:59.000Z")).toBe("2026-11-22T09:12");
  expect(asTyped("2026-11-22T20:00:00.000Z")).toBe("2026-11-23T01:30");
  expect(["", "122026-11-22T09:12"].map(asInstant)).toEqual(["", ""]);
});

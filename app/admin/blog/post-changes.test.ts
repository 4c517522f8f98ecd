import { expect, it } from "vitest";
import { slugOf } from "./post-changes.ts";

it("An address made from a title ends with a whole word, and is never too long", () => {
  expect(slugOf("What’s new, 2026?", 80)).toBe("whats-new-2026");
  expect(slugOf("What the firewall had forgotten", 16)).toBe("what-the");
  expect(slugOf("What the firewall had forgotten", 17)).toBe("what-the-firewall");
  expect(slugOf("What the firewall had forgotten", 18)).toBe("what-the-firewall");
  expect(slugOf("Donaudampfschifffahrt", 5)).toBe("donau");
  expect(slugOf("– ? –", 80)).toBe("");
});

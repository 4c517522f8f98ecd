import { expect, it } from "vitest";
import { showDeadline } from "./show-deadline.ts";

it("A deadline reads as a sentence, with its months by their names", () => {
  expect(showDeadline({ kind: "relative", minutes: 360, anchors: ["noticed", "brought to notice"] })).toBe(
    "6 hours from: noticed or brought to notice",
  );
  expect(showDeadline({ kind: "immediate", anchors: ["reported to sebi"] })).toBe(
    "Without delay from: reported to SEBI",
  );
  expect(showDeadline({ kind: "calendar", afterMonths: [3, 12], days: 15 })).toBe("After March, December: 15 days");
});

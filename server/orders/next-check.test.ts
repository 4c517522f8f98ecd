import { describe, expect, it } from "vitest";
import { type Checked, isTimedOut, nextCheckAt, retryAt } from "./next-check.ts";

const start = new Date("2026-11-21T10:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const attempt = (over: Partial<Checked> = {}): Checked => ({
  state: "initiated",
  createdAt: start,
  expiresAt: after(15),
  claimedAt: null,
  endedAt: null,
  ...over,
});
const minutesTo = (date: Date | null) => date && (date.getTime() - start.getTime()) / 60_000;

describe("the next question about an attempt", () => {
  it.each([
    ["that nobody has paid comes when its form expires", attempt(), false, 1, 15],
    ["that is pending comes soon at first", attempt({ state: "pending" }), true, 1, 1.5],
    ["that is pending comes less often later", attempt({ state: "pending" }), true, 60, 75],
    ["that is pending for days comes every hour", attempt({ state: "pending" }), true, 3000, 3060],
    ["that failed comes an hour later", attempt({ state: "failure", endedAt: after(5) }), false, 5, 65],
    ["that failed an hour ago comes after six", attempt({ state: "failure", endedAt: start }), false, 60, 360],
    ["that failed six hours ago comes after a day", attempt({ state: "failure", endedAt: start }), false, 361, 1440],
    ["of a day that our clock was ahead comes within one", attempt({ expiresAt: after(4000) }), false, 1, 1441],
    ["that failed on such a day, too", attempt({ state: "failure", endedAt: after(4000) }), false, 1, 1441],
    ["that failed a day ago does not come", attempt({ state: "failure", endedAt: start }), false, 1441, null],
    [
      "that expired, and is under way all the same, comes",
      attempt({ state: "expired", endedAt: start }),
      true,
      1441,
      1501,
    ],
    ["that expired a week ago does not come", attempt({ state: "expired", endedAt: start }), true, 10_081, null],
    ["that failed and was called a success comes soon", claimed(2000), false, 2001, 2001.5],
    ["that was called a success comes for as long as it takes", claimed(0), false, 600_000, 600_060],
    ["that is paid does not come", attempt({ state: "success", endedAt: start }), false, 1, null],
    ["that a person looks at does not come", attempt({ state: "review", endedAt: start }), false, 1, null],
  ])("%s", (_case, given, isUnderWay, now, expected) => {
    expect(minutesTo(nextCheckAt(given, isUnderWay, after(now)))).toBe(expected);
  });
  it("that was not answered comes again, never at once and never more than an hour later", () => {
    for (const state of ["initiated", "pending", "success", "failure", "expired"] as const)
      for (const minutes of [0, 1, 15, 600, 100_000]) {
        const pause = (minutesTo(retryAt(attempt({ state }), after(minutes))) ?? 0) - minutes;
        expect(pause).toBeGreaterThanOrEqual(0.5);
        expect(pause).toBeLessThanOrEqual(60);
      }
  });
});

describe("an attempt comes to nothing", () => {
  it.each([
    ["when nobody has paid in time", attempt(), false, 15, true],
    ["not before", attempt(), false, 14, false],
    ["when a bank is silent for a week", attempt({ state: "pending" }), true, 10_081, true],
    ["not before", attempt({ state: "pending" }), true, 10_079, false],
    ["not when the gateway called it a success", { ...claimed(1), state: "pending" as const }, false, 600_000, false],
    ["not twice", attempt({ state: "failure", endedAt: start }), false, 20, false],
  ])("%s", (_case, given, isUnderWay, now, expected) => {
    expect(isTimedOut(given, isUnderWay, after(now))).toBe(expected);
  });
});

function claimed(minutes: number): Checked {
  return attempt({ state: "failure", endedAt: start, claimedAt: after(minutes) });
}

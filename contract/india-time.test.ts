import { describe, expect, it } from "vitest";
import { endOfDayInIndia, indiaCalendar, startOfDayInIndia } from "./india-time.ts";

describe("a day in India", () => {
  it.each([
    ["in the morning", "2026-11-21T03:00:00.000Z", 0, "2026-11-21T18:29:59.999Z"],
    ["in its last millisecond", "2026-11-21T18:29:59.999Z", 0, "2026-11-21T18:29:59.999Z"],
    ["in its first", "2026-11-21T18:30:00.000Z", 0, "2026-11-22T18:29:59.999Z"],
    ["thirty days later", "2026-11-21T18:30:00.000Z", 30, "2026-12-22T18:29:59.999Z"],
    ["over the end of a year", "2026-12-31T19:00:00.000Z", 30, "2027-01-31T18:29:59.999Z"],
    ["over a February of 28 days", "2027-01-30T06:00:00.000Z", 30, "2027-03-01T18:29:59.999Z"],
    ["over a February of 29 days", "2028-01-30T06:00:00.000Z", 30, "2028-02-29T18:29:59.999Z"],
  ])("%s ends at half past six in the evening, UTC", (_when, instant, daysLater, end) => {
    expect(endOfDayInIndia(new Date(instant), daysLater).toISOString()).toBe(end);
  });
  it("begins where the one before it ends", () => {
    expect(startOfDayInIndia(2026, 10, 22).getTime()).toBe(
      endOfDayInIndia(new Date("2026-11-21T12:00:00Z")).getTime() + 1,
    );
    expect(startOfDayInIndia(2026, 12).toISOString()).toBe("2026-12-31T18:30:00.000Z");
  });
  it("is read off its calendar", () => {
    expect(indiaCalendar(new Date("2026-11-21T18:30:00Z")).toISOString()).toBe("2026-11-22T00:00:00.000Z");
  });
});

import { indiaZone } from "./india-time.ts";

const day = new Intl.DateTimeFormat("en-IN", { timeZone: indiaZone, day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-IN", {
  timeZone: indiaZone,
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
});

/** "21 Nov 2026" in India. */
export const shortDay = (instant: Date): string => day.format(instant);
/** "14:05" in India. */
export const shortClock = (instant: Date): string => clock.format(instant);

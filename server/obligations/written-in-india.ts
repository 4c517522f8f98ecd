import { indiaZone } from "../../contract/india-time.ts";

const written = new Intl.DateTimeFormat("en-GB", {
  timeZone: indiaZone,
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** An instant as regulators in India read it: 1 October 2026 at 16:00 IST. */
export const writtenInIndia = (instant: Date): string => `${written.format(instant)} IST`;

import { indiaZone, startOfWrittenDay } from "../../contract/india-time.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";

const day = new Intl.DateTimeFormat("en-IN", {
  timeZone: indiaZone,
  day: "numeric",
  month: "short",
  year: "numeric",
});
const dayAndTime = new Intl.DateTimeFormat("en-IN", {
  timeZone: indiaZone,
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
});
const clock = new Intl.DateTimeFormat("en-IN", {
  timeZone: indiaZone,
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
});

const monthOfYear = new Intl.DateTimeFormat("en-IN", { timeZone: "UTC", month: "short", year: "2-digit" });

/** "₹1,23,456.78" from rupees as the wire has them. */
export const showRupees = (wire: string) => formatRupees(paiseFrom(wire));
/** "21 Nov 2026", in India. */
export const showDay = (instant: string) => day.format(new Date(instant));
/** "21 Nov 2026" from "2026-11-21". */
export const showWrittenDay = (written: string) => showDay(startOfWrittenDay(written).toISOString());
/** "21 Nov 2026, 14:05", in India. */
export const showTime = (instant: string) => dayAndTime.format(new Date(instant));
/** From one instant to another, on one day: "21 Nov 2026, 14:05 to 14:09". */
export function showSpan(start: string, end: string): string {
  const [from, to] = [showTime(start), showTime(end)];
  if (from === to) return from;
  return `${from} to ${showDay(start) === showDay(end) ? clock.format(new Date(end)) : to}`;
}
/** "Nov 26" from "2026-11". */
export const showMonth = (month: string) => monthOfYear.format(new Date(`${month}-01T00:00:00Z`)).replaceAll("-", " ");

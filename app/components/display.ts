import { startOfWrittenDay } from "../../contract/india-time.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { shortClock, shortDay } from "../../contract/short-time.ts";

const monthOfYear = new Intl.DateTimeFormat("en-IN", { timeZone: "UTC", month: "short", year: "2-digit" });

/** "₹1,23,456.78" from the API's rupees. */
export const showRupees = (wire: string) => formatRupees(paiseFrom(wire));
/** "21 Nov 2026" in India's time zone, with non-breaking spaces. */
export const showDay = (instant: string) => shortDay(new Date(instant)).replaceAll(" ", "\u00A0");
/** "21 Nov 2026" from "2026-11-21". */
export const showWrittenDay = (written: string) => showDay(startOfWrittenDay(written).toISOString());
/** "21 Nov 2026, 14:05" in India's time zone. */
export const showTime = (instant: string) => `${showDay(instant)}, ${shortClock(new Date(instant))}`;
/** A name in Unicode isolates: a right-to-left name would otherwise reorder the number or date after it. */
export const isolated = (name: string) => `\u2068${name}\u2069`;
/** A span of time: "21 Nov 2026, 14:05 to 14:09" within one day. */
export function showSpan(start: string, end: string): string {
  const [from, to] = [showTime(start), showTime(end)];
  if (from === to) return from;
  return `${from} to ${showDay(start) === showDay(end) ? shortClock(new Date(end)) : to}`;
}
/** "Nov 26" from "2026-11". */
export const showMonth = (month: string) => monthOfYear.format(new Date(`${month}-01T00:00:00Z`)).replaceAll("-", " ");
/** A duration as text: "25 min", "3 h 5 min", "4 days 2 h". */
export function showMinutes(minutes: number): string {
  const whole = Math.max(0, Math.floor(minutes));
  const [days, hours, rest] = [Math.floor(whole / 1440), Math.floor((whole % 1440) / 60), whole % 60];
  if (days > 0) return `${days} ${days === 1 ? "day" : "days"}${hours > 0 ? ` ${hours} h` : ""}`;
  if (hours > 0) return `${hours} h${rest > 0 ? ` ${rest} min` : ""}`;
  return `${rest} min`;
}
/** The time until something is due, or since then: "in 25 min", "late by 3 h 5 min". */
export function dueIn(due: string, now: Date): string {
  const minutes = (Date.parse(due) - now.getTime()) / 60_000;
  return minutes >= 0 ? `in ${showMinutes(minutes)}` : `late by ${showMinutes(-minutes)}`;
}

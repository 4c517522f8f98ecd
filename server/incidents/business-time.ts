import { aheadMs } from "../accounts/time-zones.ts";
import type { BusinessHours, CalendarName } from "../../contract/incident-agreement.ts";

/** A half-open span [from, to) in milliseconds since 1970; `to` may be Infinity. */
export type Span = readonly [from: number, to: number];

const dayMs = 86_400_000;
/** How many days ahead business hours are searched; beyond them there is no end. */
const daysMax = 4000;

/**
 * The instant at which `ms` of the calendar's time have passed since `from`, skipping `leftOut`; null if they never do.
 */
export function instantAfter(
  from: number,
  ms: number,
  calendar: CalendarName,
  hours: BusinessHours,
  leftOut: readonly Span[],
): number | null {
  if (ms === 0) return from;
  let left = ms;
  for (const [start, end] of countedSpans(from, calendar, hours, leftOut)) {
    if (left <= end - start) return start + left;
    left -= end - start;
  }
  return null;
}

/** Milliseconds of the calendar's time between two instants, without `leftOut`. */
export function countedBetween(
  from: number,
  to: number,
  calendar: CalendarName,
  hours: BusinessHours,
  leftOut: readonly Span[],
): number {
  let sum = 0;
  for (const [start, end] of countedSpans(from, calendar, hours, leftOut)) {
    if (start >= to) break;
    sum += Math.min(end, to) - start;
  }
  return sum;
}

/** The spans that count from an instant on, in order. */
function* countedSpans(
  from: number,
  calendar: CalendarName,
  hours: BusinessHours,
  leftOut: readonly Span[],
): Generator<Span> {
  const out = leftOut.toSorted(([one], [other]) => one - other);
  for (const span of calendar === "always" ? [[from, Infinity] as const] : businessSpans(from, hours))
    yield* without([Math.max(span[0], from), span[1]], out);
}

function* without([from, to]: Span, out: readonly Span[]): Generator<Span> {
  let start = from;
  for (const [leave, enter] of out) {
    if (leave >= to) break;
    if (enter <= start) continue;
    if (leave > start) yield [start, leave];
    start = enter;
  }
  if (start < to) yield [start, to];
}

/** The business hours that end after an instant, in order. */
function* businessSpans(
  from: number,
  { timeZone, days, from: opens, to: closes, holidays }: BusinessHours,
): Generator<Span> {
  const off = new Set(holidays.map(({ day }) => day));
  let day = localDay(timeZone, from);
  for (let count = 0; count < daysMax; count++) {
    const weekday = new Date(day).getUTCDay() || 7;
    if (days.includes(weekday) && !off.has(new Date(day).toISOString().slice(0, 10))) {
      const span: Span = [instantOf(timeZone, day, opens), instantOf(timeZone, day, closes)];
      if (span[1] > from && span[1] > span[0]) yield span;
    }
    day += dayMs;
  }
}

/** The local day that contains an instant, as midnight UTC of that date. */
function localDay(timeZone: string, instant: number): number {
  const local = instant + aheadMs(timeZone, instant);
  return Math.floor(local / dayMs) * dayMs;
}

/** The instant of a time of day, such as 09:30, on a local day. */
function instantOf(timeZone: string, day: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const local = day + (60 * hours + minutes) * 60_000;
  const guess = local - aheadMs(timeZone, local);
  // If the clocks change in between, the offset at the guess is the right one.
  return local - aheadMs(timeZone, guess);
}

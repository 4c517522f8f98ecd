import { aheadMs } from "../accounts/time-zones.ts";
import type { BusinessHours, CalendarName } from "../../contract/incident-agreement.ts";

/** From an instant to before another, in milliseconds since 1970; the end may be Infinity. */
export type Span = readonly [from: number, to: number];

const dayMs = 86_400_000;
/** Where no end is found within so many days, there is none. */
const daysMax = 4000;

/** When so much of a calendar's time has gone by since `from`, without what is left out; null when it never has. */
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

/** How much of a calendar's time lies between two instants, without what is left out. */
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

/** What is counted from an instant on, in order. */
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

/** The hours of business that end after an instant. */
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

/** The day of an instant in a time zone, as the start of that day in UTC. */
function localDay(timeZone: string, instant: number): number {
  const local = instant + aheadMs(timeZone, instant);
  return Math.floor(local / dayMs) * dayMs;
}

/** The instant of a time of day, as 09:30, of a local day. */
function instantOf(timeZone: string, day: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const local = day + (60 * hours + minutes) * 60_000;
  const guess = local - aheadMs(timeZone, local);
  // Where the clocks are changed in between, the offset of the guess is the right one.
  return local - aheadMs(timeZone, guess);
}

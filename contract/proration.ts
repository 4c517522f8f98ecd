import { dayBefore, startOfWrittenDay, writtenDay, yearLater } from "./india-time.ts";

const dayMs = 86_400_000;

/** How many days there are from one to another, both included; 0 where the second is the day before the first. Days as 2026-11-22. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((startOfWrittenDay(last).getTime() - startOfWrittenDay(first).getTime()) / dayMs) + 1;

/** The day so many days later; as 2026-11-22. */
export const daysAfter = (day: string, days: number): string =>
  writtenDay(new Date(startOfWrittenDay(day).getTime() + days * dayMs));

/** First and last day of something, and how many days that is. */
export interface Span {
  from: string;
  to: string;
  days: number;
}

/** The contract year that begins on a day: it ends on the day before its anniversary, and has 365 or 366 days. */
export function contractYear(from: string): Span {
  const to = dayBefore(yearLater(from));
  return { from, to, days: daysFrom(from, to) };
}

/** Whether what is bought runs for a year: what is added to a contract ends with it. Null begins a contract. */
export const isOfYear = (term: { kind: "add" | "true up" | "renew" } | null | undefined): boolean =>
  !term || term.kind === "renew";

/** What so many devices cost a year: one's price, less a discount on the whole. */
export interface YearlyPrice {
  quantity: number;
  ratePaise: number;
  discountBasisPoints: number;
}

/**
 * What devices cost for some days of a contract year: the price of the year ÷ its days × these days, rounded half up to the
 * paisa once. BigInt, because the product passes 2^53.
 */
export function priceOfDays(
  { quantity, ratePaise, discountBasisPoints }: YearlyPrice,
  days: number,
  daysOfYear: number,
): number {
  const part = BigInt(quantity) * BigInt(ratePaise) * BigInt(10_000 - discountBasisPoints) * BigInt(days);
  const whole = 10_000n * BigInt(daysOfYear);
  return Number((2n * part + whole) / (2n * whole));
}

/**
 * What each line has of a sum that a discount was taken from as a whole: in proportion, so that together they come to it
 * to the paisa.
 */
export function sharesOf(amounts: readonly number[], netPaise: number): number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  let [passed, given] = [0, 0];
  return amounts.map((amount) => {
    passed += amount;
    const upTo = whole === 0 ? 0 : halfUp(BigInt(netPaise) * BigInt(passed), BigInt(whole));
    const share = upTo - given;
    given = upTo;
    return share;
  });
}

const halfUp = (over: bigint, under: bigint) => Number((2n * over + under) / (2n * under));

import { dayBefore, startOfWrittenDay, writtenDay, yearLater } from "./india-time.ts";

const dayMs = 86_400_000;

/**
 * The number of days from `first` to `last`, both included; 0 where `last` is the day before `first`. Days as
 * 2026-11-22.
 */
export const daysFrom = (first: string, last: string): number =>
  Math.round((startOfWrittenDay(last).getTime() - startOfWrittenDay(first).getTime()) / dayMs) + 1;

/** The day `days` days later, as 2026-11-22. */
export const daysAfter = (day: string, days: number): string =>
  writtenDay(new Date(startOfWrittenDay(day).getTime() + days * dayMs));

/** The first and last day of a period, and its number of days. */
export interface Span {
  from: string;
  to: string;
  days: number;
}

/** The contract year that begins on `from`: it ends on the day before its anniversary, and has 365 or 366 days. */
export function contractYear(from: string): Span {
  const to = dayBefore(yearLater(from));
  return { from, to, days: daysFrom(from, to) };
}

/** Whether the purchase runs for a full year; additions end with their contract. Null begins a new contract. */
export const isOfYear = (term: { kind: "add" | "true up" | "renew" } | null | undefined): boolean =>
  !term || term.kind === "renew";

/** A yearly price: quantity × rate, less a discount on the whole. */
export interface YearlyPrice {
  quantity: number;
  ratePaise: number;
  discountBasisPoints: number;
}

/**
 * The price of some days of a contract year: yearly price ÷ days of the year × days, rounded half up to the paisa once.
 * BigInt, because the product passes 2^53.
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

/** Splits a discounted sum into the shares of its lines, in proportion, so that they add up to it to the paisa. */
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

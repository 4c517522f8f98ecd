import { indiaCalendar } from "../../contract/india-time.ts";

/**
 * The instant that somebody typed into a field for date and time. It goes by India's clock, as all shown times do. What is
 * no time stays empty, which the contract's check names.
 */
export function asInstant(typed: string): string {
  const instant = new Date(`${typed.slice(0, 16)}:00+05:30`);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}

/** What such a field holds for an instant. */
export const asTyped = (instant: string): string => indiaCalendar(new Date(instant)).toISOString().slice(0, 16);

import { indiaCalendar } from "../../contract/india-time.ts";

/**
 * The instant of a datetime field's value, which is in India's time zone like all shown times. Invalid input gives an
 * empty string, which the contract's check refuses.
 */
export function asInstant(typed: string): string {
  const instant = new Date(`${typed.slice(0, 16)}:00+05:30`);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}

/** A datetime field's value for an instant. */
export const asTyped = (instant: string): string => indiaCalendar(new Date(instant)).toISOString().slice(0, 16);

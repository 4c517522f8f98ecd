import { indiaCalendar, startOfDayInIndia } from "../../contract/india-time.ts";

/** A calendar month in India. */
export interface Month {
  /** "2026-01" */
  name: string;
  /** Its first instant. */
  start: Date;
}

/** The twelve months that end with the instant's month, oldest first. */
export function lastMonths(instant: Date): Month[] {
  const india = indiaCalendar(instant);
  return Array.from({ length: 12 }, (_, index) => {
    const start = startOfDayInIndia(india.getUTCFullYear(), india.getUTCMonth() - 11 + index);
    return { name: indiaCalendar(start).toISOString().slice(0, 7), start };
  });
}

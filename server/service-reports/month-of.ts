import { dayIn, startOfDayIn } from "../accounts/time-zones.ts";

/** A month of a customer's calendar. */
export interface Month {
  /** Its first day, such as 2026-10-01, and the first day of the next month. */
  day: string;
  next: string;
  timeZone: string;
  /** Its first instant, and the first instant of the next month. */
  from: Date;
  until: Date;
}

/** The last month that had ended at this instant in the time zone. */
export function monthBefore(instant: Date, timeZone: string): Month {
  const [year = 0, month = 0] = dayIn(timeZone, instant).split("-").map(Number);
  return monthOf(year, month - 1, timeZone);
}

/** Months count from 1 and may overflow, as in Date.UTC. */
export function monthOf(year: number, month: number, timeZone: string): Month {
  const [day, next] = [firstDay(year, month), firstDay(year, month + 1)];
  return { day, next, timeZone, from: startOfDayIn(timeZone, day), until: startOfDayIn(timeZone, next) };
}

const firstDay = (year: number, month: number) => new Date(Date.UTC(year, month - 1)).toISOString().slice(0, 10);

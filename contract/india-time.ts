/** For Intl; India has one time zone and no summer time. */
export const indiaZone = "Asia/Kolkata";

/** How far India's clocks are ahead of UTC, in milliseconds. */
export const indiaAheadMs = 5.5 * 3_600_000;

/** The instant's calendar date and time in India, to be read with the getUTC… methods. */
export const indiaCalendar = (instant: Date) => new Date(instant.getTime() + indiaAheadMs);

/** The first instant of a day in India; months count from 0, and days and months may overflow, as in Date.UTC. */
export const startOfDayInIndia = (year: number, month: number, day = 1) =>
  new Date(Date.UTC(year, month, day) - indiaAheadMs);

/** The last instant of the instant's day in India, or of the day `daysLater` days after it. */
export function endOfDayInIndia(instant: Date, daysLater = 0): Date {
  const india = indiaCalendar(instant);
  const nextDay = india.getUTCDate() + daysLater + 1;
  return new Date(startOfDayInIndia(india.getUTCFullYear(), india.getUTCMonth(), nextDay).getTime() - 1);
}

/** The first instant of a day in India that is written as 2026-11-22. */
export function startOfWrittenDay(day: string): Date {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return startOfDayInIndia(year, month - 1, date);
}

/** The instant's day in India: 2026-11-22. */
export const writtenDay = (instant: Date) => indiaCalendar(instant).toISOString().slice(0, 10);

/** The day before one that is written as 2026-11-22. */
export const dayBefore = (day: string) => writtenDay(new Date(startOfWrittenDay(day).getTime() - 1));

/** The day after one that is written as 2026-11-22. */
export const dayAfter = (day: string) => writtenDay(new Date(startOfWrittenDay(day).getTime() + 86_400_000));

/** The same day a year later; 29 February becomes the 28th. */
export function yearLater(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year + 1, month, 0)).getUTCDate();
  return writtenDay(startOfDayInIndia(year + 1, month - 1, Math.min(date, last)));
}

const monthAndYear = new Intl.DateTimeFormat("en-IN", { timeZone: "UTC", month: "long", year: "numeric" });

/** The month of a day that is written as 2026-10-01: October 2026. */
export const monthInWords = (day: string) => monthAndYear.format(new Date(`${day}T00:00:00Z`));

/** April to March in India: 2026-03-31T18:30Z begins 26-27. */
export function financialYearOf(instant: Date): string {
  const india = indiaCalendar(instant);
  const first = india.getUTCMonth() >= 3 ? india.getUTCFullYear() : india.getUTCFullYear() - 1;
  return `${first % 100}-${(first + 1) % 100}`.replace(/\b\d\b/g, "0$&");
}

import type { ClockName, KnownSeverity, WaitsFor } from "./incident-states.ts";

/** Counts at any hour, or in business hours only. */
export type CalendarName = "always" | "business";

export interface Limit {
  /** In minutes as this calendar counts them. */
  minutes: number;
  calendar: CalendarName;
}

export interface BusinessHours {
  /** An IANA time zone: Asia/Kolkata. */
  timeZone: string;
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  days: number[];
  /** 09:00 to 18:00. */
  from: string;
  to: string;
  /** Days on which nothing is counted, as 2026-11-22. */
  holidays: { day: string; name: string }[];
}

/** The promised limits by severity and clock; null where nothing is promised. */
export interface Agreement {
  limits: Record<KnownSeverity, Record<ClockName, Limit | null>>;
  hours: BusinessHours;
  /** Which clocks pause while an incident waits, if a reason is given. */
  pauses: Record<WaitsFor, ClockName[]>;
}

const always = (minutes: number): Limit => ({ minutes, calendar: "always" });
const businessDay = 9 * 60;
const businessDays = (days: number): Limit => ({ minutes: days * businessDay, calendar: "business" });

/** SAMPLE: marked as one wherever it is shown, until the operator publishes what its own contracts say. */
export const shippedAgreement: Agreement = {
  limits: {
    P1: { acknowledge: always(15), contain: always(60), resolve: always(4 * 60) },
    P2: { acknowledge: always(30), contain: always(4 * 60), resolve: always(8 * 60) },
    P3: { acknowledge: always(4 * 60), contain: businessDays(1), resolve: businessDays(3) },
    P4: { acknowledge: businessDays(1), contain: businessDays(3), resolve: businessDays(10) },
  },
  hours: {
    timeZone: "Asia/Kolkata",
    days: [1, 2, 3, 4, 5],
    from: "09:00",
    to: "18:00",
    holidays: [
      { day: "2026-01-26", name: "Republic Day" },
      { day: "2026-08-15", name: "Independence Day" },
      { day: "2026-10-02", name: "Gandhi Jayanti" },
      { day: "2027-01-26", name: "Republic Day" },
      { day: "2027-08-15", name: "Independence Day" },
      { day: "2027-10-02", name: "Gandhi Jayanti" },
    ],
  },
  pauses: { customer: ["contain", "resolve"], third_party: ["resolve"] },
};

/** Minutes of one business day. */
function minutesOfDay({ from, to }: Pick<BusinessHours, "from" | "to">): number {
  const [first, last] = [from, to].map((time) => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    return 60 * hours + minutes;
  }) as [number, number];
  return last - first;
}

/** A limit in words: 15 min, 4 h, 3 business days. */
export function showLimit({ minutes, calendar }: Limit, hours: Pick<BusinessHours, "from" | "to">): string {
  const day = minutesOfDay(hours);
  if (calendar === "business" && minutes % day === 0)
    return minutes === day ? "1 business day" : `${minutes / day} business days`;
  const written = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return calendar === "business" ? `${written} of business` : written;
}

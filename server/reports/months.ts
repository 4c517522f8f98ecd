const indiaAheadMs = 5.5 * 3_600_000;

/** A calendar month in India. */
export interface Month {
  /** "2026-01" */
  name: string;
  /** Its first instant. */
  start: Date;
}

/** The twelve months that end with the instant's, oldest first. India has no summer time. */
export function lastMonths(instant: Date): Month[] {
  const india = new Date(instant.getTime() + indiaAheadMs);
  return Array.from({ length: 12 }, (_, index) => {
    const first = Date.UTC(india.getUTCFullYear(), india.getUTCMonth() - 11 + index);
    return { name: new Date(first).toISOString().slice(0, 7), start: new Date(first - indiaAheadMs) };
  });
}

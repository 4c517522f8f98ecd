const milliseconds = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 };

/** A span of time, such as `{ days: 30 }` or `{ hours: 1, minutes: 30 }`. */
export type Duration = Partial<Record<keyof typeof milliseconds, number>>;

/** The length of a span in milliseconds. */
export function inMilliseconds(duration: Duration): number {
  return Object.entries(duration).reduce(
    (sum, [unit, count]) => sum + count * milliseconds[unit as keyof typeof milliseconds],
    0,
  );
}

/** The instant this much after another. */
export const later = (instant: Date, duration: Duration) => new Date(instant.getTime() + inMilliseconds(duration));

/** The instant this much before another. */
export const earlier = (instant: Date, duration: Duration) => new Date(instant.getTime() - inMilliseconds(duration));

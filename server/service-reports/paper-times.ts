/** To make one takes longer than to write a hundred times by it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant in a customer's time zone: 21 Nov 2026, 14:05 (Asia/Kolkata is said once, by whoever prints it). */
export function paperTimeIn(instant: string, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    });
  formats.set(timeZone, format);
  return format.format(new Date(instant));
}

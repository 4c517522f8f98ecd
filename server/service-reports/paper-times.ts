import { formatByZone } from "../accounts/time-zones.ts";

const formatOf = formatByZone("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** An instant in a customer's time zone: 21 Nov 2026, 14:05. The document itself names the zone once. */
export const paperTimeIn = (instant: string, timeZone: string): string => formatOf(timeZone).format(new Date(instant));

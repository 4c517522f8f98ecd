import { later } from "../../contract/durations.ts";
import { invalidField } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** Clocks differ between machines: a time this little ahead counts as now. */
export const clocksDiffer = { minutes: 2 };
const minuteMs = 60_000;

/** The earliest time that something can have, and the sentence that refuses an earlier one. */
export interface Earliest {
  at: Date;
  sentence: string;
}

/** The start of the minute that contains an instant. */
export const startOfMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/**
 * The time of something, as typed by a person; now if left out. Times are typed to the minute, so one in the same
 * minute as `earliest` becomes `earliest`.
 * @throws Failure invalid for a time in the future or before `earliest`
 */
export function toldTime(
  { now }: Pick<Services, "now">,
  field: string,
  written: string | undefined,
  earliest: Earliest,
): Date {
  const at = written ? new Date(written) : now();
  if (at > later(now(), clocksDiffer)) throw invalidField(field, "Please give a time that is not in the future.");
  if (at < startOfMinute(earliest.at)) throw invalidField(field, earliest.sentence);
  return new Date(Math.max(Math.min(at.getTime(), now().getTime()), earliest.at.getTime()));
}

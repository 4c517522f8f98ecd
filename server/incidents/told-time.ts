import { later } from "../../contract/durations.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** Clocks of people differ: so little ahead is now. */
export const clocksDiffer = { minutes: 2 };
const minuteMs = 60_000;

/** An instant before which something can't have happened, and what says so. */
export interface Earliest {
  at: Date;
  sentence: string;
}

/** The first instant of the minute in which this one lies. */
export const startOfMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/**
 * When something happened, as somebody tells it; left out it is now. Times are typed to the minute: in the minute of the earliest
 * it is the earliest. @throws Failure invalid for what has not come, and for what is before the earliest that can be
 */
export function toldTime(
  { now }: Pick<Services, "now">,
  field: string,
  written: string | undefined,
  earliest: Earliest,
): Date {
  const at = written ? new Date(written) : now();
  if (at > later(now(), clocksDiffer)) throw invalid(field, "Please give a time that is not in the future.");
  if (at < startOfMinute(earliest.at)) throw invalid(field, earliest.sentence);
  return new Date(Math.max(Math.min(at.getTime(), now().getTime()), earliest.at.getTime()));
}

/** One sentence, for the call and for the field that it is about. */
export const invalid = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });

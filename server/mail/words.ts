import { indiaZone, startOfWrittenDay } from "../../contract/india-time.ts";
import { withoutFaults } from "../../contract/plain-text.ts";

/** The greeting for a receiver who may not have asked for the mail. */
export const hello = "Hello,";
/** The greeting for a receiver who has proved to own the address. */
export const helloTo = (name: string) => `Hello ${shown(name)},`;

/** Makes entered text plain text: an invisible joiner keeps mail programs from turning domains into links. */
export function shown(typed: string): string {
  return withoutFaults(typed).replace(/[.:@](?=\S)/g, "$&\u2060");
}

const paper = { timeZone: indiaZone, day: "numeric", month: "long", year: "numeric" } as const;
/** A day in India's time: 22 November 2026. */
export const dayOnPaper = (instant: string) => new Intl.DateTimeFormat("en-IN", paper).format(new Date(instant));
/** The same for a day written as 2026-11-22. */
export const writtenOnPaper = (day: string) => dayOnPaper(startOfWrittenDay(day).toISOString());
/** Says of a renewal, where that was chosen, on which day it is accepted by itself. */
export const acceptedByChoice = (day: string) =>
  `Somebody of your organization chose that the contract renews by itself: the proposal is accepted on ${writtenOnPaper(day)}, unless that is taken back before.`;
/** An instant with the time of day in India. */
export const onPaper = (instant: string) =>
  `${new Intl.DateTimeFormat("en-IN", { ...paper, hour: "2-digit", minute: "2-digit", hour12: false }).format(new Date(instant))} (India time)`;

import { indiaZone, startOfWrittenDay } from "../../contract/india-time.ts";
import { withoutFaults } from "../../contract/plain-text.ts";

/** For somebody who may not have asked for the mail. */
export const hello = "Hello,";
/** For somebody who has shown to own the address. */
export const helloTo = (name: string) => `Hello ${shown(name)},`;

/** What somebody typed, as text only: mail programs make links of domains, which an invisible joiner keeps them from. */
export function shown(typed: string): string {
  return withoutFaults(typed).replace(/[.:@](?=\S)/g, "$&\u2060");
}

const paper = { timeZone: indiaZone, day: "numeric", month: "long", year: "numeric" } as const;
/** A day in India, as people write it. */
export const dayOnPaper = (instant: string) => new Intl.DateTimeFormat("en-IN", paper).format(new Date(instant));
/** The same of a day that is written as 2026-11-22. */
export const writtenOnPaper = (day: string) => dayOnPaper(startOfWrittenDay(day).toISOString());
/** An instant with the time of day. */
export const onPaper = (instant: string) =>
  `${new Intl.DateTimeFormat("en-IN", { ...paper, hour: "2-digit", minute: "2-digit", hour12: false }).format(new Date(instant))} (India time)`;

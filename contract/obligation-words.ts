/** Words of obligations that a page knows without loading the schemas. */

/** How sure the shipped words are. P: a public compilation whose author read the official text. S: a secondary page. L: sources disagree. U: an administrator's own. */
export const confidences = {
  P: "From a public compilation whose author says that the official text was read, and quotes it",
  S: "From a secondary page",
  L: "Sources disagree, or are marketing: not shown to customers until switched on",
  U: "Entered by an administrator",
} as const;
export type Confidence = keyof typeof confidences;

/** In which order clocks stand: what is due without delay, then what ends first; last what has no end that is known. */
export const byEnd = (one: EndingClock, other: EndingClock): number => endOf(one).localeCompare(endOf(other));

/** A promise of ours has no such state. */
interface EndingClock {
  state?: string;
  dueAt: string | null;
}

const endOf = ({ state, dueAt }: EndingClock) => (state === "at once" ? "" : (dueAt ?? "9"));

/** Words of obligations, apart from the schemas so that a page can use them without loading those. */

/**
 * How reliable the wording is. P: a public compilation whose author read the official text. S: a secondary page. L:
 * sources disagree. U: entered by an administrator.
 */
export const confidences = {
  P: "From a public compilation whose author says that the official text was read, and quotes it",
  S: "From a secondary page",
  L: "Sources disagree, or are marketing: not shown to customers until switched on",
  U: "Entered by an administrator",
} as const;
export type Confidence = keyof typeof confidences;

/** Sorts clocks: those due without delay first, then by their end; those with no known end last. */
export const byEnd = (one: EndingClock, other: EndingClock): number => endOf(one).localeCompare(endOf(other));

/** Absent for a promise of ours. */
interface EndingClock {
  state?: string;
  dueAt: string | null;
}

const endOf = ({ state, dueAt }: EndingClock) => (state === "at once" ? "" : (dueAt ?? "9"));

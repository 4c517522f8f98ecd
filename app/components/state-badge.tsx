import type { ReactNode } from "react";
import classes from "./state-badge.module.css";

export type Tone = "neutral" | "info" | "good" | "warning" | "bad";

/** A state in words, coloured by what it means. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}

import type { ReactNode } from "react";
import classes from "./state-badge.module.css";

export type Tone = "neutral" | "info" | "good" | "warning" | "bad";

/** A state as text, coloured by its meaning; `long` if it may need several lines, as with a name in it. */
export function StateBadge({ tone, long = false, children }: { tone: Tone; long?: boolean; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone} data-long={long || undefined}>
      {children}
    </span>
  );
}

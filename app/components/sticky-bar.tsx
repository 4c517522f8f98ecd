import type { ReactNode } from "react";
import classes from "./sticky-bar.module.css";

/** A bar for the state of the edits and their actions; always in sight, wherever the page is scrolled to. */
export const StickyBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={`${classes.bar} screen-only`} role="region" aria-label={label}>
    {children}
  </div>
);

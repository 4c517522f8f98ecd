import type { CSSProperties } from "react";
import classes from "./initials.module.css";

/** The first letters of a name in a circle of `size` pixels; the name itself stands beside it. */
export const Initials = ({ name, size }: { name: string; size: number }) => (
  <span className={classes.circle} style={{ "--size": `${size}px` } as CSSProperties} aria-hidden>
    {name.split(" ").slice(0, 2).map(firstLetter).join("").toUpperCase()}
  </span>
);

/** With its vowel sign, as scripts of India write it. */
const firstLetter = (word: string) => [...new Intl.Segmenter("en-IN").segment(word)][0]?.segment;

import type { CSSProperties } from "react";
import classes from "./initials.module.css";

/** A name's initials in a circle of `size` pixels, as decoration beside the name itself. */
export const Initials = ({ name, size }: { name: string; size: number }) => (
  <span className={classes.circle} style={{ "--size": `${size}px` } as CSSProperties} aria-hidden>
    {name.split(" ").slice(0, 2).map(firstLetter).join("").toUpperCase()}
  </span>
);

/** The first grapheme: in Indian scripts a letter includes its vowel sign. */
const firstLetter = (word: string) => [...new Intl.Segmenter("en-IN").segment(word)][0]?.segment;

import { brand } from "../../../contract/brand.ts";
import site from "../site.module.css";
import classes from "./principle.module.css";

export function Principle() {
  return (
    <section className={`${site.container} ${classes.section}`} aria-label="Our first principle">
      <figure className={classes.figure}>
        <ThirdHour />
        <blockquote className={classes.quote}>
          <p>A log that nobody reads is a cost. The same log, read at three in the morning, is a defence.</p>
        </blockquote>
        <figcaption className={site.muted}>First principle of the {brand.name} watch</figcaption>
      </figure>
    </section>
  );
}

/** The day's eight watches in a row; three in the morning is where the first one ends. */
function ThirdHour() {
  return (
    <svg viewBox="0 0 320 24" aria-hidden="true" focusable="false" className={classes.watches}>
      <path d="M2 12h34M46 12h30M86 12h30M126 12h30M166 12h30M206 12h30M246 12h30M286 12h32" />
      <circle cx="41" cy="12" r="6" />
    </svg>
  );
}

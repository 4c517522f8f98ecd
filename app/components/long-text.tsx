import classes from "./long-text.module.css";

const shownLength = 70;

/** A text that may be long: its beginning, and the rest on demand. */
export function LongText({ text }: { text: string }) {
  if (text.length <= shownLength)
    return (
      <span dir="auto" className={classes.text}>
        {text}
      </span>
    );
  return (
    <details className={classes.long}>
      <summary>
        <bdi>{text.slice(0, shownLength - 10).trimEnd()} …</bdi>
      </summary>
      <span dir="auto" className={classes.text}>
        {text}
      </span>
    </details>
  );
}

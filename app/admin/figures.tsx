import classes from "./figures.module.css";

export interface Figure {
  label: string;
  value: string;
  note?: string;
}

/** A row of single figures, each under its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.grid}>
      {figures.map(({ label, value, note }) => (
        <div key={label} className={classes.card}>
          <dt>{label}</dt>
          <dd>
            <span className={`${classes.value} tabular`}>{value}</span>
            {note && <span className={classes.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

import { showRupees, showTime } from "./display.ts";
import classes from "./unbroken.module.css";

/** An amount of rupees from the API, kept on one line. */
export const Amount = ({ rupees }: { rupees: string }) => (
  <span className={`tabular ${classes.unbroken}`}>{showRupees(rupees)}</span>
);

/** A day and a time in India's time zone, each kept on one line. */
export function DayAndTime({ instant }: { instant: string }) {
  const [day, time] = showTime(instant).split(", ");
  return (
    <>
      <span className={classes.unbroken}>{day},</span> <span className={classes.unbroken}>{time}</span>
    </>
  );
}

/** A text whose document numbers, such as "Q-000030" or "SOC/26-27/000011", are each kept on one line. */
export const WholeNumbers = ({ text }: { text: string }) =>
  text.split(/(\b[A-Z]+[-/]\d[\d/-]*)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className={classes.unbroken}>
        {part}
      </span>
    ),
  );

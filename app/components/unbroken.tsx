import { showRupees, showTime } from "./display.ts";
import classes from "./unbroken.module.css";

/** Rupees as the wire has them, in one piece. */
export const Amount = ({ rupees }: { rupees: string }) => (
  <span className={`tabular ${classes.unbroken}`}>{showRupees(rupees)}</span>
);

/** A day and a time in India, each in one piece. */
export function DayAndTime({ instant }: { instant: string }) {
  const [day, time] = showTime(instant).split(", ");
  return (
    <>
      <span className={classes.unbroken}>{day},</span> <span className={classes.unbroken}>{time}</span>
    </>
  );
}

/** A phone number in one piece. */
export const PhoneNumber = ({ number }: { number: string }) => <span className={classes.unbroken}>{number}</span>;

/** Numbers that people call something by within a sentence, as "Q-000030" or "SOC/26-27/000011", each in one piece. */
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

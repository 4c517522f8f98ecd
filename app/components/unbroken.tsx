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

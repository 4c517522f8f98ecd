import classes from "./need.module.css";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const step = 22;
const left = 52;

/** The week as 168 squares, with the 45 office hours set apart. */
export function WeekGrid() {
  return (
    <svg
      viewBox="0 -6 578 182"
      role="img"
      aria-label="A week as 168 hours: 45 of them in office hours, 123 outside"
      className={classes.grid}
    >
      {[0, 6, 12, 18].map((hour) => (
        <text key={hour} x={left + hour * step} y="12" className={classes.label}>
          {String(hour).padStart(2, "0")}:00
        </text>
      ))}
      {days.map((day, row) => (
        <text key={day} x="0" y={37 + row * step + 1} className={classes.label}>
          {day}
        </text>
      ))}
      <path d={squares((day, hour) => !isOffice(day, hour))} className={classes.unwatched} />
      <path d={squares(isOffice)} className={classes.watched} />
    </svg>
  );
}

const isOffice = (day: number, hour: number) => day < 5 && hour >= 9 && hour < 18;

function squares(includes: (day: number, hour: number) => boolean): string {
  return days
    .flatMap((_, day) => Array.from({ length: 24 }, (_, hour) => ({ day, hour })))
    .filter(({ day, hour }) => includes(day, hour))
    .map(({ day, hour }) => `M${left + hour * step} ${24 + day * step}h18v18h-18z`)
    .join("");
}

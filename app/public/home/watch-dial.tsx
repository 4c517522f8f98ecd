import { sampleNight } from "../../content/sample-incident.ts";
import classes from "./watch-dial.module.css";

const centre = 220;
const watches = [0, 3, 6, 9, 12, 15, 18, 21];

/** A day as a sentinel divides it: eight watches of three hours, the logs of each quarter-hour, and the alerts. */
export function WatchDial() {
  const { alertHours, incidentHour } = sampleNight;
  const [x, y] = at(incidentHour, 173);
  return (
    <svg
      viewBox="0 0 440 440"
      role="img"
      aria-label="Sample data: a day as a clock of eight three-hour watches, with the flow of logs and 17 alerts; one of them, at 02:17, is an incident"
      className={classes.dial}
    >
      <path d={sector(0, 3, 100, 186)} className={classes.now} />
      <path d={logBars()} className={classes.logs} />
      {watches.map((hour) => (
        <path key={hour} d={arc(hour + 0.1, hour + 2.9, 193)} className={isNight(hour) ? classes.night : classes.day} />
      ))}
      {watches.map((hour) => {
        const [labelX, labelY] = at(hour, 209);
        return (
          <text key={hour} x={labelX} y={labelY + 5} textAnchor="middle" className={classes.hour}>
            {String(hour).padStart(2, "0")}
          </text>
        );
      })}
      {alertHours.map((hour) => {
        const [alertX, alertY] = at(hour, 173);
        return <circle key={hour} cx={alertX} cy={alertY} r="3.8" className={classes.alert} />;
      })}
      <g className={classes.hand}>
        <path d={`M${at(incidentHour, 62).join(" ")}L${at(incidentHour, 160).join(" ")}`} />
      </g>
      <circle cx={x} cy={y} r="13" className={classes.halo} />
      <circle cx={x} cy={y} r="6" className={classes.incident} />
      <circle cx={centre} cy={centre} r="62" className={classes.hub} />
      <path
        d="M183 220c9.5-14.5 21.8-21.8 37-21.8s27.5 7.3 37 21.8c-9.5 14.5-21.8 21.8-37 21.8s-27.5-7.3-37-21.8Z"
        className={classes.eye}
      />
      <circle cx={centre} cy={centre} r="9.5" className={classes.pupil} />
    </svg>
  );
}

const isNight = (hour: number) => hour < 6 || hour >= 18;

/** A point on the dial; midnight is at the top. */
function at(hour: number, radius: number): [number, number] {
  const angle = (hour / 24) * 2 * Math.PI - Math.PI / 2;
  return [round(centre + radius * Math.cos(angle)), round(centre + radius * Math.sin(angle))];
}

const round = (value: number) => Math.round(value * 10) / 10;

const arc = (from: number, to: number, radius: number) =>
  `M${at(from, radius).join(" ")}A${radius} ${radius} 0 0 1 ${at(to, radius).join(" ")}`;

const sector = (from: number, to: number, inner: number, outer: number) =>
  `${arc(from, to, outer)}L${at(to, inner).join(" ")}A${inner} ${inner} 0 0 0 ${at(from, inner).join(" ")}Z`;

/** More in working hours, never none at night; the unevenness is a sum of waves, so that each build draws the same. */
function logBars(): string {
  return Array.from({ length: 96 }, (_, quarter) => {
    const hour = quarter / 4;
    const work = Math.exp(-(((hour - 11) / 2.6) ** 2)) + 0.9 * Math.exp(-(((hour - 16) / 2.4) ** 2));
    const length = 9 + 32 * work + 5 * Math.sin(quarter * 2.4) * Math.cos(quarter * 0.9);
    return `M${at(hour, 104).join(" ")}L${at(hour, 104 + Math.max(4, length)).join(" ")}`;
  }).join("");
}

import { Link } from "react-router";
import site from "../site.module.css";
import classes from "./rhythm.module.css";

const rhythm = [
  [
    "At any hour",
    "The SIEM and SOAR dashboards in your customer area; an analyst on the telephone; a call when it cannot wait.",
  ],
  ["Each day", "The state of every source, with those that went silent; open cases and who has them."],
  [
    "Each week",
    "Cases closed and why; rules added and tuned; what other networks are being attacked with, where it concerns yours.",
  ],
  ["Each month", "The report on the SLA, missed times included; compliance reports; an hour with the SOC manager."],
  ["Each year", "An exercise with your people on an incident that has not happened; the list of devices counted anew."],
] as const;

const duties = [
  ["Naming systems, owners and night contacts", "Ask, keep the list", "Decide"],
  ["Sending logs from your devices", "Collector, parsers, checks", "Access, settings"],
  ["Watching and triage, 24x7", "Do", "Are told"],
  ["Containment agreed in advance", "Do", "Are told"],
  ["Containment that can stop work", "Propose, then do", "Approve"],
  ["Repairing and rebuilding machines", "Advise, check", "Do"],
  ["Reporting to CERT-In and regulators", "Prepare the facts", "File"],
  ["Detection rules and playbooks", "Write, test, tune", "Approve playbooks"],
  ["SLA and monthly report", "Measure, publish", "Question"],
] as const;

export function Rhythm() {
  return (
    <section className={site.tinted} aria-labelledby="rhythm">
      <div className={`${site.container} ${site.section}`}>
        <h2 id="rhythm" className={site.title}>
          What reaches you, and when
        </h2>
        <dl className={classes.rhythm}>
          {rhythm.map(([when, what]) => (
            <div key={when}>
              <dt>
                <Beat when={when} />
                {when}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** The frequency as dots: a pulse for any time, one for a day, a week's days, four weeks of days, a year's months. */
function Beat({ when }: { when: (typeof rhythm)[number][0] }) {
  return (
    <svg viewBox="0 0 96 60" aria-hidden="true" focusable="false" className={classes.beat}>
      {when === "At any hour" && <path d="M4 30h26l7-20 12 40 9-26 5 6h29" className={classes.pulse} />}
      {when === "Each day" && <Dots columns={1} rows={1} radius={14} />}
      {when === "Each week" && <Dots columns={7} rows={1} radius={4.5} />}
      {when === "Each month" && <Dots columns={7} rows={4} radius={4} />}
      {when === "Each year" && <Dots columns={4} rows={3} radius={6.5} />}
    </svg>
  );
}

function Dots({ columns, rows, radius }: { columns: number; rows: number; radius: number }) {
  const step = radius * 2 + 4;
  return Array.from({ length: columns * rows }, (_, index) => (
    <circle
      key={index}
      cx={1 + radius + (index % columns) * step}
      cy={30 + (Math.floor(index / columns) - (rows - 1) / 2) * step}
      r={radius}
      className={index === columns * rows - 1 ? classes.now : classes.dot}
    />
  ));
}

export function Duties() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="duties">
      <div className={site.head}>
        <h2 id="duties" className={site.title}>
          Who does what
        </h2>
        <p className={site.lead}>No service takes all of it off your hands. This is where the line runs.</p>
      </div>
      <table className={classes.duties}>
        <caption className="visually-hidden">Duties of ours and of yours</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">We</th>
            <th scope="col">You</th>
          </tr>
        </thead>
        <tbody>
          {duties.map(([task, we, you]) => (
            <tr key={task}>
              <th scope="row">{task}</th>
              <td>{we}</td>
              <td>{you}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.next}>
        <p className={site.subtitle}>Count your devices and see what it comes to.</p>
        <div className={site.actions}>
          <Link to="/estimator" className={site.button}>
            Open the estimator
          </Link>
          <Link to="/contact" className={site.quiet}>
            Ask a consultant
          </Link>
        </div>
      </div>
    </section>
  );
}

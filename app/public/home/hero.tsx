import { Link } from "react-router";
import { sampleNight } from "../../content/sample-incident.ts";
import site from "../site.module.css";
import classes from "./hero.module.css";
import { WatchDial } from "./watch-dial.tsx";

const steps = [
  [
    "02:17",
    "UEBA",
    "Sign-in as the payroll administrator from a country never seen before, nine minutes after one from Pune.",
  ],
  ["02:19", "Analyst, tier 1", "Takes the alert, sees seven refused MFA prompts before it, and hands it on."],
  ["02:24", "SOAR", "Playbook approved by the customer: sessions ended, sign-in blocked."],
  ["02:31", "Analyst, tier 2", "Confirms, calls the customer, and looks for the same address elsewhere."],
] as const;

export function Hero() {
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <div className={classes.text}>
        <p className={classes.eyebrow}>Managed SOC, 24x7, from India</p>
        <h1 id="hero-title" className={classes.title}>
          Your security operations centre, without building one
        </h1>
        <p className={site.lead}>
          We collect the logs of your servers, networks and clouds, watch them day and night, and act on what we find.
          You pay by the devices we watch, not by the noise they make.
        </p>
        <div className={site.actions}>
          <Link to="/estimator" className={site.button}>
            Price your devices
          </Link>
          <Link to="/contact" className={site.quiet}>
            Request a demo
          </Link>
        </div>
        <p className={classes.note}>The price is beside the sliders. No form until you want it as a PDF.</p>
      </div>
      <NightCard />
    </section>
  );
}

/** A night in the SOC, with invented data that is marked as such. */
function NightCard() {
  const { events, alerts, incidents } = sampleNight;
  return (
    <figure className={classes.card}>
      <figcaption className={classes.bar}>
        <span>One day, eight watches</span>
        <span className={classes.sample}>Sample data</span>
      </figcaption>
      <div className={classes.scene}>
        <WatchDial />
        <ol className={classes.steps}>
          {steps.map(([time, who, what]) => (
            <li key={time}>
              <span className={classes.time}>{time}</span>
              <div>
                <strong>{who}</strong>
                <p>{what}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <dl className={classes.funnel}>
        <div>
          <dt>Log events</dt>
          <dd>{events}</dd>
        </div>
        <div>
          <dt>Alerts looked at</dt>
          <dd>{alerts}</dd>
        </div>
        <div>
          <dt>Incidents handled</dt>
          <dd>{incidents}</dd>
        </div>
      </dl>
    </figure>
  );
}

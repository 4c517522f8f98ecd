import { limits } from "../../../contract/limits.ts";
import site from "../site.module.css";
import classes from "./need.module.css";
import { WeekGrid } from "./week-grid.tsx";

const reasons = [
  {
    title: "The hour is chosen by the attacker",
    text: "Nights, weekends and festivals are when nobody looks at the screen. What starts on Friday evening has until Monday morning to find the backups.",
  },
  {
    title: "Six hours is a short time to start from nothing",
    text: "Since 27 June 2022 the CERT-In Directions give an organization in India six hours to report a cyber incident, from noticing it or being told of it, and ask for logs of the last 180 days, kept in India.",
  },
  {
    title: "A log is evidence only if somebody kept it",
    text: `Where logs are paid for by the gigabyte, the noisy ones are switched off first, and those are the ones an investigation asks for. We keep all of them hot for ${limits.logRetentionDays} days.`,
  },
] as const;

export function Need() {
  return (
    <section className={site.tinted} aria-labelledby="need">
      <div className={`${site.container} ${site.section}`}>
        <div className={classes.opening}>
          <h2 id="need" className={classes.title}>
            A working week has 45 hours. An attacker’s has 168.
          </h2>
          <figure className={classes.week}>
            <WeekGrid />
            <figcaption>
              <span className={classes.office}>Nine to six, Monday to Friday</span>
              <span className={classes.rest}>The other 123 hours</span>
            </figcaption>
          </figure>
        </div>
        <div className={classes.reasons}>
          {reasons.map(({ title, text }) => (
            <div key={title}>
              <h3 className={site.subtitle}>{title}</h3>
              <p className={site.muted}>{text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

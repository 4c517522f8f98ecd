import { Link } from "react-router";
import { brand } from "../../../contract/brand.ts";
import site from "../site.module.css";
import classes from "./consultant.module.css";

export function Consultant() {
  return (
    <section className={classes.band} aria-labelledby="consultant">
      <Watches />
      <div className={classes.inner}>
        <h2 id="consultant" className={site.title}>
          Half an hour with a consultant, and your own list of systems
        </h2>
        <p>
          Tell us what you run and what keeps you awake. You leave with a list of the logs to connect first, whether you
          buy from us or not.
        </p>
        <div className={site.actions}>
          <Link to="/contact" className={classes.button}>
            Book a consultant
          </Link>
          <a href={`tel:${brand.phones[0].replaceAll(" ", "")}`} className={classes.phone}>
            {brand.phones[0]}
          </a>
        </div>
      </div>
    </section>
  );
}

/** The dial's eight watches in close-up. */
function Watches() {
  return (
    <svg viewBox="0 0 600 600" aria-hidden="true" focusable="false" className={classes.rings}>
      {[120, 180, 240, 296].map((radius) => (
        <path
          key={radius}
          d={`M${300 + radius} 300a${radius} ${radius} 0 1 1 -${2 * radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0`}
          pathLength="80"
          strokeDasharray="9 1"
          strokeDashoffset={radius / 40}
        />
      ))}
    </svg>
  );
}

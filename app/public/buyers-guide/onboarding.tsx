import { onboarding } from "../../content/buyers-guide.ts";
import classes from "../buyers-guide.module.css";
import site from "../site.module.css";

export function Onboarding() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="onboarding">
      <div className={site.head}>
        <div className={classes.named}>
          <h2 id="onboarding" className={site.title}>
            Onboarding, week by week
          </h2>
          <span className={classes.sample}>Sample plan</span>
        </div>
        <p className={site.lead}>
          For some 300 devices. Yours is agreed at kick-off; what moves it most is how soon access is given.
        </p>
      </div>
      <ol className={classes.weeks}>
        {onboarding.map(({ weeks, title, we, you }) => (
          <li key={weeks}>
            <div>
              <p className={classes.week}>{weeks}</p>
              <h3 className={site.subtitle}>{title}</h3>
            </div>
            <dl>
              <div>
                <dt>We</dt>
                <dd>{we}</dd>
              </div>
              <div>
                <dt>You</dt>
                <dd>{you}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ol>
    </section>
  );
}

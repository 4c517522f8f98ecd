import { Link } from "react-router";
import type { LogCount } from "../../../contract/content.ts";
import { scope } from "../../content/buyers-guide.ts";
import classes from "../buyers-guide.module.css";
import site from "../site.module.css";

export function Scope({ logs }: { logs: LogCount | null }) {
  return (
    <section className={site.tinted} aria-labelledby="scope">
      <div className={`${site.container} ${site.section}`}>
        <h2 id="scope" className={`${site.title} ${classes.title}`}>
          In and out of scope
        </h2>
        <div className={classes.scope}>
          <div>
            <h3 className={site.subtitle}>In the price</h3>
            <ul className={classes.included}>
              {scope.included.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
          <div>
            <h3 className={site.subtitle}>Not in it</h3>
            <ul className={classes.excluded}>
              {scope.excluded.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
        </div>
        <p className={classes.note}>
          {logs && logs.sources > 0 && (
            <>
              <strong>
                {logs.sources} log sources in {logs.categories} categories
              </strong>{" "}
              are read without custom work today.{" "}
            </>
          )}
          <Link to="/LogInjection" className={site.link}>
            Look for yours
          </Link>
          . Who does what in daily work stands under{" "}
          <Link to="/ServiceDelivery#duties" className={site.link}>
            Service Delivery
          </Link>
          .
        </p>
      </div>
    </section>
  );
}

import { limits } from "../../../contract/limits.ts";
import site from "../site.module.css";
import classes from "./figures.module.css";

const figures = [
  ["24x7", "monitoring, threat detection and incident response"],
  [String(limits.logRetentionDays), "days of hot log retention, stored in India"],
  ["Unlimited", "log ingestion: no extra charge for events per second or daily volume"],
  ["3-5X", "lower total cost of ownership, by our own reckoning"],
] as const;

export function Figures() {
  return (
    <section aria-label="In figures" className={classes.band}>
      <dl className={classes.figures}>
        {figures.map(([figure, what]) => (
          <div key={figure}>
            <dt>
              {what}
              {figure === "3-5X" && (
                <>
                  :{" "}
                  <a href="#sum" className={site.link}>
                    the sum
                  </a>
                </>
              )}
            </dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

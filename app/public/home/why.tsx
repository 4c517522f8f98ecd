import { limits } from "../../../contract/limits.ts";
import site from "../site.module.css";
import { CostSum } from "./cost-sum.tsx";
import classes from "./why.module.css";

const rows = [
  [
    "People",
    "168 hours a week need more than four people for one chair, before leave and illness",
    "Three tiers and a SOC manager, in shifts",
  ],
  ["Log volume", "Licences by events per second or gigabytes a day", "Unlimited, at no extra charge"],
  ["Retention", "Storage to buy, and archives to restore", `${limits.logRetentionDays} days hot`],
  ["Place", "Where the tool’s maker puts it", "Ingested logs stored in India"],
  [
    "Detection rules",
    "Written and tuned by those who also answer the alerts",
    "Written by tier 3, tuned with each false alarm",
  ],
  [
    "Commitment",
    "Hiring, hardware and licences before the first alert",
    `Contracts from ${limits.contractMonthsMin} months`,
  ],
] as const;

export function Why() {
  return (
    <section className={site.tinted} aria-labelledby="why">
      <div className={`${site.container} ${site.section}`}>
        <div className={classes.words}>
          <h2 id="why" className={site.title}>
            Why choose us rather than a room of your own
          </h2>
          <p className={site.lead}>
            By our own reckoning the total cost of ownership is 3-5X lower. We compare the subscription with what a 24x7
            centre of one’s own takes: people for every shift, tools, storage for a year and the machines under them. It
            depends on your figures, so here is the calculation.
          </p>
        </div>
        <CostSum />
        <div className={classes.scroll}>
          <table className={classes.table}>
            <caption className="visually-hidden">A SOC of one’s own compared with the subscription</caption>
            <thead>
              <tr>
                <th scope="col" className={classes.corner}>
                  What it takes
                </th>
                <th scope="col">Built by yourself</th>
                <th scope="col">By subscription</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([what, own, ours]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td data-column="Built by yourself">{own}</td>
                  <td data-column="By subscription">{ours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}

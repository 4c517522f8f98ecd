import { serviceLevels, showPeriod } from "../../../contract/service-levels.ts";
import { clockWords } from "../../content/buyers-guide.ts";
import classes from "../buyers-guide.module.css";
import site from "../site.module.css";

export function ServiceLevels() {
  const { isSample, levels } = serviceLevels();
  return (
    <section aria-labelledby="levels" className={classes.levels}>
      <div className={classes.named}>
        <h2 id="levels" className={site.title}>
          Service levels
        </h2>
        {isSample && <span className={classes.sample}>Sample</span>}
      </div>
      {isSample && (
        <p className={site.muted}>
          These figures are a sample and bind nobody: they show what is measured, and how. Yours stand in your contract.
        </p>
      )}
      <table className={classes.table}>
        <caption className="visually-hidden">
          {isSample && "Sample: "}times within which an incident is acknowledged, contained and resolved, by severity
        </caption>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">What it is</th>
            <th scope="col">Acknowledged</th>
            <th scope="col">Contained</th>
            <th scope="col">Resolved</th>
          </tr>
        </thead>
        <tbody>
          {levels.map(({ severity, name, means, acknowledgeMinutes, containMinutes, resolveMinutes }) => (
            <tr key={severity}>
              <th scope="row">
                {severity} {name}
              </th>
              <td>{means}</td>
              <td data-column="Acknowledged">{showPeriod(acknowledgeMinutes)}</td>
              <td data-column="Contained">{containMinutes === null ? "not applicable" : showPeriod(containMinutes)}</td>
              <td data-column="Resolved">{showPeriod(resolveMinutes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={classes.words}>
        {clockWords.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={site.muted}>
        The first clock starts when the alert is in the SIEM, or when you tell us; the other two start when the incident
        is acknowledged. Where a contract counts hours of business only, it says so. Each incident is measured, and the
        monthly report names the times that were missed. These are our clocks, not those of an authority: the six hours
        of CERT-In start with noticing.
      </p>
    </section>
  );
}

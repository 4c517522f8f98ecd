import type { CSSProperties } from "react";
import site from "../site.module.css";
import classes from "./roles.module.css";

const roles = [
  {
    name: "Analyst, tier 1",
    line: "Looks at every alert first.",
    takes: "Alerts, grouped and ranked by the SIEM, UEBA and the models",
    does: "Checks each against the logs and what is known of the system, and closes false alarms with the reason written down",
    hands: "What is real or unclear, with the facts in order, to tier 2",
  },
  {
    name: "Analyst, tier 2",
    line: "Finds out what happened, and stops it.",
    takes: "Cases from tier 1, and calls from your people",
    does: "Follows account, machine and address through the logs, tells you, and contains by agreed playbooks or with your word",
    hands: "What is new or spreading to tier 3; the account of it to you",
  },
  {
    name: "Analyst, tier 3",
    line: "Looks for what no rule has found yet.",
    takes: "Hard cases, new threat reports, and questions nobody has asked the logs",
    does: "Hunts, takes malicious files and scripts apart, writes and tests detection rules and parsers",
    hands: "New rules to the SIEM, new playbooks to the SOAR, findings to all",
  },
  {
    name: "SOC manager",
    line: "Answers for the service.",
    takes: "Each SLA clock, the rota, your wishes and complaints",
    does: "Keeps every shift staffed, reads closed cases for quality, leads in a major incident",
    hands: "The monthly report, and a person to speak to",
  },
] as const;

/** Each tier is a deeper rung; the manager stands beside all of them. */
export function Roles() {
  return (
    <section className={site.tinted} aria-labelledby="roles">
      <div className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <h2 id="roles" className={site.title}>
            Three tiers and one person who answers
          </h2>
          <p className={site.lead}>
            Most alerts end on the first tier. Depth costs time, so a case goes down only as far as it must.
          </p>
        </div>
        <ol className={classes.ladder}>
          {roles.map(({ name, line, takes, does, hands }, rung) => (
            <li
              key={name}
              style={{ "--rung": rung === 3 ? 0 : rung } as CSSProperties}
              className={rung === 3 ? classes.manager : ""}
            >
              <div>
                <h3 className={site.subtitle}>{name}</h3>
                <p className={classes.line}>{line}</p>
              </div>
              <dl>
                <div>
                  <dt>Takes</dt>
                  <dd>{takes}</dd>
                </div>
                <div>
                  <dt>Does</dt>
                  <dd>{does}</dd>
                </div>
                <div>
                  <dt>Hands on</dt>
                  <dd>{hands}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

import site from "../site.module.css";
import classes from "./analysis.module.css";

const hunts = [
  [
    "T1621",
    "Somebody tires a person out with MFA prompts",
    "Identity provider and VPN",
    "A rule on many refusals before one yes",
  ],
  [
    "T1110.003",
    "One password is tried on many accounts",
    "Sign-ins, counted by address",
    "A playbook that blocks the address",
  ],
  [
    "T1114.003",
    "Mail leaves by a forwarding rule nobody made",
    "Mail service’s audit log",
    "A daily list of new rules",
  ],
  [
    "T1490",
    "Backups are deleted before the ransom note",
    "Backup server and hypervisors",
    "A call at any hour, not a ticket",
  ],
] as const;

const automation = [
  {
    title: "At once",
    text: "What you approved in advance: ending sessions, blocking an address, fetching the facts an analyst will ask for.",
  },
  {
    title: "After your yes",
    text: "What can stop work: isolating a machine, closing an account that others use, changing a firewall.",
  },
  {
    title: "Never by a machine alone",
    text: "What cannot be undone: deleting data, telling authorities, deciding that an incident is over.",
  },
] as const;

export function Analysis() {
  return (
    <section className={site.tinted} aria-labelledby="analysis">
      <div className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <h2 id="analysis" className={site.title}>
            Threat analysis begins with a suspicion
          </h2>
          <p className={site.lead}>
            Tier 3 writes down what an attacker could be doing, looks for it in your logs, and leaves behind a rule that
            looks from then on. The numbers are those of MITRE ATT&amp;CK.
          </p>
        </div>
        <ul className={classes.hunts}>
          {hunts.map(([technique, suspicion, where, outcome]) => (
            <li key={technique}>
              <span className={classes.technique}>{technique}</span>
              <p className={classes.suspicion}>{suspicion}</p>
              <p>
                <span className={classes.label}>Where we look</span> {where}
              </p>
              <p>
                <span className={classes.label}>What stays</span> {outcome}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

export function Automation() {
  return (
    <section className={classes.night} aria-labelledby="automation">
      <div className={`${site.container} ${site.section}`}>
        <div className={site.head}>
          <h2 id="automation" className={site.title}>
            Automation with a boundary that you draw
          </h2>
          <p className={classes.lead}>
            Every playbook of the SOAR stands on one of three rungs. You decide which, per system, and may change your
            mind.
          </p>
        </div>
        <ol className={classes.rungs}>
          {automation.map(({ title, text }, rung) => (
            <li key={title}>
              <Gate open={2 - rung} />
              <h3 className={site.subtitle}>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** A barrier: `open` 0 is shut, 1 waits for a hand, 2 is open. */
function Gate({ open }: { open: number }) {
  const bar = ["M34 66h150", "M34 66l130 -34", "M34 66l54 -54"][open];
  return (
    <svg viewBox="0 0 220 92" aria-hidden="true" focusable="false" className={classes.gate}>
      <path d="M0 86h220" className={classes.ground} />
      <path d="M24 86V52h20v34M184 86V60" className={classes.post} />
      <path d={bar} className={open === 0 ? classes.shut : open === 1 ? classes.waiting : classes.open} />
      <circle cx="34" cy="66" r="6" className={classes.pivot} />
    </svg>
  );
}

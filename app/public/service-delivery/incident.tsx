import site from "../site.module.css";
import classes from "./incident.module.css";

/** The functions of NIST SP 800-61 revision 3, which are the Cybersecurity Framework's, in the order of the night. */
const phases = [
  {
    title: "Govern, Identify, Protect",
    span: "Preparation, before that night",
    steps: [
      [
        "At onboarding",
        "Who may be called at night, which accounts and machines matter most, which playbooks are approved.",
      ],
    ],
  },
  {
    title: "Detect",
    span: "02:17 to 02:31",
    steps: [
      [
        "02:17",
        "UEBA raises a sign-in as the payroll administrator from a new country, nine minutes after one from Pune. It is noticed: the six hours begin.",
      ],
      ["02:19", "Tier 1 sees seven refused MFA prompts before the accepted one, and hands the case on."],
      ["02:31", "Tier 2 confirms it and calls you. Confirming starts no clock: it has been running for 14 minutes."],
    ],
  },
  {
    title: "Respond",
    span: "02:24 to 07:30",
    steps: [
      ["02:24", "The approved playbook ends all sessions of the account and blocks its sign-in."],
      ["03:05", "Tier 3 searches a year of logs for the same address, and finds a second mailbox."],
      ["04:10", "With your word: a forwarding rule that nobody made is removed, both passwords are set anew."],
      ["06:40", "The facts in the order of CERT-In’s form are with you."],
      ["07:30", "You file the report; the six hours end at 08:17."],
    ],
  },
  {
    title: "Recover",
    span: "06:00, and the days after",
    steps: [["06:00", "Nothing has come back. The account is opened again, and watched more closely."]],
  },
  {
    title: "Improvement",
    span: "All along, and the days after",
    steps: [["Days after", "A review without blame, and a rule that finds the seven refused prompts by themselves."]],
  },
] as const;

export function Incident() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="incident">
      <div className={site.head}>
        <h2 id="incident" className={site.title}>
          Incident handling: one night, step by step
        </h2>
        <p className={site.lead}>
          In the six functions of NIST SP 800-61 revision 3 (April 2025), with the improvement that it asks for
          throughout. The night is a sample: the times that bind us are fixed in your contract, by severity.
        </p>
      </div>
      <SixHours />
      <ol className={classes.phases}>
        {phases.map(({ title, span, steps }) => (
          <li key={title}>
            <h3 className={classes.phase}>{title}</h3>
            <p className={classes.span}>{span}</p>
            <ul className={classes.steps}>
              {steps.map(([time, what]) => (
                <li key={time}>
                  <span className={classes.time}>{time}</span> {what}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

const minutesAt = (hour: number, minute: number) => 20 + ((hour - 2) * 60 + minute) * 2.55;

/** The six hours start with noticing the incident, not with confirming it: CERT-In Directions of 28 April 2022. */
const noticed = [2, 17] as const;

/** The night to scale, for visual readers; the list below says the same. */
function SixHours() {
  // Last, so that the moment of noticing is drawn on top.
  const marks = [[2, 19], [2, 24], [2, 31], [3, 5], [4, 10], [6, 0], [6, 40], [7, 30], noticed] as const;
  return (
    <svg viewBox="0 0 1120 112" aria-hidden="true" focusable="false" className={classes.scale}>
      <rect x={minutesAt(...noticed)} y="28" width={360 * 2.55} height="40" rx="10" className={classes.window} />
      <text x={minutesAt(...noticed) + 16} y="18" className={classes.windowLabel}>
        Six hours from noticing to reporting: CERT-In Directions, 2022
      </text>
      <path d="M0 48h1120" className={classes.axis} />
      {[2, 3, 4, 5, 6, 7, 8, 9].map((hour) => (
        <g key={hour}>
          <path d={`M${minutesAt(hour, 0)} 42v12`} className={classes.axis} />
          <text x={minutesAt(hour, 0)} y="94" textAnchor="middle" className={classes.tick}>
            {`0${hour}:00`}
          </text>
        </g>
      ))}
      {marks.map(([hour, minute]) => (
        <circle
          key={hour * 60 + minute}
          cx={minutesAt(hour, minute)}
          cy="48"
          r={hour === 7 ? 9 : 6}
          className={hour === noticed[0] && minute === noticed[1] ? classes.early : classes.mark}
        />
      ))}
    </svg>
  );
}

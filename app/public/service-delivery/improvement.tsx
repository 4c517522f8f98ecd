import site from "../site.module.css";
import classes from "./improvement.module.css";

const turns = [
  ["Measure", "How many alerts were false, how long each step took, which sources went silent."],
  ["Tune", "The rules behind most false alarms are sharpened or retired, with the reason kept."],
  ["Test", "Known attacks are played against the rules; what stays unseen becomes work for tier 3."],
  ["Review", "You and the SOC manager go through the month and agree on what changes in the next."],
] as const;

export function Improvement() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="improvement">
      <div className={classes.layout}>
        <Loop />
        <div>
          <h2 id="improvement" className={site.title}>
            Continuous improvement, once round each month
          </h2>
          <dl className={classes.turns}>
            {turns.map(([name, what]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}

/** Four quarters of a circle, each leading to the next. */
function Loop() {
  return (
    <svg viewBox="0 0 360 360" aria-hidden="true" focusable="false" className={classes.loop}>
      <marker id="turn" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="6" markerHeight="6" orient="auto">
        <path d="M1 1l5 3-5 3" />
      </marker>
      {[0, 90, 180, 270].map((turn) => (
        <path
          key={turn}
          d="M232 63a128 128 0 0 1 65 65"
          transform={`rotate(${turn} 180 180)`}
          markerEnd="url(#turn)"
          className={classes.arc}
        />
      ))}
      <g className={classes.words}>
        <text x="180" y="58">
          Measure
        </text>
        <text x="300" y="186">
          Tune
        </text>
        <text x="180" y="314">
          Test
        </text>
        <text x="60" y="186">
          Review
        </text>
      </g>
      <g className={classes.centre}>
        <text x="180" y="176">
          fewer alerts,
        </text>
        <text x="180" y="200">
          better ones
        </text>
      </g>
    </svg>
  );
}

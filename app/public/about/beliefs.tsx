import site from "../site.module.css";
import classes from "./beliefs.module.css";

const beliefs = [
  [
    "A log that nobody reads is a cost.",
    "The same log, read at three in the morning, is a defence. What we sell is the reading.",
  ],
  [
    "A price must not depend on noise.",
    "If each event cost you money you would send us fewer, and leave out the ones we need. So we count devices, and take all of their logs.",
  ],
  [
    "Machines prepare, people decide.",
    "A model sorts ten thousand lines in a second and is sometimes sure of itself without reason. An analyst signs every verdict.",
  ],
  [
    "Bad news travels by telephone.",
    "You hear of an incident from us, in plain words, before you see it in a dashboard; and of our own mistakes too.",
  ],
] as const;

export function Beliefs() {
  return (
    <section className={`${site.container} ${site.section}`} aria-labelledby="beliefs">
      <h2 id="beliefs" className={site.title}>
        What we believe
      </h2>
      <ol className={classes.beliefs}>
        {beliefs.map(([belief, why]) => (
          <li key={belief}>
            <h3>{belief}</h3>
            <p>{why}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A day in three shifts that overlap for the handover. */
export function HowWeWork() {
  return (
    <section className={site.tinted} aria-labelledby="work">
      <div className={`${site.container} ${site.section} ${site.split}`}>
        <div className={classes.work}>
          <h2 id="work" className={site.title}>
            How we work
          </h2>
          <p>
            In shifts that overlap, so that a case is handed over by one person speaking to another and not by a note
            alone. Who comes on reads back what is open; who goes off stays until that is right.
          </p>
          <p>
            Each alert has one owner at a time, in one of three tiers. Each case is written so that somebody who was not
            there can follow it a year later: what was seen, what was done, on whose word.
          </p>
          <p>
            And each month a part of the time belongs to the rules themselves: those that cry wolf are mended before new
            ones are added.
          </p>
        </div>
        <svg
          viewBox="0 0 480 300"
          role="img"
          aria-label="A day of 24 hours in three shifts; where two overlap, the open cases are handed over"
          className={classes.shifts}
        >
          {[0, 6, 12, 18, 24].map((hour) => (
            <g key={hour}>
              <path d={`M${20 + hour * 18} 20v226`} className={classes.hour} />
              <text x={20 + hour * 18} y="272" textAnchor="middle">
                {String(hour).padStart(2, "0")}
              </text>
            </g>
          ))}
          <path
            d="M20 36h136a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8H20zM452 36h-28a8 8 0 0 0-8 8v28a8 8 0 0 0 8 8h28z"
            className={classes.shift}
          />
          <rect rx="8" x="128" y="104" width="180" height="44" className={classes.shift} />
          <rect rx="8" x="272" y="172" width="180" height="44" className={classes.shift} />
          <path d="M128 80h36v24h-36zM272 148h36v24h-36z" className={classes.overlap} />
          <path d="M416 80h36v92h-36z" className={classes.overlap} />
          <g className={classes.crew}>
            <text x="36" y="64">
              Night
            </text>
            <text x="180" y="132">
              Morning
            </text>
            <text x="322" y="200">
              Evening
            </text>
          </g>
        </svg>
      </div>
    </section>
  );
}

import classes from "./features.module.css";

/** Decorative drawings for the features, with invented data. */
const drawing = { className: classes.drawing, "aria-hidden": true, focusable: false } as const;

/** A search over a year, and the one line that it finds. */
export function SearchSketch() {
  const months = [14, 22, 18, 30, 26, 20, 34, 28, 24, 38, 30, 26];
  return (
    <svg viewBox="0 0 520 190" {...drawing}>
      <rect x="1" y="1" width="518" height="42" rx="12" className={classes.paper} />
      <circle cx="24" cy="20" r="7" className={classes.line} />
      <path d="m29 25 6 6" className={classes.line} />
      <text x="48" y="27" className={classes.query}>
        user = “payroll-admin” and action = login
      </text>
      {months.map((height, month) => (
        <rect
          key={month}
          x={6 + month * 43.5}
          y={116 - height}
          width="29"
          height={height}
          rx="5"
          className={month === 2 ? classes.solid : classes.soft}
        />
      ))}
      <path d="M107.5 122v18" className={classes.accent} />
      <rect x="1" y="142" width="518" height="46" rx="12" className={classes.paper} />
      <circle cx="24" cy="165" r="5" className={classes.amber} />
      <text x="42" y="170" className={classes.query}>
        nine months ago, from the same address
      </text>
    </svg>
  );
}

/** A band of normal behaviour, and a line that leaves it. */
export function BehaviourSketch() {
  return (
    <svg viewBox="0 0 320 190" {...drawing}>
      <path
        d="M0 128c40-26 70-30 110-14s80 18 120-4 66-22 90-16v46c-24-6-50-4-90 16s-80 20-120 4-70-12-110 14Z"
        className={classes.soft}
      />
      <path
        d="M0 150c40-24 70-26 110-12s70 18 104 4c18-8 22-92 36-96s16 62 30 66 26 2 40 2"
        className={classes.accent}
      />
      <circle cx="250" cy="46" r="16" className={classes.amberLine} />
      <circle cx="250" cy="46" r="6" className={classes.amber} />
    </svg>
  );
}

/** A playbook: three immediate steps, and one that waits for approval. */
export function PlaybookSketch() {
  const steps = ["End sessions", "Block sign-in", "Search the rest"];
  return (
    <svg viewBox="0 0 320 190" {...drawing}>
      <path d="M28 24v142" className={classes.line} />
      {steps.map((step, index) => (
        <g key={step}>
          <circle cx="28" cy={24 + index * 44} r="11" className={classes.solid} />
          <path d={`m23 ${24 + index * 44} 4 4 7-8`} className={classes.tick} />
          <text x="54" y={29 + index * 44} className={classes.code}>
            {step}
          </text>
        </g>
      ))}
      <circle cx="28" cy="160" r="11" className={classes.waits} />
      <text x="54" y="165" className={classes.code}>
        Isolate the laptop
      </text>
      <rect x="206" y="143" width="110" height="34" rx="10" className={classes.ask} />
      <text x="261" y="165" textAnchor="middle" className={classes.asked}>
        Your yes?
      </text>
    </svg>
  );
}

/** Many alerts, grouped into a few stories. */
export function GroupingSketch() {
  const groups = [30, 95, 160];
  return (
    <svg viewBox="0 0 520 190" {...drawing}>
      {groups.map((end, group) => (
        <g key={end}>
          {[-24, -8, 8, 24].map((offset, index) => (
            <g key={offset}>
              <path
                d={`M${22 + index * 14} ${end + offset}C150 ${end + offset} 150 ${end} 236 ${end}`}
                className={classes.thread}
              />
              <circle
                cx={22 + index * 14}
                cy={end + offset}
                r="4.5"
                className={group === 1 && index === 2 ? classes.amber : classes.solid}
              />
            </g>
          ))}
          <rect x="236" y={end - 23} width="283" height="46" rx="12" className={classes.paper} />
          <circle cx="260" cy={end} r="6" className={group === 1 ? classes.amber : classes.solid} />
          <rect x="280" y={end - 10} width={[150, 190, 120][group]} height="7" rx="3.5" className={classes.words2} />
          <rect x="280" y={end + 4} width={[90, 130, 170][group]} height="7" rx="3.5" className={classes.soft} />
        </g>
      ))}
    </svg>
  );
}

/** Rooms, services and clouds of a customer, on one line. */
export function CloudsSketch() {
  return (
    <svg viewBox="0 0 520 150" {...drawing}>
      <path d="M70 104v22h380v-22M197 104v22M323 104v22M260 126v22" className={classes.accent} />
      <g className={classes.line}>
        <rect x="36" y="30" width="68" height="70" rx="8" />
        <path d="M36 53h68M36 77h68M48 42h8M48 65h8M48 89h8" />
        <rect x="160" y="38" width="74" height="54" rx="8" />
        <path d="M160 53h74M186 92v12h22V92M178 104h38" />
        <path d="M300 98a21 21 0 0 1-2-42 28 28 0 0 1 54-4 23 23 0 0 1 2 46Z" />
        <rect x="414" y="34" width="72" height="64" rx="14" />
        <path d="M414 58h72M438 34v64M462 34v64M414 78h72" />
      </g>
      <g className={classes.caption}>
        <text x="70" y="18">
          On-premises
        </text>
        <text x="197" y="18">
          Hybrid
        </text>
        <text x="323" y="18">
          Clouds
        </text>
        <text x="450" y="18">
          SaaS
        </text>
      </g>
    </svg>
  );
}

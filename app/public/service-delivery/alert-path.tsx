import classes from "./alert-path.module.css";

const told =
  "The path of an alert. Logs meet rules and behaviour analytics. Tier 1 triages: a false alarm is closed and the rule tuned, the rest goes to tier 2. Tier 2 investigates, tells you, and contains: by a playbook you approved in advance, or after asking you. Tier 3 hunts for the same elsewhere and writes better rules, and you get the report. The SOC manager watches over all of it.";

/** Drawn twice, horizontally and vertically, so that it is readable on a phone; the style sheet shows one. */
export function AlertPath() {
  return (
    <>
      <Lying />
      <Standing />
    </>
  );
}

function Lying() {
  const lanes = [
    ["Automation", "SIEM, UEBA, SOAR"],
    ["Tier 1", "triage"],
    ["Tier 2", "investigation"],
    ["Tier 3", "hunting, detection"],
    ["You", "your team"],
  ] as const;
  return (
    <svg viewBox="0 0 1120 486" role="img" aria-label={told} className={classes.lying}>
      <Arrowhead id="lying" />
      <rect x="190" y="1" width="929" height="38" rx="12" className={classes.manager} />
      <text x="655" y="26" textAnchor="middle" className={classes.label}>
        SOC manager: the clock of the SLA, the rota, the quality of every case
      </text>
      {lanes.map(([name, what], index) => (
        <g key={name}>
          <rect
            x="1"
            y={68 + index * 84}
            width="1118"
            height="76"
            rx="14"
            className={index === 4 ? classes.yours : classes.lane}
          />
          <text x="22" y={101 + index * 84} className={classes.name}>
            {name}
          </text>
          <text x="22" y={123 + index * 84} className={classes.what}>
            {what}
          </text>
        </g>
      ))}
      <g className={classes.flow} markerEnd="url(#lying)">
        <path d="M282 106h24" />
        <path d="M376 128v38" />
        <path d="M432 190h44" />
        <path d="M376 212v38" />
        <path d="M376 296v120" />
        <path d="M432 274h254" />
        <path d="M760 252V132" />
        <path d="M760 296v120" />
        <path d="M832 274h122v58" />
        <path d="M954 380v36" />
        <path d="M1032 358h36V106h-34" />
      </g>
      <g className={classes.back} markerEnd="url(#lying)">
        <path d="M566 168v-62H448" />
        <path d="M954 84V54H376v26" />
      </g>
      <Node x={202} y={106} width={80} label="Logs" />
      <Node x={310} y={106} width={134} label="Rules and UEBA" />
      <Node x={690} y={106} width={140} label="SOAR playbook" />
      <Node x={876} y={106} width={156} label="Better rules" />
      <Node x={320} y={190} width={112} label="Triage" strong />
      <Node x={480} y={190} width={172} label="False: close and tune" />
      <Node x={320} y={274} width={112} label="Investigate" strong />
      <Node x={690} y={274} width={140} label="Contain" strong />
      <Node x={876} y={358} width={156} label="Hunt elsewhere" strong />
      <Node x={310} y={442} width={134} label="You are told" />
      <Node x={676} y={442} width={168} label="You are asked first" />
      <Node x={870} y={442} width={168} label="Report and lessons" />
      <g className={classes.note}>
        <text x="386" y="236">
          real, or unclear
        </text>
        <text x="770" y="196">
          approved in advance
        </text>
        <text x="770" y="340">
          not yet agreed
        </text>
      </g>
    </svg>
  );
}

function Standing() {
  const lanes = [
    ["Automation", 32, 108],
    ["Tier 1: triage", 148, 108],
    ["Tier 2: investigation", 264, 164],
    ["You", 436, 108],
    ["Tier 3: hunting, detection", 552, 108],
  ] as const;
  return (
    <svg viewBox="0 0 350 664" role="img" aria-label={told} className={classes.standing}>
      <Arrowhead id="standing" />
      <text x="2" y="16" className={classes.what}>
        The SOC manager watches over all of it
      </text>
      {lanes.map(([name, y, height]) => (
        <g key={name}>
          <rect
            x="1"
            y={y}
            width="306"
            height={height}
            rx="14"
            className={name === "You" ? classes.yours : classes.lane}
          />
          <text x="16" y={y + 28} className={classes.name}>
            {name}
          </text>
        </g>
      ))}
      <g className={classes.flow} markerEnd="url(#standing)">
        <path d="M100 104h44" />
        <path d="M220 126v64" />
        <path d="M150 220h-12" />
        <path d="M220 242v64" />
        <path d="M220 358v10" />
        <path d="M150 336h-9v132H76v12" />
        <path d="M220 418v62" />
        <path d="M220 530v64" />
        <path d="M150 624h-12" />
      </g>
      <g className={classes.back} markerEnd="url(#standing)">
        <path d="M292 624h32V104h-28" />
      </g>
      <text transform="translate(344 392) rotate(-90)" textAnchor="middle" className={classes.note}>
        better rules
      </text>
      <text x="16" y="390" className={classes.note}>
        <tspan x="16">by playbook</tspan>
        <tspan x="16" dy="19">
          or by word
        </tspan>
      </text>
      <Node x={16} y={104} width={84} label="Logs" />
      <Node x={150} y={104} width={142} label="Rules and UEBA" />
      <Node x={150} y={220} width={142} label="Triage" strong />
      <Node x={16} y={220} width={118} label="False: tune" />
      <Node x={150} y={336} width={142} label="Investigate" strong />
      <Node x={150} y={396} width={142} label="Contain" strong />
      <Node x={16} y={508} width={118} label="You are told" />
      <Node x={150} y={508} width={142} label="You are asked" />
      <Node x={150} y={624} width={142} label="Hunt elsewhere" strong />
      <Node x={16} y={624} width={118} label="Report" />
    </svg>
  );
}

function Node({
  x,
  y,
  width,
  label,
  strong = false,
}: {
  x: number;
  y: number;
  width: number;
  label: string;
  strong?: boolean;
}) {
  return (
    <g className={strong ? classes.strong : classes.node}>
      <rect x={x} y={y - 22} width={width} height="44" rx="12" />
      <text x={x + width / 2} y={y + 5} textAnchor="middle">
        {label}
      </text>
    </g>
  );
}

function Arrowhead({ id }: { id: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M1 1l5 3-5 3" className={classes.head} />
    </marker>
  );
}

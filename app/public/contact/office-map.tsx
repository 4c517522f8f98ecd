// Degrees to pixels: ten to a degree, from 44° E and 34° N.
const shore =
  "M-20 -20V212L10 212 40 200 80 180 110 168 138 150 158 115 146 104 126 95 124 77 113 87 104 95 76 98 75 81 72 79 67 87 61 74 45 56 39 41 46 36 62 40 69 51 86 65 105 74 123 69 130 72 133 83 170 88 200 87 226 90 242 104 260 111 250 117 264 131 280 128 286 118 288 135 288 150 293 170 298 186 308 211 322 240 335 259 342 251 358 237 363 209 362 185 383 174 410 145 430 127 445 123 465 118 480 130 490 150V-20Z";
const island = "M359 243 372 254 378 268 366 280 359 270Z";
const places = [
  { name: "Dubai", x: 113, y: 88, anchor: "end", dx: -14, dy: 34 },
  { name: "Bengaluru", x: 336, y: 210, anchor: "start", dx: 28, dy: 20 },
] as const;

/** The two offices across the Arabian Sea; coastlines only, drawn for this page. */
export function OfficeMap() {
  return (
    <svg
      viewBox="0 0 480 290"
      role="img"
      aria-label="Map of the Arabian Sea: our offices in Dubai and Bengaluru"
      style={{ width: "100%", height: "auto", borderRadius: 16, border: "1px solid var(--site-border)" }}
    >
      <defs>
        <pattern id="land" width="9" height="9" patternUnits="userSpaceOnUse">
          <circle cx="4.5" cy="4.5" r="2" fill="var(--site-accent)" opacity="0.45" />
        </pattern>
      </defs>
      <rect width="480" height="290" fill="var(--site-surface)" />
      <g fill="url(#land)" stroke="var(--site-border)" strokeWidth="1.2" strokeLinejoin="round">
        <path d={shore} />
        <path d={island} />
      </g>
      <path
        d="M113 88Q250 90 336 210"
        fill="none"
        stroke="var(--site-brand)"
        strokeWidth="2"
        strokeDasharray="2 7"
        strokeLinecap="round"
      />
      {places.map(({ name, x, y, anchor, dx, dy }) => (
        <g key={name}>
          <circle cx={x} cy={y} r="15" fill="var(--site-brand)" opacity="0.22" />
          <circle cx={x} cy={y} r="6" fill="var(--site-button)" stroke="#fff" strokeWidth="2" />
          <text
            x={x + dx}
            y={y + dy}
            textAnchor={anchor}
            fontSize="17"
            style={{ fontWeight: 650 }}
            fill="var(--site-ink)"
            stroke="var(--site-surface)"
            strokeWidth="5"
            strokeLinejoin="round"
            paintOrder="stroke"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

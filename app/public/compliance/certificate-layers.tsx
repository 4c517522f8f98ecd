const layers = [
  { y: 28, title: "Your organization", note: "is measured by frameworks", holds: "Frameworks" },
  { y: 146, title: "Our service", note: "keeps logs, detects, reports", holds: "Reports" },
  { y: 264, title: "Cloud infrastructure", note: "holds its own certificates", holds: "Certificates" },
] as const;

/** Who holds which certificates: three storeys of one building, drawn for this page. */
export function CertificateLayers() {
  return (
    <svg
      viewBox="0 0 480 370"
      role="img"
      aria-label="Three layers: cloud infrastructure with its own certificates, our service whose reports rest on it, your organization measured by frameworks"
      style={{ width: "100%", height: "auto" }}
    >
      <g fill="none" stroke="var(--site-brand)" strokeWidth="2" strokeDasharray="2 6" strokeLinecap="round">
        <path d="M110 110v36M110 228v36M370 110v36M370 228v36" />
      </g>
      {layers.map(({ y, title, note, holds }) => (
        <g key={title}>
          <rect
            x="20"
            y={y}
            width="440"
            height="82"
            rx="16"
            fill="var(--site-surface)"
            stroke="var(--site-border)"
            strokeWidth="1.5"
          />
          <path
            d={`M60 ${y + 20}l18 7v14c0 11-8 18-18 22-10-4-18-11-18-22v-14z`}
            fill="var(--site-tint)"
            stroke="var(--site-accent)"
            strokeWidth="1.8"
            strokeLinejoin="round"
          />
          <path
            d={`M52 ${y + 41}l6 6 11-12`}
            fill="none"
            stroke="var(--site-accent)"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
          <text x="96" y={y + 37} fontSize="17" style={{ fontWeight: 650 }} fill="var(--site-ink)">
            {title}
          </text>
          <text x="96" y={y + 59} fontSize="14" fill="var(--site-muted)">
            {note}
          </text>
          <rect x="334" y={y + 25} width="108" height="32" rx="16" fill="var(--site-tint)" />
          <text x="388" y={y + 46} textAnchor="middle" fontSize="13" fontWeight="600" fill="var(--site-accent)">
            {holds}
          </text>
        </g>
      ))}
    </svg>
  );
}

import { Anchor, Skeleton, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCount } from "../../contract/format-count.ts";
import { type IncidentSeverity, severityNames } from "../../contract/incident-states.ts";
import type { ServiceTotals } from "../../contract/service-view.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { StillLoading } from "../components/still-loading.tsx";
import type { Health } from "./health.ts";
import classes from "./service-board.module.css";

/** The state of the service, in one sentence. */
export function HealthSentence({ tone, word, says }: Health) {
  return (
    <section className={classes.health} aria-label="How things stand">
      <StateBadge tone={tone} long>
        {word}
      </StateBadge>
      <p>{says}</p>
    </section>
  );
}

type Counts = Pick<ServiceTotals, "contracted" | "connected" | "silent" | "neverConnected" | "unknown" | "missing">;

const circumference = 2 * Math.PI * 42;

/** Contracted devices by state: a ring, with the same counts in words beside it. */
export function CoverageRing({ counts }: { counts: Counts }) {
  const { contracted, connected, silent, neverConnected, unknown, missing } = counts;
  const parts = [
    { label: "Connected", count: connected, className: classes.connected },
    { label: "Silent", count: silent, className: classes.silent },
    { label: "Not connected yet", count: neverConnected + missing, className: classes.absent },
    { label: "Not known", count: unknown, className: classes.unknown },
  ];
  let passed = 0;
  return (
    <div className={classes.ring}>
      <svg viewBox="0 0 100 100" aria-hidden>
        <circle cx="50" cy="50" r="42" fill="none" strokeWidth="11" />
        {parts.map(({ label, count, className }) => {
          const length = contracted === 0 ? 0 : (circumference * count) / contracted;
          const offset = -passed;
          passed += length;
          return length === 0 ? null : (
            <circle
              key={label}
              className={className}
              cx="50"
              cy="50"
              r="42"
              fill="none"
              strokeWidth="11"
              strokeDasharray={`${length} ${circumference - length}`}
              strokeDashoffset={offset}
              transform="rotate(-90 50 50)"
            />
          );
        })}
        <text x="50" y="57" textAnchor="middle" fontSize="20">
          {contracted === 0 ? "–" : `${Math.floor((100 * connected) / contracted)}%`}
        </text>
      </svg>
      <dl className={classes.counts}>
        {parts.map(({ label, count, className }) => (
          <div key={label} className={className}>
            <dt>{label}</dt>
            <dd className="tabular">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const tones: Record<IncidentSeverity, Tone> = { P1: "bad", unknown: "bad", P2: "warning", P3: "info", P4: "neutral" };

/** The number of open incidents by severity, in words. */
export function OpenBySeverity({ open }: { open: readonly { severity: IncidentSeverity; open: number }[] }) {
  const shown = open.filter((each) => each.open > 0);
  if (shown.length === 0) return <p className={classes.muted}>No incident is open.</p>;
  return (
    <ul className={classes.severities}>
      {shown.map((each) => (
        <li key={each.severity}>
          <StateBadge tone={tones[each.severity]}>
            {formatCount(each.open)} × {severityNames[each.severity]}
          </StateBadge>
        </li>
      ))}
    </ul>
  );
}

/** A link from a part of the board to its screen. */
export const More = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} fz="sm" fw={600}>
    {children}
  </Anchor>
);

/** A document number, kept on one line. */
export const Whole = ({ children }: { children: string }) => <span className={classes.whole}>{children}</span>;

/** Lines with an optional kind at their start and an aside at their end. */
export function Rows({
  rows,
}: {
  rows: readonly { key: string; kind?: ReactNode; text: ReactNode; aside?: ReactNode }[];
}) {
  return (
    <ul className={classes.rows}>
      {rows.map(({ key, kind, text, aside }) => (
        <li key={key}>
          {kind && <span className={classes.kind}>{kind}</span>}
          <span className={classes.text}>{text}</span>
          {aside !== undefined && <span className={classes.aside}>{aside}</span>}
        </li>
      ))}
    </ul>
  );
}

export const Muted = ({ children }: { children: ReactNode }) => <p className={classes.muted}>{children}</p>;

export const BoardGrid = ({ children }: { children: ReactNode }) => <div className={classes.grid}>{children}</div>;

/** Stands in for a board that is loading. */
export function BoardLoading({ parts = 5 }: { parts?: number }) {
  return (
    <Stack gap="lg" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton h={64} radius="lg" />
      <BoardGrid>
        {Array.from({ length: parts }, (_, part) => (
          <Skeleton key={part} h="100%" mih={220} radius="lg" />
        ))}
      </BoardGrid>
      <StillLoading />
    </Stack>
  );
}

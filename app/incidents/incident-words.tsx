import {
  type ClockState,
  clockStates,
  type IncidentSeverity,
  type IncidentState,
  incidentStates,
  severityNames,
  type WaitsFor,
  waitsFor,
} from "../../contract/incident-states.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

export type Reader = "user" | "partner" | "admin";

const severityTones: Record<IncidentSeverity, Tone> = {
  P1: "bad",
  unknown: "bad",
  P2: "warning",
  P3: "info",
  P4: "neutral",
};

export const SeverityBadge = ({ severity }: { severity: IncidentSeverity }) => (
  <StateBadge tone={severityTones[severity]}>{severityNames[severity]}</StateBadge>
);

const stateTones: Record<IncidentState, Tone> = {
  new: "warning",
  acknowledged: "info",
  investigating: "info",
  contained: "info",
  resolved: "good",
  closed: "neutral",
  merged: "neutral",
};

/** The state, and for whom it waits. */
export function IncidentStateBadge({ state, waits }: { state: IncidentState; waits: WaitsFor | null }) {
  return (
    <>
      <StateBadge tone={stateTones[state]}>{incidentStates[state]}</StateBadge>
      {waits && (
        <>
          {" "}
          <StateBadge tone="warning">{waitsFor[waits]}</StateBadge>
        </>
      )}
    </>
  );
}

const clockTones: Record<ClockState, Tone> = {
  none: "neutral",
  coming: "neutral",
  running: "info",
  paused: "warning",
  kept: "good",
  broken: "bad",
  ended: "neutral",
};

export const ClockStateBadge = ({ state }: { state: ClockState }) => (
  <StateBadge tone={clockTones[state]}>{clockStates[state]}</StateBadge>
);

import { Group } from "@mantine/core";
import {
  type ClockState,
  clockStates,
  type IncidentNews,
  incidentNews,
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

/** The incident's state, and whom it waits for. */
export function IncidentStateBadge({
  state,
  waits,
  reader,
}: {
  state: IncidentState;
  waits: WaitsFor | null;
  reader: Reader;
}) {
  return (
    <Group gap={4}>
      <StateBadge tone={stateTones[state]}>{incidentStates[state]}</StateBadge>
      {waits && <StateBadge tone="warning">{waitsWords(waits, reader)}</StateBadge>}
    </Group>
  );
}

/** Whom it waits for, in the reader's words; customers are addressed as "you". */
export const waitsWords = (waits: WaitsFor, reader: Reader): string =>
  waits === "customer" && reader === "user" ? "Waiting for you" : waitsFor[waits];

const newsToCustomer: Partial<Record<IncidentNews, string>> = { asked: "Asked of you", answered: "Answered by you" };

/** What happened, in the reader's words. */
export const newsWords = (news: IncidentNews, reader: Reader): string =>
  (reader === "user" && newsToCustomer[news]) || incidentNews[news];

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

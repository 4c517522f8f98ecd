import type { RegulatorClock, RegulatorClockState } from "../../contract/obligations.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

const states: Record<RegulatorClockState, readonly [Tone, string]> = {
  overdue: ["bad", "Overdue"],
  running: ["warning", "Running"],
  "at once": ["bad", "Without delay"],
  waiting: ["warning", "Start not known"],
  "may apply": ["info", "May apply"],
  "filed late": ["warning", "Filed late"],
  filed: ["good", "Filed"],
  "not in force": ["neutral", "Not in force"],
  not: ["neutral", "Ruled out"],
};

export function ClockState({ state }: { state: RegulatorClockState }) {
  const [tone, words] = states[state];
  return <StateBadge tone={tone}>{words}</StateBadge>;
}

/** Clocks that still need action by somebody. */
export const isOpenClock = ({ state }: Pick<RegulatorClock, "state">): boolean =>
  ["overdue", "running", "at once", "waiting", "may apply"].includes(state);

/** The reader, which prefixes the operations' names. */
export type ObligationReader = "user" | "partner" | "admin";

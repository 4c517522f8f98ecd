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

/** Clocks that somebody has yet to answer. */
export const isOpenClock = ({ state }: Pick<RegulatorClock, "state">): boolean =>
  ["overdue", "running", "at once", "waiting", "may apply"].includes(state);

/** In 3 h 20 min; 2 days ago. */
export function showDistance(to: string, from: Date): string {
  const minutes = Math.round((Date.parse(to) - from.getTime()) / 60_000);
  const count = Math.abs(minutes);
  const span =
    count < 60
      ? `${count} min`
      : count < 48 * 60
        ? `${Math.floor(count / 60)} h ${count % 60} min`
        : `${Math.floor(count / 1440)} days`;
  return minutes >= 0 ? `in ${span}` : `${span} ago`;
}

/** Who looks, by which the operations are named. */
export type ObligationReader = "user" | "partner" | "admin";

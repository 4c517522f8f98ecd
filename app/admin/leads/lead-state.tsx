import { type LeadState, leadStates } from "../../../contract/lead-states.ts";
import { StateBadge, type Tone } from "../../components/state-badge.tsx";

const tones: Record<LeadState, Tone> = {
  new: "info",
  contacted: "neutral",
  proposal_sent: "neutral",
  negotiation: "warning",
  won: "good",
  lost: "bad",
  junk: "neutral",
};

export const LeadStateBadge = ({ state }: { state: LeadState }) => (
  <StateBadge tone={tones[state]}>{leadStates[state]}</StateBadge>
);

export const stateChoices = Object.entries(leadStates).map(([value, label]) => ({ value, label }));

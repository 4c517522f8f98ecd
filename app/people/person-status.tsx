import type { PersonStatus } from "../../contract/people.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

const statuses: Record<PersonStatus, { tone: Tone; text: string }> = {
  active: { tone: "good", text: "Active" },
  invited: { tone: "warning", text: "Invited" },
  expired: { tone: "neutral", text: "Invitation expired" },
  erased: { tone: "neutral", text: "Erased" },
  suspended: { tone: "bad", text: "Suspended" },
};

export const statusText = (status: PersonStatus) => statuses[status].text;

export const PersonStatusBadge = ({ status }: { status: PersonStatus }) => (
  <StateBadge tone={statuses[status].tone}>{statuses[status].text}</StateBadge>
);

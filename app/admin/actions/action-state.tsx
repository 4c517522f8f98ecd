import type { ActionItem } from "../../../contract/actions.ts";
import { StateBadge } from "../../components/state-badge.tsx";

/** An entry's state as text. */
export function stateOf({ closed_at, closed_by, taken_by_id, taken_by, taken_by_me, tried_at }: ActionItem): string {
  if (closed_at) return closed_by ? `Resolved by ${closed_by}` : "Sorted itself out";
  if (taken_by_me) return "Yours";
  if (taken_by_id) return `With ${taken_by ?? "somebody who is not here any more"}`;
  return tried_at ? "Tried again" : "Open";
}

export function ActionState({ item }: { item: ActionItem }) {
  const tone = item.closed_at ? "good" : item.taken_by_id ? "info" : "warning";
  return (
    <StateBadge tone={tone} long>
      {stateOf(item)}
    </StateBadge>
  );
}

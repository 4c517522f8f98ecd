import type { ActionItem } from "../../../contract/actions.ts";
import { showTime } from "../../components/display.ts";

/** An entry's history as sentences: who did what with it. */
export function historyOf(item: ActionItem): string[] {
  const { taken_by, taken_by_id, taken_by_me, taken_at, tried_by, tried_at, closed_by, closed_at, resolution } = item;
  const taker = taken_by_me ? "You" : (taken_by ?? "Somebody who has left");
  return [
    ...(taken_by_id && taken_at ? [`${taker} took it on ${showTime(taken_at)}.`] : []),
    ...(tried_at ? [`${tried_by ?? "Somebody"} had it tried again on ${showTime(tried_at)}.`] : []),
    ...(closed_at
      ? [
          closed_by
            ? `${closed_by} resolved it on ${showTime(closed_at)}: ${resolution}`
            : `It resolved itself on ${showTime(closed_at)}.`,
        ]
      : []),
  ];
}

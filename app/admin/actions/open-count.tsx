import { VisuallyHidden } from "@mantine/core";
import { formatCount } from "../../../contract/format-count.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { useQueueCounts } from "./use-queue-counts.ts";

/** The number of open entries in all queues, for the menu; nothing while it is zero. */
export function OpenCount() {
  const queues = useQueueCounts().data?.queues ?? [];
  const open = queues.reduce((sum, queue) => sum + queue.open, 0);
  if (open === 0) return null;
  const more = queues.some(({ openIsCapped }) => openIsCapped) ? "+" : "";
  return (
    <StateBadge tone="warning">
      {formatCount(open)}
      {more}
      <VisuallyHidden> open</VisuallyHidden>
    </StateBadge>
  );
}

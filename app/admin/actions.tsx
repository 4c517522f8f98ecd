import { Button, Group } from "@mantine/core";
import { type ActionQueue, actionQueueNames, actionQueues } from "../../contract/action-queues.ts";
import { brand } from "../../contract/brand.ts";
import { formatCount } from "../../contract/format-count.ts";
import { openedLater } from "../components/later.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { newestAddress, useAddress } from "../lists/use-address.ts";
import { closedColumns, openColumns } from "./actions/action-columns.tsx";
import type { ActionPanelProps } from "./actions/action-panel.tsx";
import { queueWords } from "./actions/queue-words.ts";
import { useQueueCounts } from "./actions/use-queue-counts.ts";

export const meta = () => [{ title: `Actions – ${brand.name}` }];

const ActionPanel = openedLater<ActionPanelProps>(() => import("./actions/action-panel.tsx"), { id: null });

const listedAgainMs = 30_000;

/** What waits for one of our staff, one queue at a time. */
export default function Actions() {
  const [address, change] = useAddress();
  const queue = actionQueueNames.find((name) => name === address.get("queue")) ?? "payments";
  const state = address.get("state") === "closed" ? "closed" : "open";
  const { hint, empty } = queueWords[queue];
  const setItem = (item: string | null) => change({ item }, { replace: true, preventScrollReset: true });
  return (
    <>
      <ListPage
        key={`${queue} ${state}`}
        name="admin/actions"
        input={{ queue, state }}
        refetchInterval={() => listedAgainMs}
        title="Actions"
        hint={hint}
        searchLabel="Search this queue"
        {...(state === "open" && { firstOrder: "since" as const })}
        columns={state === "open" ? openColumns : closedColumns}
        fileName={`actions-${queue}`}
        filters={<Queues queue={queue} state={state} />}
        empty={state === "open" ? "Nothing waits here" : "Nothing resolved yet"}
        emptyHint={state === "open" ? empty : "Resolved entries stay here for a year, with the reason."}
        failure="This queue could not be loaded."
        actionsLabel="View"
        actions={(item) => (
          <Button variant="default" aria-label={`View ${item.about} of ${item.who}`} onClick={() => setItem(item.id)}>
            View
          </Button>
        )}
      />
      <ActionPanel id={address.get("item")} onClose={() => setItem(null)} />
    </>
  );
}

function Queues({ queue, state }: { queue: ActionQueue; state: "open" | "closed" }) {
  const [, change] = useAddress();
  const counts = useQueueCounts().data?.queues ?? [];
  const show = (next: { queue: ActionQueue } | { state: "closed" | null }) => {
    // The search, the order and the open item were those of another list.
    const others = [...newestAddress().keys()].filter((name) => name !== "queue" && name !== "state");
    change({ ...Object.fromEntries(others.map((name) => [name, null])), ...next }, {});
  };
  const labelOf = (name: ActionQueue) => {
    const counted = counts.find((each) => each.queue === name);
    const { label } = actionQueues[name];
    if (counted) return `${label} (${formatCount(counted.open)}${counted.openIsCapped ? "+" : ""})`;
    // Holds the space that the count will take once it is loaded.
    return (
      <>
        {label}
        <span style={{ visibility: "hidden" }}>&nbsp;(0)</span>
      </>
    );
  };
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <ChoiceButtons
        label="Queue"
        choices={actionQueueNames.map((name) => ({ value: name, label: labelOf(name) }))}
        value={queue}
        onChange={(next) => show({ queue: next })}
      />
      <ChoiceButtons
        label="Show"
        choices={[
          { value: "open", label: "Open" },
          { value: "closed", label: "Done" },
        ]}
        value={state}
        onChange={(next) => show({ state: next === "closed" ? next : null })}
      />
    </Group>
  );
}

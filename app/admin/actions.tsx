import { Button, Group } from "@mantine/core";
import { useSearchParams } from "react-router";
import { type ActionQueue, actionQueueNames, actionQueues } from "../../contract/action-queues.ts";
import { brand } from "../../contract/brand.ts";
import { openedLater } from "../components/later.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { closedColumns, openColumns } from "./actions/action-columns.tsx";
import type { ActionPanelProps } from "./actions/action-panel.tsx";
import { queueWords } from "./actions/queue-words.ts";
import { useQueueCounts } from "./actions/use-queue-counts.ts";

export const meta = () => [{ title: `Actions – ${brand.name}` }];

const ActionPanel = openedLater<ActionPanelProps>(() => import("./actions/action-panel.tsx"), { id: null });

const listedAgainMs = 30_000;

/** What waits for somebody of ours, a queue at a time. */
export default function Actions() {
  const [address, setAddress] = useSearchParams();
  const queue = actionQueueNames.find((name) => name === address.get("queue")) ?? "payments";
  const state = address.get("state") === "closed" ? "closed" : "open";
  const { hint, empty } = queueWords[queue];
  const setItem = (id: string | null) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete("item");
        else next.set("item", id);
        return next;
      },
      { replace: true },
    );
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
        columns={state === "open" ? openColumns : closedColumns}
        fileName={`actions-${queue}`}
        filters={<Queues queue={queue} state={state} />}
        empty={state === "open" ? "Nothing waits here" : "Nothing is done here yet"}
        emptyHint={state === "open" ? empty : "What somebody resolves stays here for a year, with the reason."}
        failure="This queue could not be loaded."
        actionsLabel="View"
        actions={({ id, about, who }) => (
          <Button variant="default" aria-label={`Open ${about} of ${who}`} onClick={() => setItem(id)}>
            Open
          </Button>
        )}
      />
      <ActionPanel id={address.get("item")} onClose={() => setItem(null)} />
    </>
  );
}

function Queues({ queue, state }: { queue: ActionQueue; state: "open" | "closed" }) {
  const [, setAddress] = useSearchParams();
  const counts = useQueueCounts().data?.queues ?? [];
  const show = (next: { queue: ActionQueue; state: "open" | "closed" }) =>
    setAddress({ queue: next.queue, ...(next.state === "closed" && { state: "closed" }) });
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group gap={4} role="group" aria-label="Queue">
        {actionQueueNames.map((name) => {
          const counted = counts.find((each) => each.queue === name);
          const number = counted && `${counted.open.toLocaleString("en-IN")}${counted.openIsCapped ? "+" : ""}`;
          return (
            <Button
              key={name}
              variant={name === queue ? "light" : "subtle"}
              aria-pressed={name === queue}
              onClick={() => show({ queue: name, state })}
            >
              {actionQueues[name].label}
              {number && ` (${number})`}
            </Button>
          );
        })}
      </Group>
      <Group gap={4} role="group" aria-label="Show">
        {(["open", "closed"] as const).map((each) => (
          <Button
            key={each}
            variant={each === state ? "light" : "subtle"}
            aria-pressed={each === state}
            onClick={() => show({ queue, state: each })}
          >
            {each === "open" ? "Open" : "Done"}
          </Button>
        ))}
      </Group>
    </Group>
  );
}

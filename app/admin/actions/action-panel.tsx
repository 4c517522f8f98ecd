import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { actionQueues } from "../../../contract/action-queues.ts";
import type { ActionDetails } from "../../../contract/actions.ts";
import { messages } from "../../../contract/messages.ts";
import { ApiError } from "../../api.ts";
import { showRupees, showTime } from "../../components/display.ts";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { OrderStateBadge } from "../../orders/order-state.tsx";
import { OrderHistory } from "../../orders/unfold-order.tsx";
import { DetailsPanel, type Subject } from "../details-panel.ts";
import { historyOf } from "./action-history.ts";
import { ActionState } from "./action-state.tsx";
import { ActionWork } from "./action-work.tsx";
import { refreshActions, useAction } from "./use-actions.ts";

export interface ActionPanelProps {
  id: string | null;
  onClose: () => void;
}

/**
 * An entry of a queue: what it is about, what was done with it, and what can be done. It stays mounted, with what was
 * typed, under a customer's panel opened from it.
 */
export default function ActionPanel({ id, onClose }: ActionPanelProps) {
  const [viewed, setViewed] = useState<Subject | null>(null);
  const queries = useQueryClient();
  return (
    <>
      <SidePanel opened={id !== null} title="What waits" subject={id ?? ""} onClose={onClose}>
        {id !== null && <Item id={id} onView={setViewed} />}
      </SidePanel>
      <DetailsPanel
        start={viewed}
        onClose={() => {
          setViewed(null);
          // Something done in the customer's panel may have resolved the entry.
          void refreshActions(queries);
        }}
      />
    </>
  );
}

function Item({ id, onView }: { id: string; onView: (subject: Subject) => void }) {
  const action = useAction(id);
  if (action.isPending) return <ListLoading rows={3} />;
  if (action.error instanceof ApiError && action.error.status === 404)
    return <Text role="status">{action.error.message}</Text>;
  // A failed refetch keeps the entry on screen, with what was typed; only a failed first load shows the error.
  if (action.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void action.refetch()} />;
  const { item, order } = action.data;
  const history = historyOf(item);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="xl">
      <Stack gap="xl">
        <PanelSection
          title={`${item.about}, ${item.who}`}
          hint={actionQueues[item.queue].title}
          aside={<ActionState item={item} />}
        >
          <Stack gap="md">
            <Text style={{ overflowWrap: "anywhere" }}>{item.problem}</Text>
            <Facts facts={factsOf(action.data)} />
            {history.map((sentence) => (
              <Text key={sentence} style={{ overflowWrap: "anywhere" }}>
                {sentence}
              </Text>
            ))}
          </Stack>
        </PanelSection>
        {order && (
          <PanelSection title="History of the order">
            <OrderHistory area="admin" id={order.id} />
          </PanelSection>
        )}
      </Stack>
      <Stack gap="xl">
        <Places details={action.data} onView={onView} />
        {!item.closed_at && <ActionWork details={action.data} />}
      </Stack>
    </SimpleGrid>
  );
}

function factsOf({ item, facts, order }: ActionDetails) {
  return [
    ["Waits since", showTime(item.since)] as const,
    ...(order
      ? [
          ["Order", order.number] as const,
          ["Amount", showRupees(order.amount)] as const,
          ["State", <OrderStateBadge key="state" state={order.status} />] as const,
          ["Payment", order.payment_id] as const,
        ]
      : []),
    ...facts.map(({ name, value, isInstant }) => [name, isInstant ? showTime(value) : value] as const),
  ];
}

/** Links to where the entry is dealt with: the customer's panel with orders and tools, or the lead's with quotes. */
function Places({
  details: { item, customer, lead_id },
  onView,
}: {
  details: ActionDetails;
  onView: (subject: Subject) => void;
}) {
  if (!customer && !lead_id) return null;
  const isTools = item.queue === "dashboards";
  return (
    <Group gap="sm">
      {customer && (
        <Button
          size="md"
          variant={isTools ? "filled" : "default"}
          onClick={() => onView({ kind: "customer", email: customer.email, name: customer.organization_name })}
        >
          {isTools ? "Open the customer’s dashboards" : "Open the customer"}
        </Button>
      )}
      {lead_id && (
        <Button size="md" variant="default" component={Link} to={`/admin/estimateOrder?lead=${lead_id}`}>
          Open the quote
        </Button>
      )}
    </Group>
  );
}

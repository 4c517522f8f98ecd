import { Alert, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Area } from "../../contract/roles.ts";
import { messages } from "../../contract/messages.ts";
import type { Payment } from "../../contract/orders.ts";
import { call } from "../api.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { OrderEInvoices } from "./order-e-invoices.tsx";
import { OrderRefunds } from "./order-refunds.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { refreshOrderLists } from "./refresh-orders.ts";

export interface OrderHistoryProps {
  area: Area;
  id: string;
  /** The order's row in the list, if this is shown below one. */
  listed?: Payment;
}

/** An order with its history, polled while it changes by itself; staff give money back here. */
export default function OrderHistory({ area, id, listed }: OrderHistoryProps) {
  const order = useQuery({
    queryKey: ["order", area, id],
    queryFn: async ({ signal }) => {
      const forStaff = area === "admin" ? await call("admin/order", { id }, signal) : null;
      return { forStaff, details: forStaff ?? (await call(`${area as "user" | "partner"}/order`, { id }, signal)) };
    },
    refetchInterval: ({ state }) => (state.data?.details.is_moving ? pauseAfter(state.dataUpdateCount) : false),
  });
  const [isAsking, setIsAsking] = useState(false);
  useFollowed(order.data?.details.order, isAsking ? undefined : listed);
  if (order.isPending) return <ListLoading rows={2} />;
  if (order.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void order.refetch()} />;
  const { details, forStaff } = order.data;
  const { steps, advice } = details;
  return (
    <Stack gap="md" ta="start">
      {advice && (
        <Alert variant="light" role="status">
          {advice}
        </Alert>
      )}
      {steps.length > 0 ? (
        <OrderTimeline steps={steps} />
      ) : (
        <Text c="var(--site-muted)">Nothing is noted about it.</Text>
      )}
      {forStaff && <OrderEInvoices eInvoices={forStaff.e_invoices} onAsking={setIsAsking} />}
      {forStaff && <OrderRefunds details={forStaff} onAsking={setIsAsking} />}
    </Stack>
  );
}

/**
 * Keeps the list's row equal to the order shown below it: if this is newer, the list is refetched. Not while a dialog
 * is open: the row might leave the list and take along what was typed and why it was refused.
 */
function useFollowed(now: Payment | undefined, listed: Payment | undefined): void {
  const queries = useQueryClient();
  const known = now && JSON.stringify(now);
  useEffect(() => {
    if (known && listed && known !== JSON.stringify(listed)) void refreshOrderLists(queries);
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the order refetches the list
  }, [known, listed === undefined, queries]);
}

/** Milliseconds: every 3 seconds at first, every 15 after a minute, as a bank may take days. */
const pauseAfter = (looks: number) => (looks < 20 ? 3000 : 15_000);

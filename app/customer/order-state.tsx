import { Badge } from "@mantine/core";
import type { OrderState } from "../../contract/orders.ts";

/** How each state of an order is called and shown; the word says it, not the colour alone. */
export const orderStates: Record<OrderState, { text: string; colour: string }> = {
  initiated: { text: "Started", colour: "gray" },
  pending: { text: "Pending", colour: "blue" },
  success: { text: "Success", colour: "green" },
  failure: { text: "Failed", colour: "red" },
  expired: { text: "Expired", colour: "orange" },
  review: { text: "Being checked", colour: "violet" },
  refund_pending: { text: "Refund under way", colour: "blue" },
  refunded: { text: "Refunded", colour: "gray" },
  partially_refunded: { text: "Partly refunded", colour: "gray" },
};

export function OrderStateBadge({ state }: { state: OrderState }) {
  const { text, colour } = orderStates[state];
  return (
    <Badge color={colour} variant="light" tt="none" size="lg" radius="sm">
      {text}
    </Badge>
  );
}

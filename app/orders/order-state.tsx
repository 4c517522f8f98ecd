import type { OrderState } from "../../contract/orders.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";

const states: Record<OrderState, { text: string; tone: Tone }> = {
  initiated: { text: "Started", tone: "neutral" },
  pending: { text: "Pending", tone: "info" },
  success: { text: "Success", tone: "good" },
  failure: { text: "Failed", tone: "bad" },
  expired: { text: "Expired", tone: "warning" },
  review: { text: "Being checked", tone: "warning" },
  awaiting_transfer: { text: "Waiting for transfer", tone: "info" },
  invoiced: { text: "Invoiced", tone: "info" },
  closed: { text: "Closed", tone: "neutral" },
  refund_pending: { text: "Refund under way", tone: "info" },
  refunded: { text: "Refunded", tone: "neutral" },
  partially_refunded: { text: "Partly refunded", tone: "neutral" },
};

/** An order's state as a badge; the text says it, not the colour alone. */
export function OrderStateBadge({ state }: { state: OrderState }) {
  const { text, tone } = states[state];
  return <StateBadge tone={tone}>{text}</StateBadge>;
}

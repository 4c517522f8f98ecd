import { Text } from "@mantine/core";
import type { Quote } from "../../contract/quotes.ts";
import { showDay, showWrittenDay } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";

const tones = {
  preparing: "neutral",
  rates_to_confirm: "warning",
  open: "info",
  bought: "good",
  expired: "warning",
} as const;

/** A quote's state as a badge; an open one says until when it is valid, and what was decided about it. */
export function QuoteStateBadge({ quote }: { quote: Quote }) {
  if (quote.decision === "declined" && quote.state !== "bought")
    return <StateBadge tone="neutral">Declined</StateBadge>;
  const text = {
    preparing: "Proposal being prepared",
    rates_to_confirm: "Rates being confirmed",
    open: `Valid until ${showDay(quote.valid_until)}`,
    bought: "Bought",
    expired: "Expired",
  };
  return <StateBadge tone={tones[quote.state]}>{text[quote.state]}</StateBadge>;
}

/** The contract that a quote adds devices to or renews; nothing if buying it starts a new one. */
export function OfContract({ quote: { contract } }: { quote: Pick<Quote, "contract"> }) {
  if (!contract) return null;
  const { kind, number, from, to } = contract;
  return (
    <Text fz="xs" c="var(--site-muted)" miw={110}>
      {kind === "renew" ? "Renews" : "Adds to"} {number}, {showWrittenDay(from)} to {showWrittenDay(to)}
    </Text>
  );
}

/** The partner's person who made the quote; nothing if the customer asked for it. */
export function MadeBy({ quote: { made_by } }: { quote: Pick<Quote, "made_by"> }) {
  if (made_by === null) return null;
  return (
    <Text fz="xs" c="var(--site-muted)" miw={110}>
      Made by <bdi>{made_by}</bdi>
    </Text>
  );
}

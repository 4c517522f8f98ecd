import { Text } from "@mantine/core";
import type { StepName, TimelineStep } from "../../contract/order-details.ts";
import { showTime } from "../components/display.ts";
import type { Tone } from "../components/state-badge.tsx";
import classes from "./order-timeline.module.css";

const shown: Record<StepName, { done: string; toCome?: string; tone: Tone }> = {
  started: { done: "Payment started", tone: "neutral" },
  at_gateway: { done: "At the gateway", toCome: "Not on the gateway’s page yet", tone: "neutral" },
  returned: { done: "Back from the gateway", tone: "neutral" },
  pending: { done: "Waiting for the bank", toCome: "Waiting for the bank", tone: "info" },
  confirmed: { done: "Payment confirmed", toCome: "Payment confirmed", tone: "good" },
  failed: { done: "Payment failed", tone: "bad" },
  expired: { done: "Not finished in time", tone: "warning" },
  taken_over: { done: "Started anew", tone: "neutral" },
  review: { done: "Being checked by our team", tone: "warning" },
  given_back: { done: "Payment given back", tone: "neutral" },
  asked_to_transfer: { done: "Proforma made", tone: "neutral" },
  announced: { done: "Transfer announced", tone: "info" },
  transferred: { done: "Transfer arrived", toCome: "Transfer arrived", tone: "good" },
  void: { done: "Proforma void", tone: "neutral" },
  invoiced: { done: "Invoice issued", toCome: "Invoice issued", tone: "good" },
  registered: {
    done: "Registered with the government’s portal",
    toCome: "Registered with the government’s portal",
    tone: "good",
  },
  invoice_cancelled: { done: "Invoice cancelled", tone: "warning" },
  mailed: { done: "Invoice mailed", toCome: "Invoice mailed", tone: "good" },
  receipt_mailed: { done: "Receipt mailed", toCome: "Receipt mailed", tone: "good" },
  credited: { done: "Credit note issued", tone: "neutral" },
  tax_deducted: { done: "Tax deducted", tone: "neutral" },
  tax_claimed_less: { done: "Less tax deducted", tone: "neutral" },
  tax_owed_again: { done: "Deducted tax owed again", tone: "warning" },
  tax_certified: { done: "Certificate of deducted tax matched", tone: "good" },
  written_off: { done: "Written off", tone: "neutral" },
  owed_after_all: { done: "Write-off taken back", tone: "neutral" },
  given_back_by_hand: { done: "Given back by hand", tone: "neutral" },
  closed: { done: "Closed: nothing is to be paid any more", tone: "neutral" },
  refund_asked: { done: "Refund asked for", tone: "neutral" },
  refund_approved: { done: "Refund agreed to", toCome: "Second person’s consent", tone: "neutral" },
  refund_sent: { done: "Refund at the gateway", toCome: "Refund being sent to the gateway", tone: "info" },
  refund_done: { done: "Money given back", toCome: "Money given back", tone: "good" },
  refund_failed: { done: "Refund failed", tone: "bad" },
};

/** An order's history, oldest first; steps still to come are at the end, hollow. */
export function OrderTimeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <ol className={classes.timeline} aria-label="What happened">
      {steps.map(({ name, at, is_done, by, says, gateway_words }, index) => {
        const { done, toCome, tone } = shown[name];
        return (
          // Two attempts may have steps of the same name at the same moment.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${name} ${index}`} data-tone={tone} data-open={!is_done || undefined}>
            <span className={classes.name}>{is_done ? done : (toCome ?? done)}</span>{" "}
            <span className={`${classes.when} tabular`}>
              {at ? showTime(at) : is_done ? "" : "to come"}
              {by && (
                <>
                  , <bdi>{by}</bdi>
                </>
              )}
            </span>
            {says && <Text fz="inherit">{says}</Text>}
            {gateway_words && (
              <Text fz="inherit" c="var(--site-muted)">
                The gateway says: {gateway_words}
              </Text>
            )}
          </li>
        );
      })}
    </ol>
  );
}

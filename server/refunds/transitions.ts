import type { RefundState } from "../../contract/refunds.ts";

/** Everything that can be learnt about a refund. */
export type RefundNews =
  // Decisions of administrators.
  | "approved"
  | "declined"
  // The gateway's answer to our request: it takes the refund or refuses it.
  | "taken"
  | "refused"
  // The gateway's answer when asked which refunds it has: the state of this one.
  | "under way"
  | "done"
  | "failed"
  // The gateway has it with a different amount than we asked for, under way or done.
  | "amiss"
  | "done amiss"
  // For transferred money: an administrator has paid it out, or has called it off.
  | "paid out"
  | "called off"
  // The passing of time: not taken for a day, or not finished for ten.
  | "overdue";

/** Effects besides the refund's own state. */
export type RefundEffect =
  | "ask the gateway"
  // The payer is told that the money is on its way; `money is back` tells them that it has arrived.
  | "tell of sending"
  | "money is back"
  | "call a person";

export interface RefundStep {
  state: RefundState;
  effects: RefundEffect[];
}

const to = (state: RefundState, ...effects: RefundEffect[]): RefundStep => ({ state, effects });

/** Late, repeated and reordered news change nothing. */
const unmoved = (state: RefundState): Record<RefundNews, RefundStep> => ({
  approved: to(state),
  declined: to(state),
  taken: to(state),
  refused: to(state),
  "under way": to(state),
  done: to(state),
  failed: to(state),
  amiss: to(state),
  "done amiss": to(state),
  "paid out": to(state),
  "called off": to(state),
  overdue: to(state),
});

/** A refund's state × news → its next state and what follows. */
export const refundTransitions: Record<RefundState, Record<RefundNews, RefundStep>> = {
  asked: {
    ...unmoved("asked"),
    approved: to("approved", "ask the gateway"),
    declined: to("failed"),
  },
  approved: {
    ...unmoved("approved"),
    taken: to("sent", "tell of sending"),
    refused: to("failed", "call a person"),
    "under way": to("sent", "tell of sending"),
    done: to("done", "money is back"),
    failed: to("failed", "call a person"),
    amiss: to("sent", "call a person"),
    "done amiss": to("done", "money is back", "call a person"),
    "paid out": to("done", "money is back"),
    "called off": to("failed"),
    overdue: to("approved", "call a person"),
  },
  sent: {
    ...unmoved("sent"),
    done: to("done", "money is back"),
    failed: to("failed", "call a person"),
    amiss: to("sent", "call a person"),
    "done amiss": to("done", "money is back", "call a person"),
    overdue: to("sent", "call a person"),
  },
  done: unmoved("done"),
  // A refund that the gateway called failed may still go back, just as a failed payment may still be captured.
  failed: {
    ...unmoved("failed"),
    "under way": to("sent"),
    done: to("done", "money is back"),
    "done amiss": to("done", "money is back", "call a person"),
  },
};

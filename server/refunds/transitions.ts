import type { RefundState } from "../../contract/refunds.ts";

/** Everything that can be learnt about a refund. */
export type RefundNews =
  // What administrators say.
  | "approved"
  | "declined"
  // The gateway's answer to our request: it has it, or will not have it.
  | "taken"
  | "refused"
  // The gateway's answer to our question what it has: the request is there, and stands so.
  | "under way"
  | "done"
  | "failed"
  // It is there with another amount than was asked for, and is under way or done so.
  | "amiss"
  | "done amiss"
  // Of money that came by transfer: an administrator has paid it out, or it is not paid out after all.
  | "paid out"
  | "called off"
  // What time brings: not taken for a day, or not done for many.
  | "overdue";

/** What follows beside the refund's own state. */
export type RefundEffect =
  | "ask the gateway"
  // Whoever paid is told that the money is on its way, or that it has gone back.
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
  // What the gateway called failed may go back all the same, as a late capture does.
  failed: {
    ...unmoved("failed"),
    "under way": to("sent"),
    done: to("done", "money is back"),
    "done amiss": to("done", "money is back", "call a person"),
  },
};

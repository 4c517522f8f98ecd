import type { AttemptState } from "../database/schema/index.ts";

/** Everything that can be learnt about an attempt to pay. */
export type News =
  // A signed message, by the browser's return or by webhook. Proves nothing: “captured” may mean authorised only.
  | "said success"
  | "said failure"
  | "said pending"
  | "said nothing"
  // The gateway's own answer to our question.
  | "captured"
  | "captured amiss"
  | "failed"
  | "under way"
  | "not begun"
  | "given back"
  // All that was captured has been refunded, without having paid for anything.
  | "refunded"
  // The passing of time: not begun or under way for too long, or called a success and not confirmed for a day.
  | "timed out"
  | "unconfirmed";

/** Effects besides the attempt's own state. */
export type Effect = "ask the gateway" | "remember the claim" | "pay the order" | "call a person";

export interface Step {
  state: AttemptState;
  effects: Effect[];
}

const to = (state: AttemptState, ...effects: Effect[]): Step => ({ state, effects });

/** While nothing has been decided. */
const open = (state: "initiated" | "pending"): Record<News, Step> => ({
  "said success": to("pending", "remember the claim", "ask the gateway"),
  "said failure": to("pending", "ask the gateway"),
  "said pending": to("pending"),
  "said nothing": to(state),
  captured: to("success", "pay the order"),
  "captured amiss": to("review", "call a person"),
  failed: to("failure"),
  "under way": to("pending"),
  "not begun": to(state),
  "given back": to(state),
  refunded: to(state),
  "timed out": to("expired"),
  unconfirmed: to(state, "call a person"),
});

/** Seemingly ended without money: only the gateway's own answer can turn it into a success. */
const ended = (state: "failure" | "expired"): Record<News, Step> => ({
  "said success": to(state, "remember the claim", "ask the gateway"),
  "said failure": to(state),
  "said pending": to(state, "ask the gateway"),
  "said nothing": to(state),
  captured: to("success", "pay the order"),
  "captured amiss": to("review", "call a person"),
  failed: to(state),
  "under way": to(state),
  "not begun": to(state),
  "given back": to(state),
  refunded: to(state),
  "timed out": to(state),
  unconfirmed: to(state, "call a person"),
});

/** Paid, in review or refunded: late, repeated and reordered news change nothing. */
const settled = (state: "success" | "review" | "refunded"): Record<News, Step> => ({
  "said success": to(state),
  "said failure": to(state),
  "said pending": to(state),
  "said nothing": to(state),
  captured: to(state),
  "captured amiss": to(state),
  failed: to(state),
  "under way": to(state),
  "not begun": to(state),
  "given back": to(state),
  refunded: to(state),
  "timed out": to(state),
  unconfirmed: to(state),
});

/** An attempt's state × news → its next state and what follows. */
export const transitions: Record<AttemptState, Record<News, Step>> = {
  initiated: open("initiated"),
  pending: open("pending"),
  success: { ...settled("success"), "given back": to("success", "call a person") },
  failure: ended("failure"),
  expired: ended("expired"),
  review: { ...settled("review"), refunded: to("refunded") },
  refunded: settled("refunded"),
};

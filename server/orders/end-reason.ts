import type { AttemptState } from "../database/schema/index.ts";
import type { PaymentFailure } from "../outside/payments/gateway.ts";

const failures: Record<PaymentFailure, string> = {
  cancelled: "Cancelled on the payment page.",
  declined: "The bank declined the payment.",
  left: "The payment page was left before the payment was finished.",
  "given back": "The bank confirmed too late, and the gateway gave the money back.",
  unknown: "The payment did not go through.",
};

/** Why an attempt ended, in plain words for the buyer; null for one that needs no reason. */
export function endReason(state: AttemptState, why: PaymentFailure = "unknown"): string | null {
  if (state === "failure") return failures[why];
  if (state === "expired") return "The payment was not finished in time.";
  return state === "review" ? "We are checking this payment." : null;
}

import { cancelledPayment } from "../../contract/cancelled-payment.ts";
import type { AttemptState } from "../database/schema/index.ts";
import type { PaymentFailure } from "../outside/payments/gateway.ts";

/** The single table of payment failures: what each one of the gateway means, in words for the payer. */
export const failures: Record<PaymentFailure, string> = {
  cancelled: cancelledPayment,
  declined: "The bank declined the payment.",
  left: "The payment page was left before the payment was finished.",
  "given back": "The bank confirmed too late, and the gateway gave the money back.",
  "no funds": "There was not enough money in the account, or not enough left of the card's limit.",
  "over limit": "The amount is above what this card or account may pay online. Your bank can raise the limit.",
  "wrong details": "A detail of the card or account was not right. Please check it and try again.",
  "not authenticated":
    "The bank could not confirm that it was you: the one-time password or PIN was wrong or came too late.",
  "card expired": "The card has expired. Please use another one.",
  "card blocked": "The bank has blocked this card. Please ask your bank, or use another one.",
  "not allowed": "This card may not be used for this payment. Please use another card or another way to pay.",
  "bank down": "The bank could not be reached. Please try again later, or use another way to pay.",
  "too slow": "The payment was not finished in the time that the bank gives. Please try again.",
  unknown: "The payment did not go through.",
};

/** Why an attempt ended, in plain words for the buyer; null for one that needs no reason. */
export function endReason(state: AttemptState, why: PaymentFailure = "unknown"): string | null {
  if (state === "failure") return failures[why];
  if (state === "expired") return "The payment was not finished in time.";
  if (state === "refunded") return "All of this payment was given back.";
  return state === "review" ? "We are checking this payment." : null;
}

/** Failure sentences that advise or address the payer, each with a version that states the fact alone. */
const factsAlone: ReadonlyMap<string, string> = new Map([
  [failures["over limit"], "The amount is above what this card or account may pay online."],
  [failures["wrong details"], "A detail of the card or account was not right."],
  [
    failures["not authenticated"],
    "The bank could not confirm who paid: the one-time password or PIN was wrong or came too late.",
  ],
  [failures["card expired"], "The card has expired."],
  [failures["card blocked"], "The bank has blocked this card."],
  [failures["not allowed"], "This card may not be used for this payment."],
  [failures["bank down"], "The bank could not be reached."],
  [failures["too slow"], "The payment was not finished in the time that the bank gives."],
]);

/** Rewords what `endReason` told the payer for their partner and our own staff; attempts keep the buyer's words. */
export const reasonForOthers = (said: string | null): string | null =>
  said === null ? null : (factsAlone.get(said) ?? said);

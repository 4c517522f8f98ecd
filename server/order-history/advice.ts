import { isUnderWay } from "../orders/show-attempts.ts";
import type { OrderFacts } from "./read-facts.ts";
import type { Reader } from "./timeline.ts";

type Advised = Exclude<Reader, "staff">;

/** What a buyer should know or do now, and the same facts for their partner, who can neither pay nor get the mails. */
const advice = {
  goesBackByTransfer: {
    buyer: "Money of this order goes back by bank transfer to the account that paid. We mail you when it is sent.",
    partner:
      "Money of this order goes back by bank transfer to the account that paid. We mail the customer when it is sent.",
  },
  goesBack: forBoth(
    "Money of this order is on its way back to the card or account that paid. Banks take five to seven working days as a rule.",
  ),
  toTransfer: {
    buyer: "Payments Due shows where to transfer how much, and with which reference.",
    partner:
      "This order is to be paid by bank transfer. The customer's own portal shows where to, how much and with which reference.",
  },
  closed: forBoth("Nothing is to be paid for this order any more."),
  underWay: {
    buyer:
      "Please do not pay again: this payment is being confirmed. This page follows it, and we mail you when it is through.",
    partner:
      "This payment is being confirmed; until then the customer should not pay again. This page follows it, and we mail the customer when it is through.",
  },
  review: {
    buyer: "Please do not pay again: something about this payment needs a person's look. We will write to you.",
    partner:
      "Something about this payment needs a person's look; until then the customer should not pay again. We will write to the customer.",
  },
  notPaid: {
    buyer:
      "This order is not paid. You can try again from your quotes while the quote is valid. Should money have left your account all the same, it is either taken for this order or goes back by itself: you need not do anything.",
    partner:
      "This order is not paid. The customer can try again while the quote is valid. Should money have left the customer's account all the same, it is either taken for this order or goes back by itself.",
  },
} satisfies Record<string, Record<Advised, string>>;

function forBoth(sentence: string) {
  return { buyer: sentence, partner: sentence };
}

/** Null if there is nothing to say. */
export function adviceOn(facts: OrderFacts, reader: Advised): string | null {
  const about = topicOf(facts);
  return about && advice[about][reader];
}

function topicOf({ order, tries, refunds }: OrderFacts): keyof typeof advice | null {
  if (order.state === "refund_pending")
    return refunds.some(({ refund }) => refund.attemptId === null && refund.state === "approved")
      ? "goesBackByTransfer"
      : "goesBack";
  if (order.paymentId !== null) return null;
  if (order.state === "awaiting_transfer" || order.state === "invoiced") return "toTransfer";
  if (order.state === "closed") return "closed";
  if (tries.some(isUnderWay)) return "underWay";
  if (order.state === "review") return "review";
  return order.state === "failure" || order.state === "expired" ? "notPaid" : null;
}

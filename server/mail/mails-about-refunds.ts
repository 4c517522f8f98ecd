import type { Brand } from "../../contract/brand.ts";
import { formatRupees } from "../../contract/money.ts";
import type { MailBody } from "./layout.ts";
import { helloTo } from "./words.ts";

/** Mail to the buyer: the refund is under way, or done. */
export interface MailAboutRefund {
  template: "refund";
  stage: "sent" | "done";
  name: string;
  orderNumber: string;
  amountPaise: number;
  /** For a refund by bank transfer. */
  bankReference?: string;
  /** Whether it belongs to another order, and was taken off this one. */
  isMoved?: boolean;
  link: string;
}

const stages = {
  sent: {
    subject: "Your refund is under way",
    text: "We have told the payment gateway to give this money back. It goes to the card or account that paid; banks take five to seven working days as a rule. You need not do anything.",
  },
  done: {
    subject: "Your money was given back",
    text: "The payment gateway has given this money back to the card or account that paid. If your bank does not show it within seven working days, please write to us with the number of the order.",
  },
};

const moved = {
  subject: "A transfer was taken off your order",
  text: "We had entered a bank transfer for this order that belongs to another one, and have taken it off again. No money moves at your bank. What is still to be paid, if anything, stands under Payments Due.",
};

const transferred =
  "We have given this money back by bank transfer, to the account that paid. If your bank does not show it within two working days, please write to us with the reference below.";

export const writersAboutRefunds = {
  refund: (
    { stage, name, orderNumber, amountPaise, bankReference, isMoved, link }: MailAboutRefund,
    brand: Brand,
  ): MailBody => ({
    subject: `${(isMoved ? moved : stages[stage]).subject}: ${orderNumber}`,
    preview: `${formatRupees(amountPaise)} of the order ${orderNumber}.`,
    heading: (isMoved ? moved : stages[stage]).subject,
    greeting: helloTo(name),
    parts: [
      { text: isMoved ? moved.text : bankReference ? transferred : stages[stage].text },
      {
        facts: [
          [isMoved ? "Taken off" : "Given back", formatRupees(amountPaise)],
          ["Order", orderNumber],
          ...(bankReference ? [["Bank reference", bankReference] as [string, string]] : []),
        ],
      },
      { button: "See the order", link },
      { small: `Does this surprise you? Write to ${brand.emails.support} and we will look into it.` },
      {
        small: "Mails about payments always come. To choose which others you get:",
        link: new URL("/user/account-settings?show=mails", link).href,
      },
    ],
  }),
};

import type { Brand } from "../../contract/brand.ts";
import { formatRupees } from "../../contract/money.ts";
import type { MailBody } from "./layout.ts";
import { helloTo } from "./words.ts";

/** To whoever bought: their money is on its way back, or back. */
export interface MailAboutRefund {
  template: "refund";
  stage: "sent" | "done";
  name: string;
  orderNumber: string;
  amountPaise: number;
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

export const writersAboutRefunds = {
  refund: ({ stage, name, orderNumber, amountPaise, link }: MailAboutRefund, brand: Brand): MailBody => ({
    subject: `${stages[stage].subject}: ${orderNumber}`,
    preview: `${formatRupees(amountPaise)} of the order ${orderNumber}.`,
    heading: stages[stage].subject,
    greeting: helloTo(name),
    parts: [
      { text: stages[stage].text },
      {
        facts: [
          ["Given back", formatRupees(amountPaise)],
          ["Order", orderNumber],
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

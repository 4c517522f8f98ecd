import type { ActionQueue } from "../../contract/action-queues.ts";
import type { Telling } from "./kinds.ts";

/** The facts in each kind of notice about money that goes back, or is given up. */
export interface NoticeFactsOfRefunds {
  "refund to approve": OfRefund;
  "write-off to approve": OfRefund;
  "refund to look at": OfRefund;
  "refund sent": OfRefund;
  "refund done": OfRefund;
}
interface OfRefund {
  organizationName: string;
  orderNumber: string;
  amount: string;
  /** Whether it belongs to another order, and no money moved at the bank. */
  isMoved?: boolean;
}

/** The path of a list that shows what fits these words. */
export const found = (path: string, search: string) => `${path}?search=${encodeURIComponent(search)}`;

const wentBack = ({ orderNumber, isMoved }: OfRefund) =>
  isMoved ? `A transfer was taken off ${orderNumber}` : `Money of ${orderNumber} was given back`;

const waitsForSecond = (what: string, queue: ActionQueue): Telling<OfRefund> => ({
  to: "provider",
  title: ({ orderNumber }) => `A ${what} of ${orderNumber} waits for another main administrator`,
  text: ({ organizationName, amount }) =>
    `${amount} of ${organizationName}. Main administrators who did not ask for it can agree.`,
  link: () => `/admin/actions?queue=${queue}`,
});

/** Who is told what about it; part of `noticeKinds`. */
export const noticesOfRefunds: {
  [Kind in keyof NoticeFactsOfRefunds]: readonly Telling<NoticeFactsOfRefunds[Kind]>[];
} = {
  "refund to approve": [waitsForSecond("refund", "refunds")],
  "write-off to approve": [waitsForSecond("write-off", "writeOffs")],
  "refund to look at": [
    {
      to: "provider",
      title: ({ orderNumber }) => `A refund of ${orderNumber} needs a look`,
      text: ({ organizationName, amount }) => `${amount} of ${organizationName}.`,
      link: () => "/admin/actions?queue=refunds",
    },
  ],
  "refund sent": [
    {
      to: "customer",
      title: ({ orderNumber }) => `A refund of ${orderNumber} is under way`,
      text: ({ amount }) => `${amount} go back to the card or account that paid.`,
      link: ({ orderNumber }) => found("/user/orderhistory", orderNumber),
    },
    {
      to: "partner",
      title: ({ orderNumber }) => `A refund of ${orderNumber} is under way`,
      text: ({ organizationName, amount }) => `${amount} go back to ${organizationName}.`,
      link: ({ organizationName }) => found("/partner/listuser", organizationName),
    },
  ],
  "refund done": [
    {
      to: "customer",
      title: wentBack,
      text: ({ amount, isMoved }) =>
        isMoved
          ? `${amount} belonged to another order. No money moves at your bank.`
          : `${amount} went back to the card or account that paid.`,
      link: ({ orderNumber }) => found("/user/orderhistory", orderNumber),
    },
    {
      to: "partner",
      title: wentBack,
      text: ({ organizationName, amount, isMoved }) =>
        isMoved ? `${amount} belonged to another order.` : `${amount} went back to ${organizationName}.`,
      link: ({ organizationName }) => found("/partner/listuser", organizationName),
    },
  ],
};

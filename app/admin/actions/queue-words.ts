import type { ActionQueue } from "../../../contract/action-queues.ts";

interface QueueWords {
  /** What the queue's entries are, and what to do with them. */
  hint: string;
  /** What an empty queue means. */
  empty: string;
  /** The label of the retry button; null where only a person can act. */
  retry: string | null;
}

/** What the screen says about each queue. */
export const queueWords: Record<ActionQueue, QueueWords> = {
  payments: {
    hint: "Payments that the software can't settle by itself: look them up at the gateway, and note what you found.",
    empty: "No payment waits for a person. One that the gateway reports strangely comes here by itself.",
    retry: "Ask the gateway again",
  },
  refunds: {
    hint: "Refunds that wait for another main administrator, and those that the gateway refused, gave up or does not finish.",
    empty:
      "No refund waits for a person. What needs another main administrator, or goes wrong at the gateway, comes here.",
    retry: "Ask the gateway again",
  },
  mails: {
    hint: "Mails that were tried and did not go out. They are tried again by themselves until they go out or expire.",
    empty: "All mail has gone out. One that its mail server does not take comes here after the first try.",
    retry: "Send it again",
  },
  proposals: {
    hint: "Quotes whose proposal was not made ten minutes after it was due. It is tried again by itself, ever less often.",
    empty: "Every proposal is made. One that is not there ten minutes after its quote comes here.",
    retry: "Render it again",
  },
  invoices: {
    hint: "Paid orders whose invoice was not made ten minutes after the payment. It is tried again by itself, ever less often.",
    empty: "Every invoice is made. One that is not there ten minutes after its payment comes here.",
    retry: "Render it again",
  },
  eInvoices: {
    hint: "Invoices and credit notes that the government’s portal refused or does not answer about: they go out only once it has registered them. Correct what it names, then send them again.",
    empty: "Every invoice that has to be registered is. One that the portal refuses comes here with its reasons.",
    retry: "Send it again",
  },
  engines: {
    hint: "Engines of customers that failed three times in a row: what they watch is not known since their last answer. They are asked again by themselves.",
    empty: "Every engine that is bound to a customer answers. One that fails three times in a row comes here.",
    retry: "Ask the engine again",
  },
  dashboards: {
    hint: "Customers who have paid and have no dashboards yet: open the customer and activate them.",
    empty: "Every customer who has paid has dashboards. One who pays first comes here.",
    retry: null,
  },
};

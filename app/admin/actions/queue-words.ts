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
    empty: "No payment needs a person. If the gateway reports something unexpected, it appears here.",
    retry: "Ask the gateway again",
  },
  refunds: {
    hint: "Refunds that wait for a second main administrator, and those that the gateway refused, gave up or has not finished.",
    empty:
      "No refund needs a person. Those that need a second main administrator, or fail at the gateway, appear here.",
    retry: "Ask the gateway again",
  },
  writeOffs: {
    hint: "Sums above the limit that somebody wants to write off: agree to each or refuse it, in its order’s History.",
    empty: "No write-off needs a second main administrator. Those above the limit appear here.",
    retry: null,
  },
  mails: {
    hint: "Mails that could not be sent. They are retried automatically until they are sent or expire.",
    empty: "All mail has been sent. Mails that fail appear here after the first try.",
    retry: "Send it again",
  },
  proposals: {
    hint: "Quotes whose proposal is more than ten minutes late. It is retried automatically, less and less often.",
    empty: "All proposals have been made. Those more than ten minutes late appear here.",
    retry: "Render it again",
  },
  invoices: {
    hint: "Paid orders whose invoice is more than ten minutes late. It is retried automatically, less and less often.",
    empty: "All invoices have been made. Those more than ten minutes late appear here.",
    retry: "Render it again",
  },
  eInvoices: {
    hint: "Invoices and credit notes that the government’s portal refused or has not answered. They reach the customer only once registered: correct what the portal names, then send them again.",
    empty: "All invoices that need it are registered. Those that the portal refuses appear here with its reasons.",
    retry: "Send it again",
  },
  engines: {
    hint: "Engines that failed three times in a row: the state of what they watch is unknown since their last answer. They are retried automatically.",
    empty: "All engines answer. Those that fail three times in a row appear here.",
    retry: "Ask the engine again",
  },
  dashboards: {
    hint: "Customers who have paid and have no dashboards yet: open the customer and activate them.",
    empty: "Every customer who has paid has dashboards. New customers appear here when they have paid.",
    retry: null,
  },
};

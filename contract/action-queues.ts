/** What a queue is called and what can be asked for in it. */
interface QueueFacts {
  /** In a tab, and as a heading by itself. */
  label: string;
  title: string;
  /** What its entries are, and what to do with them. */
  hint: string;
  /** What an empty queue means. */
  empty: string;
  /** What the software can be asked to do once more; null where only a person can do something. */
  retry: string | null;
  /** What is said once it was asked for. */
  retried: string;
}

/**
 * THE action queues: what waits for somebody of the operator. Each has its side in server/actions/queues.ts, whose type
 * demands it, and triggers or the sweep that let entries come and go (decision 46).
 */
export const actionQueues = {
  payments: {
    label: "Payments",
    title: "Payments that need a look",
    hint: "Payments that the software can't settle by itself: look them up at the gateway, and note what you found.",
    empty: "No payment waits for a person. One that the gateway reports strangely comes here by itself.",
    retry: "Ask the gateway again",
    retried: "The gateway is asked again. What it confirms leaves the queue by itself.",
  },
  mails: {
    label: "Failed mails",
    title: "Failed mails",
    hint: "Mails that were tried and did not go out. They are tried again by themselves until they go out or expire.",
    empty: "All mail has gone out. One that its mail server does not take comes here after the first try.",
    retry: "Send it again",
    retried: "The mail is tried again now. Once it is out, it leaves the queue by itself.",
  },
  proposals: {
    label: "Proposals",
    title: "Proposals that were not made",
    hint: "Quotes whose proposal was not made ten minutes after it was due. It is tried again by itself, ever less often.",
    empty: "Every proposal is made. One that is not there ten minutes after its quote comes here.",
    retry: "Render it again",
    retried: "The proposal is made again now. Once it is there, its mail goes out and it leaves the queue by itself.",
  },
  invoices: {
    label: "Invoices",
    title: "Invoices that were not made",
    hint: "Paid orders whose invoice was not made ten minutes after the payment. It is tried again by itself, ever less often.",
    empty: "Every invoice is made. One that is not there ten minutes after its payment comes here.",
    retry: "Render it again",
    retried: "The invoice is made again now. Once it is there, its mail goes out and it leaves the queue by itself.",
  },
  dashboards: {
    label: "Dashboards to activate",
    title: "Paid customers without dashboards",
    hint: "Customers who have paid and have no dashboards yet: open the customer and activate them.",
    empty: "Every customer who has paid has dashboards. One who pays first comes here.",
    retry: null,
    retried: "",
  },
} as const satisfies Record<string, QueueFacts>;
export type ActionQueue = keyof typeof actionQueues;

export const actionQueueNames = Object.keys(actionQueues) as [ActionQueue, ...ActionQueue[]];

/**
 * THE action queues: what waits for somebody of the operator, as it is called in a tab and in a heading. What can be done
 * in each stands in server/actions/queues.ts, and what is said about it in app/admin/actions/queue-words.ts; their types
 * demand an entry for each. Triggers or the sweep let what waits come and go (decision 46).
 */
export const actionQueues = {
  payments: { label: "Payments", title: "Payments that need a look" },
  refunds: { label: "Refunds", title: "Refunds that wait for somebody" },
  mails: { label: "Failed mails", title: "Failed mails" },
  proposals: { label: "Proposals", title: "Proposals that were not made" },
  invoices: { label: "Invoices", title: "Invoices that were not made" },
  eInvoices: { label: "E-invoices", title: "Invoices that the portal has not registered" },
  engines: { label: "Engines", title: "Engines that give no answer" },
  dashboards: { label: "Dashboards to activate", title: "Paid customers without dashboards" },
} as const satisfies Record<string, { label: string; title: string }>;
export type ActionQueue = keyof typeof actionQueues;

export const actionQueueNames = Object.keys(actionQueues) as [ActionQueue, ...ActionQueue[]];

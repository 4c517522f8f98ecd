/**
 * All action queues: work that waits for the operator's staff, with its label for the tab and its title for the
 * heading.
 * server/actions/queues.ts defines what can be done in each and app/admin/actions/queue-words.ts describes it; their
 * types demand an entry for each queue. Triggers or the sweep open and close the entries (decision 46).
 */
export const actionQueues = {
  payments: { label: "Payments", title: "Payments that need a look" },
  refunds: { label: "Refunds", title: "Refunds that wait for somebody" },
  writeOffs: { label: "Write-offs", title: "Write-offs that wait for somebody" },
  mails: { label: "Failed mails", title: "Failed mails" },
  proposals: { label: "Proposals", title: "Proposals that were not made" },
  invoices: { label: "Invoices", title: "Invoices that were not made" },
  eInvoices: { label: "E-invoices", title: "Invoices that the portal has not registered" },
  engines: { label: "Engines", title: "Engines that give no answer" },
  dashboards: { label: "Dashboards to activate", title: "Paid customers without dashboards" },
} as const satisfies Record<string, { label: string; title: string }>;
export type ActionQueue = keyof typeof actionQueues;

export const actionQueueNames = Object.keys(actionQueues) as [ActionQueue, ...ActionQueue[]];

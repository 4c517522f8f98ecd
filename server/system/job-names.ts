import type { JobName } from "../jobs/jobs.ts";

/** What the jobs of each queue do, as an administrator reads it. */
export const jobNames: Record<JobName, string> = {
  "send-mail": "Send mails",
  "mail-reset-link": "Mail links to set a password",
  "render-proposal": "Make proposals",
  "render-acceptance": "Make accepted proposals with their evidence",
  "render-invoice": "Make invoices",
  "render-credit-note": "Make credit notes",
  "render-proforma": "Make proforma invoices",
  "render-receipt": "Make receipts for advances",
  "remind-of-dues": "Remind of payments that are due",
  "reconcile-payments": "Ask the gateway about payments",
  "settle-refunds": "Send refunds, and ask the gateway about them",
  "settle-e-invoices": "Register invoices with the portal",
  "renew-contracts": "Quote the next year of contracts that end",
  "true-up-contracts": "Compare connected devices with contracts",
  "answer-data-request": "Make copies of data, and erase",
  "remind-owners": "Remind owners of leads",
  "publish-articles": "Publish articles at their time",
  "remove-unused-images": "Remove images that no article shows",
  "deliver-announcement": "Deliver announcements",
  "poll-engines": "Look which engines are to be asked",
  "poll-engine": "Ask an engine",
  sweep: "Look for what is owed",
  "apply-retention": "Delete what has passed its time",
  "seal-audit": "Seal the audit log",
};

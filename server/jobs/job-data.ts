/** Every queue and its jobs' data. The handlers are in each capability's jobs.ts. */
export interface JobData {
  "send-mail": { mailId: string };
  "mail-reset-link": { email: string };
  "render-proposal": { quoteId: string };
  "render-acceptance": { decisionId: string };
  "render-invoice": { invoiceId: string };
  "render-credit-note": { creditNoteId: string };
  "render-proforma": { proformaId: string };
  "render-receipt": { receiptId: string };
  "render-refund-voucher": { refundVoucherId: string };
  "remind-of-dues": Record<string, never>;
  "reconcile-payments": Record<string, never>;
  "settle-refunds": Record<string, never>;
  "settle-e-invoices": Record<string, never>;
  /** Only those after this one: a run that takes too long is continued by another. */
  "renew-contracts": { after?: string };
  "true-up-contracts": Record<string, never>;
  "answer-data-request": { requestId: string };
  "remind-owners": Record<string, never>;
  "publish-articles": Record<string, never>;
  /**
   * With `images`, these at once, because the draft that used them was deleted; without, all that have been unused for
   * a day.
   */
  "remove-unused-images": { images?: string[] };
  "deliver-announcement": { announcementId: string };
  "poll-engines": Record<string, never>;
  "poll-engine": { bindingId: string };
  "note-sources": Record<string, never>;
  /** Only those after this one: a run that takes too long is continued by another. */
  "make-service-reports": { after?: string };
  "render-service-report": { reportId: string };
  "count-coverage": Record<string, never>;
  "keep-coverage": Record<string, never>;
  "follow-onboardings": Record<string, never>;
  "warn-of-clocks": Record<string, never>;
  /** Changes in incidents that only the passing of time causes. */
  "watch-incidents": Record<string, never>;
  /** An engine has reported cases. */
  "take-incidents": { bindingId: string };
  "send-engine-remark": { remarkId: string };
  "tell-on-call": { incidentId: string };
  sweep: Record<string, never>;
  "apply-retention": Record<string, never>;
  "seal-audit": Record<string, never>;
}

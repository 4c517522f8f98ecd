import { and, isNull, not } from "drizzle-orm";
import { creditNotes, invoices } from "../database/schema/index.ts";
import { creditNoteWaits, invoiceWaits } from "../e-invoices/of-invoice.ts";
import type { JobTable } from "../job.ts";
import { deliverCreditNote } from "./credit-notes.ts";
import { deliverInvoice } from "./invoices.ts";

export const billingJobs: JobTable<"render-invoice" | "render-credit-note"> = {
  "render-invoice": {
    run: (services, { invoiceId }) => deliverInvoice(services, invoiceId),
    owed: {
      table: invoices,
      since: invoices.issuedAt,
      missing: and(isNull(invoices.file), not(invoiceWaits)),
      key: "invoiceId",
    },
  },
  "render-credit-note": {
    run: (services, { creditNoteId }) => deliverCreditNote(services, creditNoteId),
    owed: {
      table: creditNotes,
      since: creditNotes.issuedAt,
      missing: and(isNull(creditNotes.file), not(creditNoteWaits)),
      key: "creditNoteId",
    },
  },
};

import { and, isNull, not } from "drizzle-orm";
import { creditNotes, invoices, proformas, receipts, refundVouchers } from "../database/schema/index.ts";
import { creditNoteWaits, invoiceWaits } from "../e-invoices/of-invoice.ts";
import type { JobTable } from "../job.ts";
import { deliverCreditNote } from "./credit-notes.ts";
import { deliverInvoice } from "./invoices.ts";
import { deliverProforma } from "./proformas.ts";
import { deliverReceipt } from "./receipts.ts";
import { deliverRefundVoucher } from "./refund-vouchers.ts";

export const billingJobs: JobTable<
  "render-invoice" | "render-credit-note" | "render-proforma" | "render-receipt" | "render-refund-voucher"
> = {
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
  "render-proforma": {
    run: (services, { proformaId }) => deliverProforma(services, proformaId),
    owed: { table: proformas, since: proformas.issuedAt, missing: isNull(proformas.file), key: "proformaId" },
  },
  "render-receipt": {
    run: (services, { receiptId }) => deliverReceipt(services, receiptId),
    owed: { table: receipts, since: receipts.issuedAt, missing: isNull(receipts.file), key: "receiptId" },
  },
  "render-refund-voucher": {
    run: (services, { refundVoucherId }) => deliverRefundVoucher(services, refundVoucherId),
    owed: {
      table: refundVouchers,
      since: refundVouchers.issuedAt,
      missing: isNull(refundVouchers.file),
      key: "refundVoucherId",
    },
  },
};

import { isNull } from "drizzle-orm";
import { invoices } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { deliverInvoice } from "./invoices.ts";
import { reconcilePayments } from "./reconcile.ts";

export const orderJobs: JobTable<"render-invoice" | "reconcile-payments"> = {
  "render-invoice": {
    run: (services, { invoiceId }) => deliverInvoice(services, invoiceId),
    owed: { table: invoices, since: invoices.issuedAt, missing: isNull(invoices.file), key: "invoiceId" },
  },
  "reconcile-payments": {
    run: (services) => reconcilePayments(services),
    retryLimit: 0,
    clock: "* * * * *",
    // A stop may have cut off a buyer's payment: it is not made to wait for the clock.
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

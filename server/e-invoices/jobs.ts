import type { JobTable } from "../job.ts";
import { settleEInvoices } from "./settle-e-invoices.ts";

export const eInvoiceJobs: JobTable<"settle-e-invoices"> = {
  "settle-e-invoices": {
    run: (services) => settleEInvoices(services),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one, and each row says by itself that it waits" },
  },
};

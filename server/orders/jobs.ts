import type { JobTable } from "../job.ts";
import { reconcilePayments } from "./reconcile-payments.ts";

export const orderJobs: JobTable<"reconcile-payments"> = {
  "reconcile-payments": {
    run: (services) => reconcilePayments(services),
    retryLimit: 0,
    clock: "* * * * *",
    // A restart may have cut off a buyer's payment, which should not wait for the clock.
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

import type { JobTable } from "../job.ts";
import { settleRefunds } from "./settle-refunds.ts";

export const refundJobs: JobTable<"settle-refunds"> = {
  "settle-refunds": {
    run: (services) => settleRefunds(services),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

import type { JobTable } from "../job.ts";
import { remindOfDues } from "./remind-of-dues.ts";

export const ledgerJobs: JobTable<"remind-of-dues"> = {
  "remind-of-dues": {
    run: (services) => remindOfDues(services),
    retryLimit: 3,
    // At 09:30 in India.
    clock: "0 4 * * *",
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

import type { JobTable } from "../job.ts";
import { remindOfDues } from "../ledger/remind-of-dues.ts";
import { expireProformas } from "./expire-proformas.ts";

export const transferJobs: JobTable<"remind-of-dues"> = {
  "remind-of-dues": {
    run: async (services) => {
      await expireProformas(services);
      await remindOfDues(services);
    },
    retryLimit: 3,
    // At 09:30 in India.
    clock: "0 4 * * *",
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

import type { JobTable } from "../job.ts";
import { remindOwners } from "./remind.ts";

export const leadJobs: JobTable<"remind-owners"> = {
  "remind-owners": {
    run: async (services) => void (await remindOwners(services)),
    retryLimit: 3,
    // From 08:00 to 19:00 in India; the next hour makes up for a missed run.
    clock: "30 2-13 * * *",
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

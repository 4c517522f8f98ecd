import type { JobTable } from "../job.ts";
import { warnOfClocks } from "./warn-of-clocks.ts";

export const obligationJobs: JobTable<"warn-of-clocks"> = {
  "warn-of-clocks": {
    run: (services) => warnOfClocks(services),
    retryLimit: 3,
    clock: "*/10 * * * *",
    atStart: true,
    owed: { nothingBecause: "the next run does what this one has not" },
  },
};

import type { JobTable } from "../job.ts";
import { countAllDue } from "./recount.ts";
import { takeSnapshots } from "./snapshots.ts";

export const coverageJobs: JobTable<"count-coverage" | "keep-coverage"> = {
  "count-coverage": {
    run: (services) => countAllDue(services),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the next run counts what this one has not" },
  },
  "keep-coverage": {
    run: (services) => takeSnapshots(services),
    retryLimit: 0,
    // Days in some time zones begin at half or quarter hours.
    clock: "*/5 * * * *",
    atStart: true,
    owed: { nothingBecause: "the next run keeps what this one has not, within the first hour of a day" },
  },
};

import type { JobTable } from "../job.ts";
import { pollEngine } from "./poll.ts";
import { pollDue } from "./poll-due.ts";

/** So many engines are asked at once by one process. */
const atOnce = 16;

export const engineJobs: JobTable<"poll-engines" | "poll-engine"> = {
  "poll-engines": {
    run: (services) => pollDue(services),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
  "poll-engine": {
    run: (services, { bindingId }) => pollEngine(services, bindingId),
    atOnce,
    // The row keeps when it is asked again, and how it failed.
    retryLimit: 0,
    owed: { nothingBecause: "each binding carries its next poll, which the clock looks for" },
  },
};

import type { JobTable } from "../job.ts";
import { pollEngine } from "./poll.ts";
import { pollDue } from "./poll-due.ts";

/** How many engines one process polls at once. */
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
    // The rows record failures and the next poll.
    retryLimit: 0,
    owed: { nothingBecause: "each binding carries its next poll, which the clock looks for" },
  },
};

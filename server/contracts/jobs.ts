import type { JobTable } from "../job.ts";
import { renewContracts } from "./renewals.ts";
import { trueUpContracts } from "./true-ups.ts";

export const contractJobs: JobTable<"renew-contracts" | "true-up-contracts"> = {
  "renew-contracts": {
    run: (services, { after }) => renewContracts(services, after),
    retryLimit: 3,
    // Shortly after midnight in India.
    clock: "35 18 * * *",
    atStart: true,
    owed: { nothingBecause: "the next run does what this one has not" },
  },
  "true-up-contracts": {
    run: (services) => trueUpContracts(services),
    retryLimit: 3,
    clock: "45 18 * * *",
    atStart: true,
    owed: { nothingBecause: "the next run does what this one has not" },
  },
};

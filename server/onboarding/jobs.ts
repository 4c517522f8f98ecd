import type { JobTable } from "../job.ts";
import { followOnboardings } from "./follow-onboardings.ts";

export const onboardingJobs: JobTable<"follow-onboardings"> = {
  "follow-onboardings": {
    run: (services) => followOnboardings(services),
    retryLimit: 3,
    clock: "20 * * * *",
    atStart: true,
    owed: { nothingBecause: "the next run does what this one has not" },
  },
};

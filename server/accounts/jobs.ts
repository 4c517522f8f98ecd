import type { JobTable } from "../job.ts";
import { mailResetLink } from "./password-change.ts";

export const accountJobs: JobTable<"mail-reset-link"> = {
  "mail-reset-link": {
    run: (services, { email }) => mailResetLink(services, email),
    owed: { nothingBecause: "who asked can ask again; a link that comes a day later would only alarm" },
  },
};

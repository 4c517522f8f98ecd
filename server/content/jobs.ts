import type { JobTable } from "../job.ts";
import { removeUnusedImages } from "./article-images.ts";
import { publishDue } from "./publish-article.ts";

export const contentJobs: JobTable<"publish-articles" | "remove-unused-images"> = {
  "publish-articles": {
    run: async (services) => void (await publishDue(services)),
    retryLimit: 3,
    // Scheduling an article adds a job for its exact second; this catches up, within a minute, on what came due while
    // nothing ran.
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
  "remove-unused-images": {
    run: async (services, { images }) => void (await removeUnusedImages(services, images)),
    retryLimit: 0,
    clock: "23 * * * *",
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

import { inArray } from "drizzle-orm";
import { dataRequests } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { answerDataRequest } from "./answer-data-request.ts";

export const dataRequestJobs: JobTable<"answer-data-request"> = {
  "answer-data-request": {
    // An export with a hundred thousand quotes takes half a minute on an idle server.
    expireInSeconds: 900,
    run: (services, { requestId }) => answerDataRequest(services, requestId),
    owed: {
      table: dataRequests,
      since: dataRequests.askedAt,
      missing: inArray(dataRequests.state, ["waiting", "removing"]),
      key: "requestId",
    },
  },
};

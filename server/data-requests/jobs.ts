import { inArray } from "drizzle-orm";
import { dataRequests } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { answerDataRequest } from "./answer-data-request.ts";

export const dataRequestJobs: JobTable<"answer-data-request"> = {
  "answer-data-request": {
    // Somebody's hundred thousand quotes take half a minute where there is little else to do.
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

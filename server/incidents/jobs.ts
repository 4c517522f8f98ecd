import { and, isNotNull, isNull } from "drizzle-orm";
import { engineRemarks, incidents } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { sendRemark } from "./engine-remarks.ts";
import { tellOnCall } from "./tell-on-call.ts";
import { takeEngineIncidents } from "./take-engine-incidents.ts";
import { watchIncidents } from "./watch-incidents.ts";

export const incidentJobs: JobTable<"watch-incidents" | "take-incidents" | "send-engine-remark" | "tell-on-call"> = {
  "watch-incidents": {
    run: (services) => watchIncidents(services),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
  "take-incidents": {
    run: (services, { bindingId }) => takeEngineIncidents(services, bindingId),
    atOnce: 4,
    retryLimit: 3,
    owed: { nothingBecause: "the next poll of the engine adds another one" },
  },
  "send-engine-remark": {
    run: (services, { remarkId }) => sendRemark(services, remarkId),
    atOnce: 4,
    owed: {
      table: engineRemarks,
      since: engineRemarks.createdAt,
      missing: and(isNull(engineRemarks.sentAt), isNull(engineRemarks.givenUpAt)),
      key: "remarkId",
    },
  },
  "tell-on-call": {
    run: (services, { incidentId }) => tellOnCall(services, incidentId),
    atOnce: 4,
    owed: {
      table: incidents,
      since: incidents.onCallAskedAt,
      missing: and(isNotNull(incidents.onCallAskedAt), isNull(incidents.onCallToldAt)),
      key: "incidentId",
    },
  },
};

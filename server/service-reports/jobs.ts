import { isNull } from "drizzle-orm";
import { serviceReports } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { deliverServiceReport } from "./deliver-report.ts";
import { makeServiceReports } from "./make-reports.ts";
import { noteSources } from "./note-sources.ts";

export const serviceReportJobs: JobTable<"note-sources" | "make-service-reports" | "render-service-report"> = {
  "note-sources": {
    run: (services) => noteSources(services),
    retryLimit: 3,
    clock: "12 * * * *",
    owed: { nothingBecause: "the next run notes what this one has not" },
  },
  "make-service-reports": {
    run: (services, { after }) => makeServiceReports(services, after),
    retryLimit: 3,
    // Months end at different hours in different time zones.
    clock: "25 * * * *",
    owed: { nothingBecause: "the next run makes what this one has not" },
  },
  "render-service-report": {
    run: (services, { reportId }) => deliverServiceReport(services, reportId),
    owed: {
      table: serviceReports,
      since: serviceReports.createdAt,
      missing: isNull(serviceReports.file),
      key: "reportId",
    },
  },
};

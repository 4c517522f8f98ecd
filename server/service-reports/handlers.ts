import type { Handlers } from "../call.ts";
import { listAllReports, listOwnReports, listReportsOfPartner } from "./queries.ts";

import { readServiceOfAll, readServiceOfPartner } from "./service-of-customers.ts";
import { readServiceView } from "./service-view.ts";

export const serviceReportHandlers = {
  "user/service": (services, { scope }) => readServiceView(services, scope),
  "partner/service": (services, { scope }, query) => readServiceOfPartner(services, scope, query),
  "admin/service": (services, { scope }, query) => readServiceOfAll(services, scope, query),
  "user/reports": (services, { scope }, query) => listOwnReports(services, scope, query),
  "partner/reports": (services, { scope }, query) => listReportsOfPartner(services, scope, query),
  "admin/reports": (services, { scope }, query) => listAllReports(services, scope, query),
} satisfies Partial<Handlers>;

import { type Handlers, signedIn } from "../call.ts";
import { notFound } from "../failures/failure.ts";
import { findPartnerId } from "../access/reach.ts";
import { findOverview } from "./overview.ts";
import { findPartnerDashboard } from "./partner-dashboard.ts";

export const reportHandlers = {
  "partner/get-partner-dashboard": (services, call) => findPartnerDashboard(services, signedIn(call).organisationId),
  "admin/getPartnerDashboardByEmail": async (services, _call, { email }) => {
    const partnerId = await findPartnerId(services, email);
    if (!partnerId) throw notFound("This partner");
    return findPartnerDashboard(services, partnerId);
  },
  "admin/overview": (services) => findOverview(services),
} satisfies Partial<Handlers>;

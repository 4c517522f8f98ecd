import { reachCustomersOfPartner } from "../access/reach.ts";
import type { Handlers } from "../call.ts";
import { notFound } from "../failures/failure.ts";
import { findOverview } from "./overview.ts";
import { findPartnerDashboard } from "./partner-dashboard.ts";

export const reportHandlers = {
  "partner/get-partner-dashboard": (services, { scope }) => findPartnerDashboard(services, scope),
  "admin/getPartnerDashboardByEmail": async (services, { scope }, { email }) => {
    const partner = await reachCustomersOfPartner(services.database, scope, email);
    if (!partner) throw notFound("This partner");
    return findPartnerDashboard(services, partner);
  },
  "admin/overview": (services, { scope }) => findOverview(services, scope),
} satisfies Partial<Handlers>;

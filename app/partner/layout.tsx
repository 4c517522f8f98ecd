import {
  IconAlertTriangle,
  IconContract,
  IconHistory,
  IconLayoutDashboard,
  IconReportAnalytics,
  IconSettings,
  IconShieldCheck,
  IconUserCog,
  IconUsers,
} from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

const entries: readonly SidebarEntry[] = [
  { to: "/partner/dashboard", label: "Dashboard", icon: IconLayoutDashboard, needs: "partner/get-partner-dashboard" },
  { to: "/partner/coverage", label: "Coverage", icon: IconShieldCheck, needs: "partner/coverage/customers" },
  { to: "/partner/incidents", label: "Incidents", icon: IconAlertTriangle, needs: "partner/incidents" },
  { to: "/partner/reports", label: "Reports", icon: IconReportAnalytics, needs: "partner/reports" },
  { to: "/partner/listuser", label: "Customer List", icon: IconUsers, needs: "partner/users" },
  { to: "/partner/contracts", label: "Contracts", icon: IconContract, needs: "partner/contracts" },
  { to: "/partner/addmyuser", label: "My User", icon: IconUserCog, needs: "partner/children" },
  { to: "/partner/audit", label: "Audit log", icon: IconHistory, needs: "partner/audit" },
  { to: "/partner/account-settings", label: "Account Settings", icon: IconSettings, needs: "user/me" },
];

export default function PartnerLayout() {
  return <DashboardLayout area="partner" entries={entries} />;
}

import {
  IconCalculator,
  IconFileInvoice,
  IconFileText,
  IconLayoutDashboard,
  IconSettings,
  IconUserCog,
} from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

const entries: readonly SidebarEntry[] = [
  { to: "/user/dashboard", label: "Dashboard", icon: IconLayoutDashboard },
  { to: "/user/estimator", label: "Estimator", icon: IconCalculator, roles: ["user"] },
  { to: "/user/myquote", label: "My Quotes", icon: IconFileText },
  { to: "/user/orderhistory", label: "Order History", icon: IconFileInvoice },
  { to: "/user/myuser", label: "My Users", icon: IconUserCog, roles: ["user"] },
  { to: "/user/account-settings", label: "Account Settings", icon: IconSettings },
];

export default function CustomerLayout() {
  return <DashboardLayout area="user" entries={entries} />;
}

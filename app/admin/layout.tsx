import {
  IconBuildingStore,
  IconFileInvoice,
  IconLayoutDashboard,
  IconSettings,
  IconTargetArrow,
  IconUserCog,
  IconUsers,
} from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

const entries: readonly SidebarEntry[] = [
  { to: "/admin/dashboard", label: "Admin Dashboard", icon: IconLayoutDashboard },
  { to: "/admin/customerList", label: "Manage Customer", icon: IconUsers },
  { to: "/admin/partnerList", label: "Manage Partner", icon: IconBuildingStore },
  { to: "/admin/orderData", label: "Order Reports", icon: IconFileInvoice },
  { to: "/admin/estimateOrder", label: "Lead Management", icon: IconTargetArrow, roles: ["admin"] },
  { to: "/admin/estimateOrder", label: "Leads", icon: IconTargetArrow, roles: ["adminChild"] },
  { to: "/admin/addmyuser", label: "My User", icon: IconUserCog, roles: ["admin"] },
  { to: "/admin/account-settings", label: "Account Settings", icon: IconSettings },
];

export default function AdminLayout() {
  return <DashboardLayout area="admin" entries={entries} />;
}

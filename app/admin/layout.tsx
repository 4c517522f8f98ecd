import { IconLayoutDashboard, IconSettings } from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../components/dashboard-layout.tsx";

const entries: readonly SidebarEntry[] = [
  { to: "/admin/dashboard", label: "Admin Dashboard", icon: IconLayoutDashboard },
  { to: "/admin/account-settings", label: "Account Settings", icon: IconSettings },
];

export default function AdminLayout() {
  return <DashboardLayout area="admin" entries={entries} />;
}

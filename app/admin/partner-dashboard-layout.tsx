import { IconArrowLeft, IconLayoutDashboard } from "@tabler/icons-react";
import { useLocation } from "react-router";
import { DashboardLayout } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

/** The partner area's look for an administrator: its one screen that can be looked at, and the way back. */
export default function PartnerDashboardLayout() {
  const { pathname } = useLocation();
  return (
    <DashboardLayout
      area="admin"
      entries={[
        { to: pathname, label: "Dashboard", icon: IconLayoutDashboard, needs: "admin/getPartnerDashboardByEmail" },
        { to: "/admin/partnerList", label: "Manage Partner", icon: IconArrowLeft, needs: "admin/getUserByAdmin" },
      ]}
    />
  );
}

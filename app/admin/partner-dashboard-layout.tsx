import { IconArrowLeft, IconLayoutDashboard } from "@tabler/icons-react";
import { useLocation } from "react-router";
import { DashboardLayout } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

/** The partner area's frame for an administrator: the one screen that can be viewed, and the way back. */
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

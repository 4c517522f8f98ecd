import {
  IconCalculator,
  IconCoinRupee,
  IconContract,
  IconFileInvoice,
  IconFileText,
  IconHistory,
  IconLayoutDashboard,
  IconReceiptTax,
  IconSettings,
  IconUserCog,
} from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

const entries: readonly SidebarEntry[] = [
  { to: "/user/dashboard", label: "Dashboard", icon: IconLayoutDashboard, needs: "user/get-users-dashboard-url" },
  { to: "/user/estimator", label: "Estimator", icon: IconCalculator, needs: "estimator", mainOnly: true },
  { to: "/user/myquote", label: "My Quotes", icon: IconFileText, needs: "user/get-estimation" },
  { to: "/user/orderhistory", label: "Order History", icon: IconFileInvoice, needs: "user/get-payment-by-email" },
  { to: "/user/payments-due", label: "Payments Due", icon: IconCoinRupee, needs: "user/payments-due" },
  { to: "/user/contract", label: "Contract", icon: IconContract, needs: "user/contracts" },
  { to: "/user/billing", label: "Billing Details", icon: IconReceiptTax, needs: "user/billing" },
  { to: "/user/myuser", label: "My Users", icon: IconUserCog, needs: "user/children" },
  { to: "/user/audit", label: "Audit log", icon: IconHistory, needs: "user/audit" },
  { to: "/user/account-settings", label: "Account Settings", icon: IconSettings, needs: "user/me" },
];

export default function CustomerLayout() {
  return <DashboardLayout area="user" entries={entries} />;
}

import {
  IconAlertTriangle,
  IconCalculator,
  IconCoinRupee,
  IconContract,
  IconFileInvoice,
  IconFileText,
  IconGavel,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconReceiptTax,
  IconReportAnalytics,
  IconSettings,
  IconShieldCheck,
  IconUrgent,
  IconUserCog,
} from "@tabler/icons-react";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { WhileOnboarding } from "../onboarding/while-onboarding.tsx";
import { Link } from "react-router";
import classes from "./layout.module.css";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

const entries: readonly SidebarEntry[] = [
  { to: "/user/dashboard", label: "Dashboard", icon: IconLayoutDashboard, needs: "user/get-users-dashboard-url" },
  { to: "/user/coverage", label: "Coverage", icon: IconShieldCheck, needs: "user/coverage" },
  {
    to: "/user/onboarding",
    label: "Onboarding",
    icon: IconListCheck,
    needs: "user/onboarding",
    Shown: WhileOnboarding,
  },
  { to: "/user/incidents", label: "Incidents", icon: IconAlertTriangle, needs: "user/incidents" },
  { to: "/user/obligations", label: "Regulators", icon: IconGavel, needs: "user/obligations" },
  { to: "/user/reports", label: "Reports", icon: IconReportAnalytics, needs: "user/reports" },
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
  return (
    <DashboardLayout
      area="user"
      entries={entries}
      urgent={
        <Link to="/user/under-attack" className={classes.urgent ?? ""} aria-label="We are under attack">
          <IconUrgent size={20} stroke={1.9} aria-hidden />
          <span className={classes.words}>We are under attack</span>
        </Link>
      }
    />
  );
}

import {
  IconAlertTriangle,
  IconArticle,
  IconBuildingStore,
  IconCertificate,
  IconChecklist,
  IconCoinRupee,
  IconContract,
  IconFileInvoice,
  IconGavel,
  IconHistory,
  IconLayoutCards,
  IconLayoutDashboard,
  IconMailForward,
  IconPlugConnected,
  IconReceiptRupee,
  IconReceiptTax,
  IconScale,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconShieldCheck,
  IconShieldLock,
  IconStack2,
  IconStopwatch,
  IconTargetArrow,
  IconTextCaption,
  IconUserCog,
  IconUsers,
} from "@tabler/icons-react";
import { OpenCount } from "./actions/open-count.tsx";
import { DashboardLayout, type SidebarEntry } from "../portal/dashboard-layout.tsx";
import { neverStored } from "../portal/never-stored.ts";

export const headers = neverStored;

/** Users who may not confirm rates only read the leads. */
const leadsLabel: SidebarEntry["label"] = (mayCall) =>
  mayCall("admin/confirmQuoteRates") ? "Lead Management" : "Leads";

const [service, money, site, administration] = ["Service", "Money", "Site", "Administration"];

const entries: readonly SidebarEntry[] = [
  { to: "/admin/dashboard", label: "Admin Dashboard", icon: IconLayoutDashboard, needs: "admin/overview" },
  { to: "/admin/actions", label: "Actions", icon: IconChecklist, needs: "admin/actions", Count: OpenCount },
  { to: "/admin/customerList", label: "Manage Customer", icon: IconUsers, needs: "admin/getUserByAdmin" },
  { to: "/admin/partnerList", label: "Manage Partner", icon: IconBuildingStore, needs: "admin/getUserByAdmin" },
  { to: "/admin/orderData", label: "Order Reports", icon: IconFileInvoice, needs: "admin/getPaymentDetailsByStatus" },
  { to: "/admin/estimateOrder", label: leadsLabel, icon: IconTargetArrow, needs: "admin/getEstimationByAdmin" },
  {
    to: "/admin/coverage",
    label: "Coverage",
    icon: IconShieldCheck,
    needs: "admin/coverage/customers",
    group: service,
  },
  { to: "/admin/engines", label: "Engines", icon: IconPlugConnected, needs: "admin/engines/all", group: service },
  { to: "/admin/incidents", label: "Incidents", icon: IconAlertTriangle, needs: "admin/incidents", group: service },
  {
    to: "/admin/service-levels",
    label: "Service Levels",
    icon: IconStopwatch,
    needs: "admin/service-levels",
    group: service,
  },
  { to: "/admin/obligations", label: "Obligations", icon: IconGavel, needs: "admin/obligations", group: service },
  { to: "/admin/contracts", label: "Contracts", icon: IconContract, needs: "admin/contracts", group: money },
  { to: "/admin/rate-card", label: "Rate card", icon: IconReceiptRupee, needs: "admin/rates", group: money },
  { to: "/admin/receivables", label: "Receivables", icon: IconCoinRupee, needs: "admin/receivables", group: money },
  { to: "/admin/registers", label: "Registers", icon: IconReceiptTax, needs: "admin/register", group: money },
  { to: "/admin/reconcile", label: "Reconciliation", icon: IconScale, needs: "admin/reconcile", group: money },
  { to: "/admin/blog", label: "Blog", icon: IconArticle, needs: "admin/posts", group: site },
  { to: "/admin/proofs", label: "Certificates", icon: IconCertificate, needs: "admin/settings/proofs", group: site },
  { to: "/admin/log-sources", label: "Log sources", icon: IconStack2, needs: "admin/log-sources", group: site },
  { to: "/admin/tiles", label: "Tiles", icon: IconLayoutCards, needs: "admin/tiles", group: site },
  { to: "/admin/settings", label: "Site texts", icon: IconTextCaption, needs: "admin/settings", group: site },
  {
    to: "/admin/announcements",
    label: "Announcements",
    icon: IconSpeakerphone,
    needs: "admin/announcements",
    group: site,
  },
  {
    to: "/admin/addmyuser",
    label: "My User",
    icon: IconUserCog,
    needs: "admin/getChildrenByParentId",
    group: administration,
  },
  {
    to: "/admin/invitations",
    label: "Invitations",
    icon: IconMailForward,
    needs: "admin/people/invitations",
    group: administration,
  },
  {
    to: "/admin/data-requests",
    label: "Data requests",
    icon: IconShieldLock,
    needs: "admin/people/data-requests",
    group: administration,
  },
  { to: "/admin/audit", label: "Audit log", icon: IconHistory, needs: "admin/audit", group: administration },
  { to: "/admin/system", label: "System", icon: IconServer, needs: "admin/system", group: administration },
  {
    to: "/admin/account-settings",
    label: "Account Settings",
    icon: IconSettings,
    needs: "user/me",
    group: administration,
  },
];

export default function AdminLayout() {
  return <DashboardLayout area="admin" entries={entries} />;
}

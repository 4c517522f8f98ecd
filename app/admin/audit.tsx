import type { AuditEntry } from "../../contract/audit-log.ts";
import { brand } from "../../contract/brand.ts";
import { AuditPage } from "../audit/audit-page.tsx";

export const meta = () => [{ title: `Audit log – ${brand.name}` }];

const screens: Readonly<Record<string, string>> = {
  quote: "/admin/estimateOrder",
  lead: "/admin/estimateOrder",
  order: "/admin/orderData",
  invoice: "/admin/orderData",
  "rate card": "/admin/rate-card",
  article: "/admin/blog",
};
const screensOfKind = { customer: "/admin/customerList", partner: "/admin/partnerList", provider: null };

function screenOf({ subject, subject_kind, subject_name }: AuditEntry): string | null {
  if (!subject_kind) return screens[subject.split(":")[0] ?? ""] ?? null;
  const list = screensOfKind[subject_kind];
  return list && `${list}?search=${encodeURIComponent(subject_name ?? "")}`;
}

/** The audit trail of everybody's actions. */
export default function AdminAudit() {
  return (
    <AuditPage
      name="admin/audit"
      hint="Every change, sign-in, refusal and export: who did what to what, when and from where."
      screenOf={screenOf}
    />
  );
}

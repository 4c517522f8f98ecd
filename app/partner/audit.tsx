import type { AuditEntry } from "../../contract/audit-log.ts";
import { brand } from "../../contract/brand.ts";
import { AuditPage } from "../audit/audit-page.tsx";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Audit log – ${brand.name}` }];

/** What the partner's people did, also to its customers, and what the provider did to the partner. */
export default function PartnerAudit() {
  const mayCall = useMayCall();
  const screenOf = ({ subject, subject_kind, subject_name }: AuditEntry) => {
    const search = `?search=${encodeURIComponent(subject_name ?? "")}`;
    if (subject_kind === "customer") return `/partner/listuser${search}`;
    const isListed = subject_kind === "partner" && subject.startsWith("person:") && mayCall("partner/children");
    return isListed ? `/partner/addmyuser${search}` : null;
  };
  return (
    <AuditPage
      name="partner/audit"
      hint="What your people did, and who on our team changed or viewed your organization’s records. All times in India."
      screenOf={screenOf}
    />
  );
}

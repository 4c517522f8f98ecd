import type { AuditEntry } from "../../contract/audit-log.ts";
import { brand } from "../../contract/brand.ts";
import { AuditPage } from "../audit/audit-page.tsx";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Audit log – ${brand.name}` }];

const screens: Readonly<Record<string, string>> = {
  quote: "/user/myquote",
  order: "/user/orderhistory",
  invoice: "/user/orderhistory",
};

/** What the organisation's own people did, and what its partner and the provider did to it. */
export default function CustomerAudit() {
  const mayCall = useMayCall();
  const screenOf = ({ subject, subject_kind, subject_name }: AuditEntry) => {
    const [kind = ""] = subject.split(":");
    if (kind !== "person") return screens[kind] ?? null;
    const isListed = subject_kind === "customer" && mayCall("user/children");
    return isListed ? `/user/myuser?search=${encodeURIComponent(subject_name ?? "")}` : null;
  };
  return (
    <AuditPage
      name="user/audit"
      hint="What your people did, and who on our team changed or viewed your organization’s records. All times in India."
      screenOf={screenOf}
    />
  );
}

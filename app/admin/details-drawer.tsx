import { Stack } from "@mantine/core";
import { CustomerDetails } from "../customers/customer-details.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { SidePanel } from "../components/side-panel.tsx";
import { useStateOf } from "../components/use-state-of.ts";
import { ReportsSection } from "../service-reports/reports-section.tsx";
import { OnboardingSection } from "../onboarding/onboarding-section.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { ActivateDashboard } from "./activate-dashboard.tsx";
import type { Subject } from "./details-panel.ts";
import { EnginesSection } from "./engines/engines-section.tsx";
import { PartnerDetails } from "./partner-details.tsx";
import { OrganizationSection } from "./people/organization-section.tsx";
import { PeopleSection } from "./people/people-section.tsx";
import { ToolEditor } from "./tool-editor.tsx";

const titles = { partner: "Partner Details", customer: "Customer Details", staff: "Administrators and users" };

/** The side panel about a partner or a customer; a partner's customer opens in the same panel, with a way back. */
export default function DetailsDrawer({ start, onClose }: { start: Subject | null; onClose: () => void }) {
  const startsWith = start && `${start.kind} ${start.email}`;
  const [customer, setCustomer] = useStateOf<Subject | null>(startsWith, null);
  const [viewed, setViewed] = useStateOf<ViewedPdf | null>(startsWith, null);
  const shown = customer ?? start;
  return (
    <>
      <SidePanel
        opened={start !== null}
        title={shown ? titles[shown.kind] : ""}
        subject={shown?.email ?? ""}
        onClose={onClose}
        back={customer && start ? { label: `Back to ${start.name}`, onBack: () => setCustomer(null) } : undefined}
      >
        {shown?.kind === "partner" && (
          <PartnerDetails
            email={shown.email}
            people={<OrganizationAndPeople email={shown.email} />}
            onView={setViewed}
            onCustomer={({ email, organization_name }) =>
              setCustomer({ kind: "customer", email, name: organization_name })
            }
          />
        )}
        {shown?.kind === "customer" && <AdminCustomerDetails email={shown.email} onView={setViewed} />}
        {shown?.kind === "staff" && (
          <Stack gap="xl">
            <OrganizationAndPeople email={shown.email} />
          </Stack>
        )}
      </SidePanel>
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

const OrganizationAndPeople = ({ email }: { email: string }) => (
  <>
    <OrganizationSection email={email} />
    <PeopleSection email={email} />
  </>
);

function AdminCustomerDetails({ email, onView }: { email: string; onView: (pdf: ViewedPdf) => void }) {
  const mayCall = useMayCall();
  const mayEdit = mayCall("admin/updateCustomerToolSiemByAdmin") && mayCall("admin/updateCustomerToolSoarByAdmin");
  return (
    <CustomerDetails
      email={email}
      reader="admin"
      onView={onView}
      activation={mayCall("admin/createCustomerToolByEmailApi") && <ActivateDashboard email={email} />}
      editor={mayEdit ? (tool, kind) => <ToolEditor email={email} tool={tool} kind={kind} /> : undefined}
    >
      <OnboardingSection of={{ reader: "admin", email }} />
      <EnginesSection email={email} />
      <ReportsSection name="admin/reports" email={email} onView={onView} />
      <OrganizationAndPeople email={email} />
    </CustomerDetails>
  );
}

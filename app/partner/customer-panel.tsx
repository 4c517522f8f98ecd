import { useState } from "react";
import type { ListedPerson } from "../../contract/people.ts";
import { SidePanel } from "../components/side-panel.tsx";
import { CustomerDetails } from "../customers/customer-details.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ReportsSection } from "../service-reports/reports-section.tsx";
import { OnboardingSection } from "../onboarding/onboarding-section.tsx";
import { ContractsOfCustomer } from "./contracts-of-customer.tsx";
import { CustomerEstimates } from "./customer-estimates.tsx";
import { mayGetEstimate } from "./estimate-path.ts";

/** One of the partner's customers, beside the list. */
export default function CustomerPanel({
  customer,
  onClose,
}: {
  customer: Pick<ListedPerson, "email" | "status"> | null;
  onClose: () => void;
}) {
  const [pdf, setPdf] = useState<ViewedPdf | null>(null);
  return (
    <>
      <SidePanel opened={customer !== null} title="Customer Details" subject={customer?.email ?? ""} onClose={onClose}>
        {customer && (
          <CustomerDetails email={customer.email} reader="partner" onView={setPdf}>
            <OnboardingSection of={{ reader: "partner", email: customer.email }} />
            <ContractsOfCustomer email={customer.email} />
            <ReportsSection name="partner/reports" email={customer.email} onView={setPdf} />
            {mayGetEstimate(customer) && <CustomerEstimates email={customer.email} onView={setPdf} />}
          </CustomerDetails>
        )}
      </SidePanel>
      <PdfViewer pdf={pdf} onClose={() => setPdf(null)} />
    </>
  );
}

import { useState } from "react";
import { SidePanel } from "../components/side-panel.tsx";
import { CustomerDetails } from "../customers/customer-details.tsx";
import { useFirstPerson } from "../customers/use-first-person.ts";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ReportsSection } from "../service-reports/reports-section.tsx";
import { OnboardingSection } from "../onboarding/onboarding-section.tsx";
import { ContractsOfCustomer } from "./contracts-of-customer.tsx";
import { CustomerEstimates } from "./customer-estimates.tsx";
import { mayGetEstimate } from "./estimate-path.ts";

/** The panel of one of the partner's customers, beside the list. */
export default function CustomerPanel({ email, onClose }: { email: string | null; onClose: () => void }) {
  const [pdf, setPdf] = useState<ViewedPdf | null>(null);
  return (
    <>
      <SidePanel opened={email !== null} title="Customer Details" subject={email ?? ""} onClose={onClose}>
        {email !== null && (
          <CustomerDetails email={email} reader="partner" onView={setPdf}>
            <OnboardingSection of={{ reader: "partner", email }} />
            <ContractsOfCustomer email={email} />
            <ReportsSection name="partner/reports" email={email} onView={setPdf} />
            <EstimatesOf email={email} onView={setPdf} />
          </CustomerDetails>
        )}
      </SidePanel>
      <PdfViewer pdf={pdf} onClose={() => setPdf(null)} />
    </>
  );
}

function EstimatesOf({ email, onView }: { email: string; onView: (pdf: ViewedPdf) => void }) {
  const { data: person } = useFirstPerson("partner/get-user-by-partner-email", email);
  return person && mayGetEstimate(person) && <CustomerEstimates email={email} onView={onView} />;
}

import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Quote } from "../../contract/quotes.ts";
import type { Column } from "../components/data-table.tsx";
import { showRupees } from "../components/display.ts";
import { ListPage } from "../components/list-page.tsx";
import { LongText } from "../components/long-text.tsx";
import { PdfViewer, type ViewedPdf } from "../components/pdf-viewer.tsx";
import { useSession } from "../session.ts";
import { EmailAddress } from "../components/email-address.tsx";

export const meta = () => [{ title: `Lead Management – ${brand.name}` }];

const columns: readonly Column<Quote>[] = [
  {
    label: "Organization",
    cell: (lead) => <bdi>{lead.organization_name}</bdi>,
    text: (lead) => lead.organization_name,
    sort: "organization_name",
  },
  {
    label: "Name",
    cell: (lead) => <bdi>{lead.user_name}</bdi>,
    text: (lead) => lead.user_name,
    sort: "user_name",
    width: 100,
  },
  {
    label: "Email",
    cell: (lead) => <EmailAddress address={lead.user_email} />,
    text: (lead) => lead.user_email,
    sort: "user_email",
    width: 150,
  },
  {
    label: "Phone",
    cell: (lead) => <span style={{ whiteSpace: "nowrap" }}>{lead.phone_number}</span>,
    text: (lead) => lead.phone_number,
  },
  {
    label: "Number of Users",
    cell: (lead) => lead.number_of_users.toLocaleString("en-IN"),
    text: (lead) => lead.number_of_users,
    numeric: true,
  },
  { label: "Message", cell: (lead) => <LongText text={lead.message} />, text: (lead) => lead.message, width: 150 },
  {
    label: "Estimate Price",
    cell: (lead) => <Text fw={650}>{showRupees(lead.total_cost)}</Text>,
    text: (lead) => lead.total_cost,
    sort: "total_cost",
    numeric: true,
  },
];

/** Every estimate somebody asked for, with its proposal. */
export default function EstimateOrders() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const { role } = useSession();
  return (
    <>
      <ListPage
        name="admin/getEstimationByAdmin"
        title={role === "adminChild" ? "Lead" : "Lead Management"}
        hint="Estimates sent from the site and by signed-in customers."
        searchLabel="Search leads"
        columns={columns}
        fileName="leads"
        wide
        empty={messages.noEstimateOrders}
        emptyHint="Every estimate sent from the estimator is listed here with its proposal."
        failure={messages.quotesFailed}
        actionsLabel="View"
        actions={(lead) => (
          <Button
            variant="default"
            aria-label={`View the proposal for ${lead.organization_name}`}
            onClick={() =>
              setViewed({
                fileName: lead.pdf_url,
                title: `Proposal for ${lead.organization_name}`,
                failure: messages.proposalFailed,
              })
            }
          >
            View
          </Button>
        )}
      />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

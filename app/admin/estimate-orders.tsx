import { Button, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Quote, QuoteSort } from "../../contract/quotes.ts";
import type { Column } from "../lists/column.ts";
import { CheckBox } from "../components/check-box.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { NumberAndDate } from "../components/number-and-date.tsx";
import { LongText } from "../components/long-text.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { openedLater } from "../components/later.tsx";
import { Amount, PhoneNumber } from "../components/unbroken.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { MadeBy } from "../orders/quote-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { EmailAddress } from "../components/email-address.tsx";

export const meta = () => [{ title: `Lead Management – ${brand.name}` }];

const RatesPanel = openedLater<{ quote: Quote | null; mayConfirm: boolean; onClose: () => void }>(
  () => import("./rates-panel.tsx"),
  { quote: null },
);

const columns: readonly Column<Quote, QuoteSort>[] = [
  {
    label: "Lead",
    cell: (lead) => (
      <>
        <NumberAndDate number={lead.number} date={lead.created_at} />
        <MadeBy quote={lead} />
      </>
    ),
    text: (lead) => lead.number,
    sort: "created_at",
  },
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
    below: true,
  },
  {
    label: "Email",
    cell: (lead) => <EmailAddress address={lead.user_email} />,
    text: (lead) => lead.user_email,
    sort: "user_email",
    below: true,
  },
  {
    label: "Phone",
    cell: (lead) => <PhoneNumber number={lead.phone_number} />,
    text: (lead) => lead.phone_number,
    below: true,
  },
  {
    label: "Number of Users",
    cell: (lead) => lead.number_of_users.toLocaleString("en-IN"),
    text: (lead) => lead.number_of_users,
    numeric: true,
  },
  {
    label: "Message",
    cell: (lead) => <LongText text={lead.message} />,
    text: (lead) => lead.message,
    width: 140,
    below: true,
  },
  {
    label: "Estimate Price",
    cell: (lead) => (
      <>
        <Text fw={650} fz="inherit" mb={4}>
          <Amount rupees={lead.total_cost} />
        </Text>
        {lead.state === "rates_to_confirm" && <StateBadge tone="warning">Rates to confirm</StateBadge>}
      </>
    ),
    text: (lead) => lead.total_cost,
    sort: "total_cost",
    numeric: true,
  },
];

/** Every estimate somebody asked for, with its proposal; those with custom devices wait here for their rates. */
export default function EstimateOrders() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [confirmed, setConfirmed] = useState<Quote | null>(null);
  const [address, setAddress] = useSearchParams();
  const onlyWaiting = address.get("rates") === "waiting";
  const mayConfirm = useMayCall()("admin/confirmQuoteRates");
  const title = mayConfirm ? "Lead Management" : "Leads";
  useEffect(() => {
    // On the server, which writes the page's title, nobody is signed in.
    document.title = `${title} – ${brand.name}`;
  }, [title]);
  return (
    <>
      <ListPage
        name="admin/getEstimationByAdmin"
        input={onlyWaiting ? { state: "rates_to_confirm" } : {}}
        title={title}
        hint="Estimates sent from the site and by signed-in customers."
        searchLabel="Search leads"
        columns={columns}
        fileName="leads"
        empty={messages.noEstimateOrders}
        emptyHint={
          onlyWaiting
            ? "No quote waits for its rates."
            : "Every estimate sent from the estimator is listed here with its proposal."
        }
        failure={messages.quotesFailed}
        actionsLabel="View"
        actions={(lead) => (
          <>
            <Button
              variant="default"
              aria-label={`View the proposal ${lead.number} for ${lead.organization_name}`}
              onClick={() =>
                setViewed({
                  fileName: lead.pdf_url,
                  title: `Proposal ${lead.number}`,
                  failure: messages.proposalFailed,
                })
              }
            >
              View
            </Button>
            {lead.state === "rates_to_confirm" && (
              <Button
                variant={mayConfirm ? "filled" : "default"}
                aria-label={`${mayConfirm ? "Confirm rates" : "Rates"} of ${lead.number} for ${lead.organization_name}`}
                onClick={() => setConfirmed(lead)}
              >
                {mayConfirm ? "Confirm rates" : "Rates"}
              </Button>
            )}
          </>
        )}
      >
        <CheckBox
          label="Only with rates to confirm"
          checked={onlyWaiting}
          onChange={(checked) => setAddress(checked ? { rates: "waiting" } : {}, { replace: true })}
        />
      </ListPage>
      <RatesPanel quote={confirmed} mayConfirm={mayConfirm} onClose={() => setConfirmed(null)} />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

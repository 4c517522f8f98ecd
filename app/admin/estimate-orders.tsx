import { Button, Group } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { Lead } from "../../contract/lead-list.ts";
import { messages } from "../../contract/messages.ts";
import { PageTitle } from "../components/page-title.tsx";
import { openedLater, shownLater } from "../components/later.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useAddress } from "../lists/use-address.ts";
import { ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { LeadBoardProps } from "./leads/lead-board.tsx";
import { leadColumns } from "./leads/lead-columns.tsx";
import { LeadFilters, useLeadFilters } from "./leads/lead-filters.tsx";
import type { LeadPanelProps } from "./leads/lead-panel.tsx";

import type { RatesPanelProps } from "./rates-panel.tsx";

export const meta = () => [{ title: `Lead Management – ${brand.name}` }];

const RatesPanel = openedLater<RatesPanelProps>(() => import("./rates-panel.tsx"), { quoteId: null });
const LeadPanel = openedLater<LeadPanelProps>(() => import("./leads/lead-panel.tsx"), { opened: null });
const waiting = () => <ListLoading rows={6} />;
const LeadBoard = shownLater<LeadBoardProps>(() => import("./leads/lead-board.tsx"), waiting);
const LeadFunnel = shownLater(() => import("./leads/lead-funnel.tsx"), waiting);

const hint = "All estimates and contact requests, and what became of them.";
const shows = [
  { value: "table", label: "Table" },
  { value: "board", label: "Board" },
  { value: "funnel", label: "Funnel" },
];

/** All leads: estimates with their proposals, and contact requests, each with its next step. */
export default function EstimateOrders() {
  const [address, change] = useAddress();
  const mayCall = useMayCall();
  const mayConfirm = mayCall("admin/confirmQuoteRates");
  const mayMake = mayCall("admin/leads/make-quote");
  const title = mayConfirm ? "Lead Management" : "Leads";
  useEffect(() => {
    // The server renders the page's title without knowing the session's rights.
    document.title = `${title} – ${brand.name}`;
  }, [title]);
  const leadId = address.get("lead");
  const opened = leadId === "new" ? "new quote" : leadId ? { leadId } : null;
  const setLead = (lead: string | null) => change({ lead }, { replace: true, preventScrollReset: true });
  const show = shows.find(({ value }) => value === address.get("show"))?.value ?? "table";
  const beside = (
    <Group gap="sm">
      <ChoiceButtons
        label="Show as"
        choices={shows}
        value={show}
        onChange={(next) => change({ show: next === "table" ? null : next })}
      />
      {mayMake && <Button onClick={() => setLead("new")}>New quote</Button>}
    </Group>
  );
  return (
    <>
      {show === "table" ? (
        <LeadTable title={title} beside={beside} onOpen={setLead} />
      ) : (
        <>
          <PageTitle title={title} hint={hint}>
            {beside}
          </PageTitle>
          {show === "board" ? <Board onOpen={setLead} /> : <LeadFunnel />}
        </>
      )}
      <LeadPanel opened={opened} onOpen={setLead} onClose={() => setLead(null)} />
    </>
  );
}

function Board({ onOpen }: { onOpen: (id: string) => void }) {
  const [filters] = useLeadFilters();
  return (
    <>
      <LeadFilters withState={false} />
      <LeadBoard filters={filters} onOpen={onOpen} />
    </>
  );
}

function LeadTable({ title, beside, onOpen }: { title: string; beside: ReactNode; onOpen: (id: string) => void }) {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [filters] = useLeadFilters();
  const mayConfirm = useMayCall()("admin/confirmQuoteRates");
  const onlyWaiting = filters.rates === "waiting";
  return (
    <>
      <ListPage
        name="admin/leads"
        input={filters}
        title={title}
        hint={hint}
        searchLabel="Search leads"
        columns={leadColumns}
        fileName="leads"
        filters={<LeadFilters />}
        empty={messages.noEstimateOrders}
        emptyHint={emptyHint(onlyWaiting, Object.keys(filters).length > 0)}
        failure={messages.quotesFailed}
        actionsLabel="View"
        actions={(lead) => (
          <>
            <Button
              variant="light"
              aria-label={`Open ${lead.number} of ${lead.organization_name}`}
              onClick={() => onOpen(lead.id)}
            >
              Open
            </Button>
            {lead.quote_id && (
              <Button
                variant="default"
                aria-label={`View the proposal ${lead.quote_number} for ${lead.organization_name}`}
                onClick={() => setViewed(proposalOf(lead))}
              >
                View
              </Button>
            )}
            {lead.quote_state === "rates_to_confirm" && (
              <Button
                variant="default"
                aria-label={`${mayConfirm ? "Confirm rates" : "Rates"} of ${lead.quote_number} for ${lead.organization_name}`}
                onClick={() => setConfirmed(lead.quote_id)}
              >
                {mayConfirm ? "Confirm rates" : "Rates"}
              </Button>
            )}
          </>
        )}
      >
        {beside}
      </ListPage>
      <RatesPanel quoteId={confirmed} mayConfirm={mayConfirm} onClose={() => setConfirmed(null)} />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

function emptyHint(onlyWaiting: boolean, isNarrowed: boolean): string {
  if (onlyWaiting) return "No quote waits for its rates.";
  if (isNarrowed) return "No lead matches these filters.";
  return "Every estimate and every contact request is listed here.";
}

const proposalOf = ({ pdf_url, quote_number }: Lead): ViewedPdf => ({
  fileName: pdf_url,
  title: `Proposal ${quote_number}`,
  failure: messages.proposalFailed,
});

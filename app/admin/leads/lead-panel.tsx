import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef } from "react";
import type { LeadDetails, LeadQuote, LeadRequest } from "../../../contract/lead-details.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { messages } from "../../../contract/messages.ts";
import { ApiError, call } from "../../api.ts";
import { SidePanel } from "../../components/side-panel.tsx";
import { useKeepUnsaved } from "../../components/use-keep-unsaved.ts";
import { useStateOf } from "../../components/use-state-of.ts";
import { PdfViewer, type ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { keepTyped } from "../../forms/kept-typed.ts";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import { LeadDuplicates } from "./lead-duplicates.tsx";
import { LeadHistory, LeadMails, type OnDirty } from "./lead-notes.tsx";
import { Request } from "./lead-requests.tsx";
import { LeadWork } from "./lead-work.tsx";
import { QuoteEditor } from "./quote-editor.tsx";
import { refreshLeads, useLead } from "./use-leads.ts";

/** What the panel can do with a request. */
export interface LeadActions {
  view: (pdf: ViewedPdf) => void;
  separate: (request: LeadRequest) => ReactNode;
  revise: (quote: LeadQuote) => ReactNode;
}

const question = "What you typed about this lead is not saved. Leave without it?";

/** What the panel shows: a lead, or a quote for somebody who is not a lead yet. */
export type Opened = { leadId: string } | "new quote";

export interface LeadPanelProps {
  opened: Opened | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** Everything about a lead: what to do next, what was asked for, and what happened; its quotes are made here. */
export default function LeadPanel({ opened, onOpen, onClose }: LeadPanelProps) {
  const leadId = opened !== null && opened !== "new quote" ? opened.leadId : null;
  const title = titleOf(useLead(leadId).data);
  const [viewed, setViewed] = useStateOf<ViewedPdf | null>(leadId, null);
  const [edited, setEdited] = useStateOf<Edited | null>(leadId, null);
  const { note, mayLeave } = useUnsaved();
  const editing = opened === "new quote" ? forNobodyYet : edited;
  return (
    <>
      <SidePanel
        opened={opened !== null}
        title={editing ? (editing.quote ? "Revise quote" : "New quote") : title}
        subject={editing ? `quote of ${leadId ?? "nobody"}` : (leadId ?? "")}
        back={
          edited
            ? { label: `Back to ${edited.lead?.number ?? "the lead"}`, onBack: () => mayLeave() && setEdited(null) }
            : undefined
        }
        onClose={() => {
          if (!mayLeave()) return;
          setEdited(null);
          onClose();
        }}
      >
        {editing ? (
          <QuoteEditor
            lead={editing.lead}
            quote={editing.quote}
            onDirty={note}
            onDone={(madeFor) => {
              setEdited(null);
              if (madeFor) onOpen(madeFor);
            }}
          />
        ) : (
          leadId !== null && (
            <LeadInPanel
              leadId={leadId}
              onView={setViewed}
              onOpen={(id) => mayLeave() && onOpen(id)}
              onEdit={(next) => mayLeave() && setEdited(next)}
              onDirty={note}
            />
          )
        )}
      </SidePanel>
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

/** Names the lead: on a phone nothing else in sight says whose it is. */
const titleOf = (details: LeadDetails | undefined) =>
  details ? `${details.lead.number}, ${details.lead.organization_name}` : "Lead";

/** The quote that is made or revised, and its lead. */
interface Edited {
  lead: Lead | null;
  quote: LeadQuote | null;
}
const forNobodyYet: Edited = { lead: null, quote: null };

/** Tracks unsaved input in the panel, and asks before it is left. */
function useUnsaved() {
  const unsaved = useRef(new Set<string>());
  const note: OnDirty = useCallback((keptAs, isDirty) => {
    if (isDirty) unsaved.current.add(keptAs);
    else unsaved.current.delete(keptAs);
  }, []);
  const forget = () => unsaved.current.forEach((keptAs) => keepTyped(keptAs, null));
  useKeepUnsaved(() => unsaved.current.size > 0, "about this lead", forget);
  const mayLeave = () => {
    if (unsaved.current.size > 0 && !window.confirm(question)) return false;
    forget();
    // Closing changes the address too: without this the router would ask a second time.
    unsaved.current.clear();
    return true;
  };
  return { note, mayLeave };
}

interface InPanel {
  onView: (pdf: ViewedPdf) => void;
  onOpen: (id: string) => void;
  onEdit: (edited: Edited) => void;
  onDirty: OnDirty;
}

function LeadInPanel({ leadId, ...rest }: InPanel & { leadId: string }) {
  const lead = useLead(leadId);
  if (lead.isPending) return <ListLoading rows={4} />;
  const gone = lead.error instanceof ApiError && lead.error.status === 404 ? lead.error : null;
  // A failed refetch keeps the lead on screen, with what was typed; only a failed first load or a 404 shows the error.
  if (lead.isLoadingError || gone)
    return <ListFailed message={gone?.message ?? messages.fetchFailed} onRetry={() => void lead.refetch()} />;
  return <LeadShown details={lead.data} {...rest} />;
}

function LeadShown({ details, onView, onOpen, onEdit, onDirty }: InPanel & { details: LeadDetails }) {
  const { lead, requests } = details;
  const mayCall = useMayCall();
  const actions: LeadActions = {
    view: onView,
    separate: ({ id, number }) =>
      id !== lead.id && mayCall("admin/leads/separate") && <Separate id={id} number={number} />,
    revise: (quote) =>
      mayCall("admin/leads/revise-quote") &&
      !quote.order && (
        <Button variant="default" aria-label={`Revise ${quote.number}`} onClick={() => onEdit({ lead, quote })}>
          Revise
        </Button>
      ),
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Stack gap="xl">
        <LeadWork key={lead.id} lead={lead} onDirty={onDirty} />
        <LeadHistory lead={lead} events={details.events} onDirty={onDirty} />
      </Stack>
      <Stack gap="xl">
        {requests.map((request) => (
          <Request key={request.id} request={request} actions={actions} />
        ))}
        {mayCall("admin/leads/make-quote") && (
          <Group>
            <Button variant="light" onClick={() => onEdit({ lead, quote: null })}>
              Make a quote
            </Button>
          </Group>
        )}
        <LeadDuplicates lead={lead} duplicates={details.duplicates} onOpen={onOpen} />
        <LeadMails mails={details.mails} />
      </Stack>
    </SimpleGrid>
  );
}

function Separate({ id, number }: { id: string; number: string }) {
  const queries = useQueryClient();
  const separate = useMutation({
    mutationFn: () => call("admin/leads/separate", { id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshLeads(queries),
  });
  return (
    <Button
      variant="subtle"
      loading={separate.isPending}
      aria-label={`Separate ${number}`}
      onClick={() => separate.mutate()}
    >
      Separate
    </Button>
  );
}

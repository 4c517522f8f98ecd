import { Button, SimpleGrid, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { LeadDetails, LeadQuote, LeadRequest } from "../../../contract/lead-details.ts";
import { messages } from "../../../contract/messages.ts";
import { ApiError, call } from "../../api.ts";
import { SidePanel } from "../../components/side-panel.tsx";
import { PdfViewer, type ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import { LeadDuplicates } from "./lead-duplicates.tsx";
import { LeadHistory, LeadMails } from "./lead-notes.tsx";
import { Request } from "./lead-requests.tsx";
import { LeadWork } from "./lead-work.tsx";
import { refreshLeads, useLead } from "./use-leads.ts";

/** What can be done with a request in the panel. */
export interface LeadActions {
  view: (pdf: ViewedPdf) => void;
  separate: (request: LeadRequest) => ReactNode;
  revise: (quote: LeadQuote) => ReactNode;
}

const question = "What you typed about this lead is not saved. Leave without it?";

/** Everything about a lead: what is to be done, what was asked for, and what has happened. */
export function LeadPanel({
  leadId,
  onOpen,
  onClose,
}: {
  leadId: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const unsaved = useRef(new Set<string>());
  const note = useCallback((what: string, isDirty: boolean) => {
    if (isDirty) unsaved.current.add(what);
    else unsaved.current.delete(what);
  }, []);
  const mayLeave = () => unsaved.current.size === 0 || window.confirm(question);
  return (
    <>
      <SidePanel
        opened={leadId !== null}
        title="Lead"
        subject={leadId ?? ""}
        covered={viewed !== null}
        onClose={() => {
          if (mayLeave()) onClose();
        }}
      >
        {leadId !== null && (
          <LeadInPanel
            leadId={leadId}
            onView={setViewed}
            onOpen={(id) => {
              if (mayLeave()) onOpen(id);
            }}
            onDirty={note}
          />
        )}
      </SidePanel>
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

interface InPanel {
  onView: (pdf: ViewedPdf) => void;
  onOpen: (id: string) => void;
  onDirty: (what: string, isDirty: boolean) => void;
}

function LeadInPanel({ leadId, ...rest }: InPanel & { leadId: string }) {
  const lead = useLead(leadId);
  if (lead.isPending) return <ListLoading rows={4} />;
  if (lead.isError) {
    const isGone = lead.error instanceof ApiError && lead.error.status === 404;
    return (
      <ListFailed message={isGone ? lead.error.message : messages.fetchFailed} onRetry={() => void lead.refetch()} />
    );
  }
  return <Lead details={lead.data} {...rest} />;
}

function Lead({ details, onView, onOpen, onDirty }: InPanel & { details: LeadDetails }) {
  const { lead, requests } = details;
  const mayJoin = useMayCall()("admin/leads/separate");
  const ofWork = useCallback((isDirty: boolean) => onDirty("work", isDirty), [onDirty]);
  const ofNote = useCallback((isDirty: boolean) => onDirty("note", isDirty), [onDirty]);
  const actions: LeadActions = {
    view: onView,
    separate: ({ id, number }) => id !== lead.id && mayJoin && <Separate id={id} number={number} />,
    revise: () => null,
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Stack gap="xl">
        <LeadWork key={lead.id} lead={lead} onDirty={ofWork} />
        <LeadHistory lead={lead} events={details.events} onDirty={ofNote} />
      </Stack>
      <Stack gap="xl">
        {requests.map((request) => (
          <Request key={request.id} request={request} actions={actions} />
        ))}
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

import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { writtenDay } from "../../../contract/india-time.ts";
import { messages } from "../../../contract/messages.ts";
import type { Certificate, Transfer } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { CertificateEntry, Entries, TransferEntry, type View } from "../../billing/open-entries.tsx";
import { openedLater } from "../../components/later.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { PdfViewer, type ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import type { DecideDialogProps } from "./decide-dialog.tsx";
import type { MatchDialogProps } from "./match-dialog.tsx";
import type { OweAgainDialogProps } from "./owe-again-dialog.tsx";

const MatchDialog = openedLater<MatchDialogProps>(() => import("./match-dialog.tsx"), { transfer: null });
const DecideDialog = openedLater<DecideDialogProps>(() => import("./decide-dialog.tsx"), { certificate: null });
const OweAgainDialog = openedLater<OweAgainDialogProps>(() => import("./owe-again-dialog.tsx"), { certificate: null });

/** Transfers and certificates that wait for a person. */
export default function ToMatch() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [matched, setMatched] = useState<Transfer | null>(null);
  const [decided, setDecided] = useState<Certificate | null>(null);
  const [owedAgain, setOwedAgain] = useState<Certificate | null>(null);
  const view = (fileName: string | null, title: string) => setViewed({ fileName, title, failure: messages.pdfFailed });
  return (
    <Stack gap="xl" mt="xl">
      <Transfers view={view} onMatch={setMatched} />
      <Certificates view={view} onDecide={setDecided} onOweAgain={setOwedAgain} />
      <MatchDialog transfer={matched} onClose={() => setMatched(null)} />
      <DecideDialog certificate={decided} onClose={() => setDecided(null)} />
      <OweAgainDialog certificate={owedAgain} onClose={() => setOwedAgain(null)} />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </Stack>
  );
}

function Transfers({ view, onMatch }: { view: View; onMatch: (transfer: Transfer) => void }) {
  const mayMatch = useMayCall()("admin/transfers/match");
  const open = useQuery({
    queryKey: ["admin/transfers", { open: "true" }],
    queryFn: ({ signal }) => call("admin/transfers", { open: "true" }, signal),
  });
  return (
    <PanelSection title="Transfers without a match" level={2}>
      {open.isError && !open.data && <ListFailed message={messages.fetchFailed} onRetry={() => void open.refetch()} />}
      {open.isPending && <ListLoading rows={2} />}
      {open.data?.transfers.length === 0 && <Text c="var(--site-muted)">Every transfer is matched.</Text>}
      <Entries label="Transfers without a match">
        {open.data?.transfers.map((transfer) => (
          <TransferEntry
            key={transfer.id}
            transfer={transfer}
            view={view}
            actions={
              mayMatch &&
              transfer.state === "seen" && (
                <Button variant="default" aria-label={`Match ${transfer.utr}`} onClick={() => onMatch(transfer)}>
                  Match
                </Button>
              )
            }
          />
        ))}
      </Entries>
    </PanelSection>
  );
}

interface CertificatesProps {
  view: View;
  onDecide: (certificate: Certificate) => void;
  onOweAgain: (certificate: Certificate) => void;
}

function Certificates({ view, onDecide, onOweAgain }: CertificatesProps) {
  const mayCall = useMayCall();
  const [today] = useState(() => writtenDay(new Date()));
  const canBeOwed = ({ state, is_cancelled, owed_again_since, owed_again_from }: Certificate) =>
    (state === "awaited" || state === "refused") &&
    !is_cancelled &&
    owed_again_since === null &&
    today >= owed_again_from;
  const open = useQuery({
    queryKey: ["admin/certificates"],
    queryFn: ({ signal }) => call("admin/certificates", {}, signal),
  });
  const actionsOf = (certificate: Certificate) => {
    const { state, invoice_number } = certificate;
    if (mayCall("admin/certificates/decide") && state === "uploaded")
      return (
        <Button
          variant="default"
          aria-label={`Decide the certificate of ${invoice_number}`}
          onClick={() => onDecide(certificate)}
        >
          Decide
        </Button>
      );
    return (
      mayCall("admin/certificates/owe-again") &&
      canBeOwed(certificate) && (
        <Button
          variant="default"
          aria-label={`Owe again the tax deducted from ${invoice_number}`}
          onClick={() => onOweAgain(certificate)}
        >
          Owe again …
        </Button>
      )
    );
  };
  return (
    <PanelSection title="Certificates of deducted tax to come" level={2}>
      {open.isError && !open.data && <ListFailed message={messages.fetchFailed} onRetry={() => void open.refetch()} />}
      {open.isPending && <ListLoading rows={2} />}
      {open.data?.certificates.length === 0 && <Text c="var(--site-muted)">None is awaited.</Text>}
      <Entries label="Certificates of deducted tax to come">
        {open.data?.certificates.map((certificate) => (
          <CertificateEntry
            key={certificate.id}
            certificate={certificate}
            who={certificate.organization_name}
            view={view}
            actions={actionsOf(certificate)}
          />
        ))}
      </Entries>
    </PanelSection>
  );
}

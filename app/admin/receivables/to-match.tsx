import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { messages } from "../../../contract/messages.ts";
import type { Certificate, Transfer } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { CertificateEntry, Entries, TransferEntry, type View } from "../../billing/open-entries.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { PdfViewer, type ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { refreshed } from "./refreshed.ts";

/** Transfers and certificates that wait for a person. */
export default function ToMatch() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [matched, setMatched] = useState<Transfer | null>(null);
  const [decided, setDecided] = useState<Certificate | null>(null);
  const view = (fileName: string | null, title: string) => setViewed({ fileName, title, failure: messages.pdfFailed });
  return (
    <Stack gap="xl" mt="xl">
      <Transfers view={view} onMatch={setMatched} />
      <Certificates view={view} onDecide={setDecided} />
      <Dialog opened={matched !== null} onClose={() => setMatched(null)} title="What it pays">
        {matched && <MatchForm key={matched.id} transfer={matched} onClose={() => setMatched(null)} />}
      </Dialog>
      <Dialog opened={decided !== null} onClose={() => setDecided(null)} title="Certificate of deducted tax">
        {decided && <DecideForm key={decided.id} certificate={decided} onClose={() => setDecided(null)} />}
      </Dialog>
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

function Certificates({ view, onDecide }: { view: View; onDecide: (certificate: Certificate) => void }) {
  const mayDecide = useMayCall()("admin/certificates/decide");
  const open = useQuery({
    queryKey: ["admin/certificates"],
    queryFn: ({ signal }) => call("admin/certificates", {}, signal),
  });
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
            actions={
              mayDecide &&
              certificate.state === "uploaded" && (
                <Button
                  variant="default"
                  aria-label={`Decide the certificate of ${certificate.invoice_number}`}
                  onClick={() => onDecide(certificate)}
                >
                  Decide
                </Button>
              )
            }
          />
        ))}
      </Entries>
    </PanelSection>
  );
}

function MatchForm({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const form = useForm({ initialValues: { pays: transfer.suggestion ?? "" } });
  return (
    <DialogForm
      form={form}
      send={({ pays }) => call("admin/transfers/match", { id: transfer.id, pays })}
      refresh={refreshed}
      submit="Match"
      onClose={onClose}
    >
      {transfer.suggestion && <Text>{transfer.suggestion} is the only open document with just this sum.</Text>}
      <TextInput
        label="What it pays"
        description="Number of the proforma, invoice or order, or its reference"
        required
        data-autofocus
        maxLength={40}
        {...form.getInputProps("pays")}
      />
    </DialogForm>
  );
}

/** One that is right is matched at once; one that is not is refused with a reason that the customer reads. */
function DecideForm({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const [refuses, setRefuses] = useState(false);
  const form = useForm({ initialValues: { reason: "" } });
  const { id, number, quarter, certified, amount } = certificate;
  return (
    <DialogForm
      form={form}
      send={({ reason }) =>
        call("admin/certificates/decide", refuses ? { id, decision: "refused", reason } : { id, decision: "matched" })
      }
      refresh={refreshed}
      submit={refuses ? "Refuse" : "Match"}
      onClose={onClose}
    >
      <Text>
        Certificate {number}, {quarter}, says {certified}; {amount} were claimed. Compare it with Form 26AS before you
        match it.
      </Text>
      <Group gap={4} role="group" aria-label="Decision">
        {[false, true].map((each) => (
          <Button
            key={String(each)}
            variant={each === refuses ? "light" : "subtle"}
            aria-pressed={each === refuses}
            onClick={() => setRefuses(each)}
          >
            {each ? "Refuse it" : "It is right"}
          </Button>
        ))}
      </Group>
      {refuses && (
        <Textarea
          label="Why"
          description="The customer reads it."
          autosize
          minRows={2}
          required
          maxLength={limits.actionReasonLengthMax}
          {...form.getInputProps("reason")}
        />
      )}
    </DialogForm>
  );
}

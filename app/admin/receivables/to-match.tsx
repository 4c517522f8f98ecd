import { Box, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { writtenDay } from "../../../contract/india-time.ts";
import { messages } from "../../../contract/messages.ts";
import type { Certificate, Transfer } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { CertificateEntry, TransferEntry, type View } from "../../billing/open-entries.tsx";
import { CheckBox } from "../../components/check-box.tsx";
import { openedLater } from "../../components/later.tsx";
import { useChoiceOfAddress } from "../../lists/use-choice-of-address.ts";
import { useDoing } from "../../components/use-doing.ts";
import { refreshOrders } from "../../orders/refresh-orders.ts";
import { PdfViewer, type ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import type { CorrectDialogProps } from "./correct-dialog.tsx";
import type { DecideDialogProps } from "./decide-dialog.tsx";
import { EntryList } from "./entry-list.tsx";
import type { MatchDialogProps } from "./match-dialog.tsx";
import type { OweAgainDialogProps } from "./owe-again-dialog.tsx";
import type { SetAsideDialogProps } from "./set-aside-dialog.tsx";

const MatchDialog = openedLater<MatchDialogProps>(() => import("./match-dialog.tsx"), { transfer: null });
const DecideDialog = openedLater<DecideDialogProps>(() => import("./decide-dialog.tsx"), { certificate: null });
const CorrectDialog = openedLater<CorrectDialogProps>(() => import("./correct-dialog.tsx"), { certificate: null });
const SetAsideDialog = openedLater<SetAsideDialogProps>(() => import("./set-aside-dialog.tsx"), { transfer: null });
const OweAgainDialog = openedLater<OweAgainDialogProps>(() => import("./owe-again-dialog.tsx"), { certificate: null });

/** Transfers and certificates that wait for a person. */
export default function ToMatch() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [matched, setMatched] = useState<Transfer | null>(null);
  const [aside, setAside] = useState<Transfer | null>(null);
  const [decided, setDecided] = useState<Certificate | null>(null);
  const [corrected, setCorrected] = useState<Certificate | null>(null);
  const [owedAgain, setOwedAgain] = useState<Certificate | null>(null);
  const view = (fileName: string | null, title: string) => setViewed({ fileName, title, failure: messages.pdfFailed });
  return (
    <Stack gap="xl" mt="xl">
      <Transfers view={view} onMatch={setMatched} onSetAside={setAside} />
      <Certificates view={view} onDecide={setDecided} onCorrect={setCorrected} onOweAgain={setOwedAgain} />
      <MatchDialog transfer={matched} onClose={() => setMatched(null)} />
      <SetAsideDialog transfer={aside} onClose={() => setAside(null)} />
      <DecideDialog certificate={decided} onClose={() => setDecided(null)} />
      <CorrectDialog certificate={corrected} onClose={() => setCorrected(null)} />
      <OweAgainDialog certificate={owedAgain} onClose={() => setOwedAgain(null)} />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </Stack>
  );
}

interface TransfersProps {
  view: View;
  onMatch: (transfer: Transfer) => void;
  onSetAside: (transfer: Transfer) => void;
}

function Transfers({ view, onMatch, onSetAside }: TransfersProps) {
  const mayCall = useMayCall();
  const [shown, setShown] = useChoiceOfAddress("transfers", [{ value: "open" }, { value: "all" }]);
  const isAll = shown === "all";
  const actionsOf = (transfer: Transfer) => {
    const { id, utr, state } = transfer;
    if (state === "set_aside" && mayCall("admin/transfers/put-back")) return <PutBack id={id} utr={utr} />;
    if (state !== "seen" || !mayCall("admin/transfers/match")) return null;
    return (
      <>
        <Button variant="default" aria-label={`Match ${utr}`} onClick={() => onMatch(transfer)}>
          Match
        </Button>
        <Button variant="default" aria-label={`Not from a customer … ${utr}`} onClick={() => onSetAside(transfer)}>
          Not from a customer …
        </Button>
      </>
    );
  };
  return (
    <EntryList
      name="admin/transfers"
      input={{ open: isAll ? "false" : "true" }}
      title={isAll ? "All transfers" : "Transfers without a match"}
      what="transfers"
      empty={isAll ? "No transfer has come yet." : "Every transfer is matched."}
      entry={(transfer) => (
        <TransferEntry key={transfer.id} transfer={transfer} view={view} actions={actionsOf(transfer)} />
      )}
    >
      <Box mt="sm">
        <CheckBox label="Show all transfers" checked={isAll} onChange={(all) => setShown(all ? "all" : "open")} />
      </Box>
    </EntryList>
  );
}

function PutBack({ id, utr }: Pick<Transfer, "id" | "utr">) {
  const { isPending, mutate } = useDoing(refreshOrders, () => call("admin/transfers/put-back", { id }));
  return (
    <Button variant="default" aria-label={`Put back ${utr}`} loading={isPending} onClick={mutate}>
      Put back
    </Button>
  );
}

interface CertificatesProps {
  view: View;
  onDecide: (certificate: Certificate) => void;
  onCorrect: (certificate: Certificate) => void;
  onOweAgain: (certificate: Certificate) => void;
}

function Certificates({ view, onDecide, onCorrect, onOweAgain }: CertificatesProps) {
  const mayCall = useMayCall();
  const [today] = useState(() => writtenDay(new Date()));
  const isAwaited = ({ state, is_cancelled, owed_again_since }: Certificate) =>
    (state === "awaited" || state === "refused") && !is_cancelled && owed_again_since === null;
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
    const isNothing = certificate.percent === 0 && !certificate.is_cancelled;
    const mayOwe =
      isAwaited(certificate) && mayCall("admin/certificates/owe-again") && today >= certificate.owed_again_from;
    const mayCorrect = (isAwaited(certificate) || isNothing) && mayCall("admin/certificates/correct");
    if (!mayOwe && !mayCorrect) return null;
    return (
      <Group gap="xs">
        {mayCorrect && (
          <Button
            variant="default"
            aria-label={`Correct the tax deducted from ${invoice_number}`}
            onClick={() => onCorrect(certificate)}
          >
            Correct …
          </Button>
        )}
        {mayOwe && (
          <Button
            variant="default"
            aria-label={`Owe again the tax deducted from ${invoice_number}`}
            onClick={() => onOweAgain(certificate)}
          >
            Owe again …
          </Button>
        )}
      </Group>
    );
  };
  return (
    <EntryList
      name="admin/certificates"
      title="Certificates of deducted tax to come"
      what="certificates"
      empty="None is awaited."
      entry={(certificate) => (
        <CertificateEntry
          key={certificate.id}
          certificate={certificate}
          who={certificate.organization_name}
          view={view}
          actions={actionsOf(certificate)}
        />
      )}
    />
  );
}

import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { messages } from "../../contract/messages.ts";
import type { Certificate, OpenDocument, PaymentsDue, Transfer } from "../../contract/receivables.ts";
import { showDay, showRupees } from "../components/display.ts";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Amount } from "../components/unbroken.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { bankFacts } from "./bank-facts.tsx";
import { CertificateEntry, Entries, Entry, Muted, TransferEntry, type View } from "./open-entries.tsx";
import { type DueOf, dueQuery } from "./payments-due-of.ts";
import { StatementOfAccount } from "./statement-of-account.tsx";

interface Parts {
  of: DueOf;
  /** The actions for a document, for a certificate, and for a transfer. */
  onDocument?: (document: OpenDocument) => ReactNode;
  onCertificate?: (certificate: Certificate) => ReactNode;
  onTransfer?: (transfer: Transfer) => ReactNode;
  level?: 2 | 3;
}

/** What an organisation owes: sums, open documents, certificates of deducted tax, transfers, statement of account. */
export function PaymentsDueOf({ of, level = 3, ...actions }: Parts) {
  const due = useQuery(dueQuery(of));
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  if (due.isError && !due.data) return <ListFailed message={messages.fetchFailed} onRetry={() => void due.refetch()} />;
  if (!due.data) return <Skeleton h={160} radius="md" />;
  const view = (fileName: string | null, title: string) => setViewed({ fileName, title, failure: messages.pdfFailed });
  return (
    <Stack gap="xl">
      <Sums due={due.data} level={level} />
      <Documents documents={due.data.documents} level={level} view={view} {...actions} />
      {due.data.bank && <OurAccount bank={due.data.bank} level={level} />}
      {due.data.certificates.length > 0 && (
        <Certificates certificates={due.data.certificates} level={level} view={view} {...actions} />
      )}
      {due.data.transfers.length > 0 && (
        <Transfers transfers={due.data.transfers} level={level} view={view} {...actions} />
      )}
      <StatementOfAccount of={of} level={level} />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
    </Stack>
  );
}

type Shown = { level: 2 | 3; view: View };

function Sums({ due: { balance, to_pay, certificates_open }, level }: { due: PaymentsDue; level: 2 | 3 }) {
  const isCredit = balance.startsWith("-");
  return (
    <PanelSection title="What is open" level={level}>
      <Facts
        facts={[
          ["To pay", <Amount key="sum" rupees={to_pay} />],
          ["Certificates of deducted tax to come", <Amount key="sum" rupees={certificates_open} />],
          [isCredit ? "Credit" : "Balance of invoices", <Amount key="sum" rupees={balance.replace("-", "")} />],
        ]}
      />
    </PanelSection>
  );
}

function OurAccount({ bank, level }: { bank: NonNullable<PaymentsDue["bank"]>; level: 2 | 3 }) {
  return (
    <PanelSection
      title="The account to transfer to"
      level={level}
      hint="It is never changed by e-mail. Before the first transfer, call a number of our site."
    >
      <Facts facts={bankFacts(bank)} />
    </PanelSection>
  );
}

function Documents({
  documents,
  level,
  view,
  onDocument,
}: Shown & Pick<Parts, "onDocument"> & { documents: readonly OpenDocument[] }) {
  return (
    <PanelSection title="Proformas and invoices" level={level}>
      {documents.length === 0 && <Muted>Nothing is to be paid.</Muted>}
      <Entries label="Proformas and invoices">
        {documents.map((document) => (
          <Entry
            key={document.order_id}
            actions={
              <>
                {document.pdf_url && (
                  <Button
                    variant="default"
                    aria-label={`View ${document.number}`}
                    onClick={() => view(document.pdf_url, document.number)}
                  >
                    View
                  </Button>
                )}
                {onDocument?.(document)}
              </>
            }
          >
            <Text fw={650}>
              {document.kind === "proforma" ? "Proforma" : "Invoice"} {document.number}:{" "}
              <Amount rupees={document.open.replace("-", "")} />
              {document.open.startsWith("-") && " credit"}
            </Text>
            <Muted>
              {document.order_number}
              {!document.open.startsWith("-") && (
                <>
                  , due on {showDay(document.due_on)}. Reference for the transfer:{" "}
                  <span className="tabular">{document.reference}</span>
                  {document.open !== document.amount && `. Of ${showRupees(document.amount)} in all`}
                </>
              )}
            </Muted>
            {document.days_overdue > 0 && (
              <StateBadge tone="bad">
                {document.days_overdue} {document.days_overdue === 1 ? "day" : "days"} overdue
              </StateBadge>
            )}
          </Entry>
        ))}
      </Entries>
    </PanelSection>
  );
}

function Certificates({
  certificates,
  level,
  view,
  onCertificate,
}: Shown & Pick<Parts, "onCertificate"> & { certificates: readonly Certificate[] }) {
  return (
    <PanelSection title="Certificates of deducted tax" level={level} hint="Form 16A, for tax deducted at source.">
      <Entries label="Certificates of deducted tax">
        {certificates.map((certificate) => (
          <CertificateEntry
            key={certificate.id}
            certificate={certificate}
            view={view}
            actions={onCertificate?.(certificate)}
          />
        ))}
      </Entries>
    </PanelSection>
  );
}

function Transfers({
  transfers,
  level,
  view,
  onTransfer,
}: Shown & Pick<Parts, "onTransfer"> & { transfers: readonly Transfer[] }) {
  return (
    <PanelSection title="Transfers" level={level}>
      <Entries label="Transfers">
        {transfers.map((transfer) => (
          <TransferEntry key={transfer.id} transfer={transfer} view={view} actions={onTransfer?.(transfer)} />
        ))}
      </Entries>
    </PanelSection>
  );
}

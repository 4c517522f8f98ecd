import { Button, Group, Text } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { Receivable } from "../../contract/receivables.ts";
import { showDay } from "../components/display.ts";
import { openedLater, shownLater } from "../components/later.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Amount } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import { unfoldOrderOf } from "../orders/unfold-order.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { Ageing } from "./receivables/ageing.tsx";
import type { GiveBackDialogProps } from "./receivables/give-back-dialog.tsx";
import type { RecordDialogProps } from "./receivables/record-dialog.tsx";
import type { SettleDialogProps } from "./receivables/settle-dialog.tsx";

export const meta = () => [{ title: `Receivables – ${brand.name}` }];

const RecordDialog = openedLater<RecordDialogProps>(() => import("./receivables/record-dialog.tsx"), { pays: null });
const StatementDialog = openedLater<{ opened: boolean; onClose: () => void }>(
  () => import("./receivables/statement-dialog.tsx"),
  { opened: false },
);
const SettleDialog = openedLater<SettleDialogProps>(() => import("./receivables/settle-dialog.tsx"), {
  receivable: null,
});
const GiveBackDialog = openedLater<GiveBackDialogProps>(() => import("./receivables/give-back-dialog.tsx"), {
  receivable: null,
});
const ToMatch = shownLater(
  () => import("./receivables/to-match.tsx"),
  () => <ListLoading rows={2} />,
);

const isCredit = ({ open }: Receivable) => open.startsWith("-");
/** Whether anything is left to write off or, for a credit, to give back. */
const isLeft = (row: Receivable) =>
  isCredit(row) ? Number(row.open) + Number(row.going_back) < 0 : row.open !== "0.00";

const columns: readonly Column<Receivable, "due_on" | "organization_name" | "open">[] = [
  {
    label: "Customer",
    cell: ({ organization_name }) => <bdi>{organization_name}</bdi>,
    text: ({ organization_name }) => organization_name,
    sort: "organization_name",
  },
  { label: "Order", cell: ({ order_number }) => order_number, text: ({ order_number }) => order_number, below: true },
  {
    label: "Document",
    // A payment by the gateway that paid for nothing has neither.
    cell: ({ document, is_invoiced }) =>
      document === "" ? (
        "–"
      ) : (
        <>
          <span className="tabular">{document}</span>
          {!is_invoiced && (
            <Text fz="sm" c="var(--site-muted)">
              Proforma
            </Text>
          )}
        </>
      ),
    text: ({ document }) => document,
    below: true,
  },
  {
    label: "Due",
    cell: ({ due_on, days_overdue }) => (
      <>
        {due_on && showDay(due_on)}{" "}
        {days_overdue > 0 && (
          <StateBadge tone="bad">
            {days_overdue} {days_overdue === 1 ? "day" : "days"} overdue
          </StateBadge>
        )}
      </>
    ),
    text: ({ due_on }) => due_on ?? "",
    sort: "due_on",
  },
  {
    label: "Open",
    cell: (row) => (
      <>
        <Amount rupees={row.open.replace("-", "")} />
        {isCredit(row) && " credit"}
        {row.going_back !== "0.00" && (
          <Text fz="sm" c="var(--site-muted)">
            <Amount rupees={row.going_back} /> on the way back
          </Text>
        )}
        {row.write_off_asked !== "0.00" && (
          <Text fz="sm" c="var(--site-muted)">
            <Amount rupees={row.write_off_asked} /> to write off
          </Text>
        )}
      </>
    ),
    text: ({ open }) => open,
    numeric: true,
    sort: "open",
  },
  {
    label: "Certificate to come",
    cell: ({ certificate_open }) => (certificate_open === "0.00" ? "–" : <Amount rupees={certificate_open} />),
    text: ({ certificate_open }) => certificate_open,
    numeric: true,
  },
];

/** What customers owe: by age and order by order, with the transfers and certificates that wait for a person. */
export default function Receivables() {
  const [pays, setPays] = useState<string | null>(null);
  const [importing, setImporting] = useState(false);
  const [settled, setSettled] = useState<Receivable | null>(null);
  const [givenBack, setGivenBack] = useState<Receivable | null>(null);
  const mayCall = useMayCall();
  const mayRecord = mayCall("admin/transfers/record");
  return (
    <>
      <ListPage
        name="admin/receivables"
        title="Receivables"
        hint="Orders with money, or a certificate of deducted tax, still to come."
        searchLabel="Search receivables"
        columns={columns}
        fileName="receivables"
        sums={<Ageing />}
        empty="Nothing is open"
        emptyHint="Orders to be paid by transfer or against invoice stay here until the money has arrived."
        failure="The receivables could not be loaded."
        unfold={({ order_id, order_number }) => unfoldOrderOf(order_id, order_number)}
        {...(mayRecord && {
          actions: (row: Receivable) => (
            <WhatToDo
              row={row}
              onRecord={() => setPays(row.document || row.order_number)}
              onSettle={() => (isCredit(row) && row.by_transfer ? setGivenBack : setSettled)(row)}
            />
          ),
        })}
      >
        {mayRecord && (
          <Group gap="xs">
            <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setPays("")}>
              Record transfer
            </Button>
            <Button
              size="md"
              variant="default"
              leftSection={<IconUpload size={18} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              Bank statement
            </Button>
          </Group>
        )}
      </ListPage>
      <ToMatch />
      <RecordDialog pays={pays} onClose={() => setPays(null)} />
      <StatementDialog opened={importing} onClose={() => setImporting(false)} />
      <GiveBackDialog receivable={givenBack} onClose={() => setGivenBack(null)} />
      <SettleDialog receivable={settled} onClose={() => setSettled(null)} />
    </>
  );
}

function WhatToDo({ row, onRecord, onSettle }: { row: Receivable; onRecord: () => void; onSettle: () => void }) {
  const isOwed = !isCredit(row) && row.open !== "0.00";
  const isToSettle =
    (isCredit(row) || row.is_invoiced || row.by_transfer) && isLeft(row) && row.write_off_asked === "0.00";
  const name = row.document || row.order_number;
  if (!isOwed && !isToSettle) return null;
  return (
    <Group gap="xs">
      {isOwed && (
        <Button variant="default" aria-label={`Record a transfer for ${name}`} onClick={onRecord}>
          Record
        </Button>
      )}
      {isToSettle && (
        <Button
          variant="default"
          aria-label={`${isCredit(row) ? "Give back the credit of" : "Write off of"} ${name}`}
          onClick={onSettle}
        >
          {isCredit(row) ? "Give back …" : "Write off"}
        </Button>
      )}
    </Group>
  );
}

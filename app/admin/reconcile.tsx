import { Box, Button, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { findingKinds } from "../../contract/finding-kinds.ts";
import type { Finding } from "../../contract/reconcile.ts";
import { openedLater, shownLater } from "../components/later.tsx";
import { DayAndTime } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import { unfoldOrderOf } from "../orders/unfold-order.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { ResolveDialogProps } from "./reconcile/resolve-dialog.tsx";

export const meta = () => [{ title: `Reconciliation – ${brand.name}` }];

const SettlementDialog = openedLater<{ opened: boolean; onClose: () => void }>(
  () => import("./reconcile/settlement-dialog.tsx"),
  { opened: false },
);
const ResolveDialog = openedLater<ResolveDialogProps>(() => import("./reconcile/resolve-dialog.tsx"), {
  finding: null,
});
const SettlementFiles = shownLater(
  () => import("./reconcile/settlement-files.tsx"),
  () => null,
);

const columns: readonly Column<Finding, "found_at">[] = [
  {
    label: "Found",
    cell: ({ found_at }) => <DayAndTime instant={found_at} />,
    text: ({ found_at }) => found_at,
    sort: "found_at",
  },
  { label: "What", cell: ({ kind }) => findingKinds[kind], text: ({ kind }) => findingKinds[kind] },
  {
    label: "About",
    cell: ({ about, who }) => (
      <>
        {about} <bdi>{who}</bdi>
      </>
    ),
    text: ({ about, who }) => `${about} ${who}`.trim(),
    below: true,
  },
  {
    label: "Says",
    cell: ({ says, resolution, resolved_by }) => (
      <>
        <Text fz="inherit">{says}</Text>
        {resolution && (
          <Text fz="sm" c="var(--site-muted)">
            {resolved_by ?? "By itself"}: {resolution}
          </Text>
        )}
      </>
    ),
    text: ({ says, resolution }) => [says, resolution].filter(Boolean).join(" "),
    width: 240,
  },
];

const states = [
  { value: "open", label: "Open" },
  { value: "resolved", label: "Resolved" },
] as const;

/** The differences between our books and the gateway's, and the settlement files that are compared. */
export default function Reconcile() {
  const [state, setState] = useChoiceOfAddress("state", states);
  const [importing, setImporting] = useState(false);
  const [resolved, setResolved] = useState<Finding | null>(null);
  const mayCall = useMayCall();
  const mayResolve = mayCall("admin/reconcile/resolve");
  return (
    <>
      <ListPage
        name="admin/reconcile"
        input={{ state }}
        title="Reconciliation"
        hint="Payments and refunds in which our books and the gateway’s differ."
        searchLabel="Search what differs"
        columns={columns}
        fileName={`reconciliation-${state}`}
        filters={
          <Box mb="md">
            <ChoiceButtons label="Show" choices={states} value={state} onChange={setState} />
          </Box>
        }
        empty={state === "open" ? "Nothing differs" : "Nothing is resolved yet"}
        emptyHint={
          state === "open"
            ? "Unexpected confirmations from the gateway appear here. Settlements are compared when you import a settlement file."
            : "Resolved differences stay here with the reason."
        }
        failure="The differences could not be loaded."
        unfold={({ order_id, about }) => (order_id ? unfoldOrderOf(order_id, about) : null)}
        {...(mayResolve &&
          state === "open" && {
            actionsLabel: "Resolve",
            actions: (finding: Finding) => (
              <Button
                variant="default"
                aria-label={`Resolve ${findingKinds[finding.kind]} of ${finding.about}`}
                onClick={() => setResolved(finding)}
              >
                Resolve
              </Button>
            ),
          })}
      >
        {mayCall("admin/reconcile/import") && (
          <Button size="md" leftSection={<IconUpload size={18} aria-hidden />} onClick={() => setImporting(true)}>
            Settlement file
          </Button>
        )}
      </ListPage>
      <SettlementFiles />
      <SettlementDialog opened={importing} onClose={() => setImporting(false)} />
      <ResolveDialog finding={resolved} onClose={() => setResolved(null)} />
    </>
  );
}

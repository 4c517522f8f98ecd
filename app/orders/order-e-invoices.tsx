import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { StaffEInvoice } from "../../contract/e-invoices.ts";
import { showTime } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { CancelEInvoiceProps } from "./cancel-e-invoice-dialog.tsx";

const CancelDialog = openedLater<CancelEInvoiceProps>(() => import("./cancel-e-invoice-dialog.tsx"), {
  eInvoice: null,
});

/** For staff: the state of an order's documents at the government's invoice portal. */
export function OrderEInvoices({
  eInvoices,
  onAsking,
}: {
  eInvoices: readonly StaffEInvoice[];
  /** Called with whether its dialog is open. */
  onAsking: (isAsking: boolean) => void;
}) {
  const mayCall = useMayCall();
  const [cancelled, setCancelled] = useState<StaffEInvoice | null>(null);
  useEffect(() => onAsking(cancelled !== null), [cancelled, onAsking]);
  if (eInvoices.length === 0) return null;
  return (
    <Stack gap="sm">
      {eInvoices.map((each) => (
        <Group key={each.id} gap="sm">
          <Text fz="sm" style={{ overflowWrap: "anywhere", flex: "1 1 16rem" }}>
            {each.number}: {standingOf(each)}
          </Text>
          {each.record_until && mayCall("admin/e-invoices/cancel") && (
            <Button variant="default" onClick={() => setCancelled(each)}>
              {each.cancel_until ? "Cancel this invoice …" : "Record its cancellation …"}
            </Button>
          )}
        </Group>
      ))}
      <CancelDialog eInvoice={cancelled} onClose={() => setCancelled(null)} />
    </Stack>
  );
}

function standingOf({ state, ack_number, ack_at, reasons, cancel_asked_at }: StaffEInvoice): string {
  const acknowledged = `registered with the portal, acknowledgement ${ack_number}${ack_at ? ` of ${showTime(ack_at)}` : ""}`;
  if (cancel_asked_at) return `${acknowledged}; the portal is asked to cancel it.`;
  const standings: Record<typeof state, string> = {
    due: "to be sent to the portal.",
    sent: "sent to the portal, which has not answered yet.",
    registered: `${acknowledged}.`,
    refused: `the portal did not take it. ${reasons.join(" ")} Correct that and send it again, under Actions, E-invoices.`,
    cancelled: `${acknowledged}, and cancelled. It counts for nothing.`,
  };
  return standings[state];
}

import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { cancelHours, type CancelReason, cancelReasons, cancelRemarkLengthMax } from "../../contract/cancel-reasons.ts";
import type { StaffEInvoice } from "../../contract/e-invoices.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { showTime } from "../components/display.ts";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { toast } from "../toast.ts";
import { refreshOrders } from "./refresh-orders.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";

export interface CancelEInvoiceProps {
  eInvoice: StaffEInvoice | null;
  onClose: () => void;
}

/** Asks why an e-invoice is cancelled, and says what that means. */
export default function CancelEInvoiceDialog({ eInvoice, onClose }: CancelEInvoiceProps) {
  return (
    <Dialog
      opened={eInvoice !== null}
      onClose={onClose}
      title={`${eInvoice?.cancel_until === null ? "Record that the portal cancelled" : "Cancel"} ${eInvoice?.number ?? "this invoice"}`}
    >
      {eInvoice && <CancelForm eInvoice={eInvoice} onClose={onClose} />}
    </Dialog>
  );
}

const choices = Object.entries(cancelReasons).map(([value, label]) => ({ value, label }));

function CancelForm({ eInvoice, onClose }: { eInvoice: StaffEInvoice; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState<CancelReason>("3");
  const [remark, setRemark] = useState("");
  const isOurs = eInvoice.cancel_until !== null;
  const until = eInvoice.cancel_until ?? eInvoice.record_until;
  const cancel = useMutation({
    mutationFn: () => call("admin/e-invoices/cancel", { id: eInvoice.id, reason, remark }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshOrders(queries);
      onClose();
    },
  });
  return (
    <form
      {...heldWhileSent(cancel.isPending)}
      onSubmit={(event) => {
        event.preventDefault();
        if (remark.trim() !== "" && !cancel.isPending) cancel.mutate();
      }}
    >
      <Stack gap="md">
        {!isOurs && (
          <Text>
            The portal cancels for {cancelHours} hours only, and these are over. If somebody cancelled this invoice
            there in time, it is recorded here: the portal is asked, and its answer counts.
          </Text>
        )}
        <Text>
          {isOurs ? "The invoice then counts" : "An invoice that is cancelled counts"} for nothing, for good: its number
          is used up, and this order gets no other one. Give the money of the order back afterwards; there will be no
          credit note. To correct only its data, give the money back instead, which makes a credit note, and sell anew.
        </Text>
        <NativeSelect
          label="Reason"
          data-autofocus
          data={choices}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value as CancelReason)}
        />
        <TextInput
          label="In a few words"
          description={
            isOurs ? "The portal keeps it with the invoice." : "As it was given to the portal, or how you know."
          }
          required
          maxLength={cancelRemarkLengthMax}
          value={remark}
          onChange={(event) => setRemark(event.currentTarget.value)}
        />
        {until && (
          <Text fz="sm" c="var(--site-muted)">
            Possible until {showTime(until)}.
          </Text>
        )}
        <DialogEnd
          sending={cancel}
          submit={isOurs ? "Cancel the invoice" : "Ask the portal"}
          isReady={remark.trim() !== ""}
          destructive={isOurs}
          leave={isOurs ? "Keep the invoice" : "Close"}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

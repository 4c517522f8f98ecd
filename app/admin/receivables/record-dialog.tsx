import { TextInput } from "@mantine/core";
import { useState } from "react";
import { writtenDay } from "../../../contract/india-time.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { rupeesTyped } from "../../forms/rupees-typed.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { confirmedBy, IsMeant } from "../../forms/is-meant.tsx";

export interface RecordDialogProps {
  /** The document that it pays; empty if that is still to be typed; null while the dialog is closed. */
  pays: string | null;
  onClose: () => void;
}

/** Records a transfer that an administrator sees at the bank. */
export default function RecordDialog({ pays, onClose }: RecordDialogProps) {
  return (
    <Dialog opened={pays !== null} onClose={onClose} title="Record a transfer">
      {pays !== null && <Form key={pays} pays={pays} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ pays, onClose }: { pays: string; onClose: () => void }) {
  const [today] = useState(() => writtenDay(new Date()));
  const first = { utr: "", amount: "", received_on: today, payer: "", pays, is_meant: false };
  const { form, leave } = useKeptForm(`record ${pays}`, first, onClose, {}, "none");
  return (
    <DialogForm
      form={form}
      send={({ amount, pays: typed, ...transfer }) =>
        call("admin/transfers/record", { ...transfer, amount: rupeesTyped(amount), pays: typed.trim() || null })
      }
      refresh={shownWithOrders}
      submit="Record"
      onClose={leave}
    >
      <TextInput
        label="Bank reference (UTR)"
        description="It can be recorded only once"
        required
        data-autofocus
        maxLength={60}
        {...form.getInputProps("utr")}
      />
      <TextInput label="Amount in rupees" inputMode="decimal" required {...confirmedBy(form, "amount")} />
      <TextInput label="Received on" type="date" required {...confirmedBy(form, "received_on")} />
      <TextInput label="Who paid" required maxLength={120} {...form.getInputProps("payer")} />
      <TextInput
        label="What it pays"
        description="Number of the proforma, invoice or order, or its reference; leave it empty where nobody knows"
        maxLength={40}
        {...confirmedBy(form, "pays")}
      />
      <IsMeant form={form} />
    </DialogForm>
  );
}

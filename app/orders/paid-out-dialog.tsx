import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { writtenDay } from "../../contract/india-time.ts";
import type { StaffRefund } from "../../contract/refunds.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { showRupees } from "../components/display.ts";
import { DialogForm } from "../forms/form-dialog.tsx";
import { confirmedBy, IsMeant } from "../forms/is-meant.tsx";
import { shownWithOrders } from "./refresh-orders.ts";

export interface PaidOutDialogProps {
  /** Null while the dialog is closed. */
  refund: StaffRefund | null;
  onClose: () => void;
}

/** Records the transfer by which a refund was paid out. */
export default function PaidOutDialog({ refund, onClose }: PaidOutDialogProps) {
  return (
    <Dialog opened={refund !== null} onClose={onClose} title="Note that it was transferred back">
      {refund && <Form key={refund.id} refund={refund} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ refund: { id, amount }, onClose }: { refund: StaffRefund; onClose: () => void }) {
  const [today] = useState(() => writtenDay(new Date()));
  const form = useForm({ initialValues: { bank_reference: "", paid_on: today, is_meant: false } });
  return (
    <DialogForm
      form={form}
      send={(typed) => call("admin/refunds/paid-out", { id, ...typed })}
      refresh={shownWithOrders}
      submit="It was transferred"
      onClose={onClose}
    >
      <Text>
        This moves no money: first transfer {showRupees(amount)} at your bank. The customer then gets a mail with the
        reference, and a credit note for what was invoiced.
      </Text>
      <TextInput
        label="Bank reference (UTR)"
        description="Of your transfer to the customer; it is noted once"
        required
        data-autofocus
        maxLength={60}
        {...form.getInputProps("bank_reference")}
      />
      <TextInput label="Transferred on" type="date" required max={today} {...confirmedBy(form, "paid_on")} />
      <IsMeant form={form} />
    </DialogForm>
  );
}

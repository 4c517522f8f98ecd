import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { writtenDay } from "../../contract/india-time.ts";
import type { OpenDocument } from "../../contract/receivables.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { rupeesTyped } from "../forms/rupees-typed.ts";

export interface AnnounceTransferProps {
  document: OpenDocument | null;
  onClose: () => void;
}

/** Announces a transfer that was sent, so that it can be matched by the bank's reference. */
export default function AnnounceTransfer({ document, onClose }: AnnounceTransferProps) {
  return (
    <Dialog opened={document !== null} onClose={onClose} title="You have transferred it">
      {document && <Form key={document.number} document={document} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ document, onClose }: { document: OpenDocument; onClose: () => void }) {
  const [today] = useState(() => writtenDay(new Date()));
  const first = { utr: "", amount: document.open, sent_on: today };
  const { form, leave } = useKeptForm(`announce ${document.number}`, first, onClose, {}, "none");
  return (
    <DialogForm
      form={form}
      send={({ amount, ...typed }) =>
        call("user/transfers/announce", { ...typed, order_id: document.order_id, amount: rupeesTyped(amount) })
      }
      refresh={["user/payments-due"]}
      submit="Tell us"
      onClose={leave}
    >
      <Text>
        {document.number} stays open until the bank shows the money. With its reference we find it also if yours is
        missing.
      </Text>
      <TextInput
        label="Bank reference (UTR)"
        description="As your bank shows it for this transfer"
        required
        data-autofocus
        maxLength={60}
        {...form.getInputProps("utr")}
      />
      <TextInput label="Amount in rupees" inputMode="decimal" required {...form.getInputProps("amount")} />
      <TextInput label="Sent on" type="date" required {...form.getInputProps("sent_on")} />
    </DialogForm>
  );
}

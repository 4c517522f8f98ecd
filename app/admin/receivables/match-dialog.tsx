import { Text, TextInput } from "@mantine/core";
import type { Transfer } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { confirmedBy, IsMeant } from "../../forms/is-meant.tsx";

export interface MatchDialogProps {
  /** Null while the dialog is closed. */
  transfer: Transfer | null;
  onClose: () => void;
}

/** Says which document a transfer pays. */
export default function MatchDialog({ transfer, onClose }: MatchDialogProps) {
  return (
    <Dialog opened={transfer !== null} onClose={onClose} title="What it pays">
      {transfer && <MatchForm key={transfer.id} transfer={transfer} onClose={onClose} />}
    </Dialog>
  );
}

function MatchForm({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const first = { pays: transfer.order_number ?? transfer.suggestion ?? "", is_meant: false };
  const { form, leave } = useKeptForm(`match ${transfer.id}`, first, onClose, {}, "none");
  return (
    <DialogForm
      form={form}
      send={(typed) => call("admin/transfers/match", { id: transfer.id, ...typed })}
      refresh={shownWithOrders}
      submit="Match"
      onClose={leave}
    >
      {transfer.order_number ? (
        <Text>
          {transfer.organization_name} has announced it for {transfer.order_number}. Anybody may know a bank reference:
          please compare the payer first.
        </Text>
      ) : (
        transfer.suggestion && <Text>{transfer.suggestion} is the only open document with just this sum.</Text>
      )}
      <TextInput
        label="What it pays"
        description="Number of the proforma, invoice or order, or its reference"
        required
        data-autofocus
        maxLength={40}
        {...confirmedBy(form, "pays")}
      />
      <IsMeant form={form} />
    </DialogForm>
  );
}

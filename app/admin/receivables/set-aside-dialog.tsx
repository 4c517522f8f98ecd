import { Text } from "@mantine/core";
import type { Transfer } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { ReasonField } from "./reason-field.tsx";

export interface SetAsideDialogProps {
  /** Null while the dialog is closed. */
  transfer: Transfer | null;
  onClose: () => void;
}

/** Sets a transfer aside that is no customer's money. */
export default function SetAsideDialog({ transfer, onClose }: SetAsideDialogProps) {
  return (
    <Dialog opened={transfer !== null} onClose={onClose} title="Not from a customer">
      {transfer && <Form key={transfer.id} transfer={transfer} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { id, amount, utr, order_number, organization_name } = transfer;
  const { form, leave } = useKeptForm(`set aside ${id}`, { reason: "" }, onClose);
  return (
    <DialogForm
      form={form}
      send={({ reason }) => call("admin/transfers/set-aside", { id, reason })}
      refresh={shownWithOrders}
      submit="Set aside"
      onClose={leave}
    >
      <Text>
        {utr} over {showRupees(amount)} then pays nothing, and leaves the transfers without a match. It stays among all
        transfers with your reason, where it can be put back.
      </Text>
      {order_number && (
        <Text>
          <bdi>{organization_name}</bdi> has announced it for {order_number}, and no longer sees it then.
        </Text>
      )}
      <ReasonField form={form} hint="Such as interest, or a refund of a supplier" />
    </DialogForm>
  );
}

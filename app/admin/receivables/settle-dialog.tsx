import { Text, TextInput } from "@mantine/core";
import type { Receivable } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { rupeesTyped } from "../../forms/rupees-typed.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { ReasonField } from "./reason-field.tsx";

export interface SettleDialogProps {
  receivable: Receivable | null;
  onClose: () => void;
}

/** Writes off what is owed, or notes that a credit was given back; the reason is kept. */
export default function SettleDialog({ receivable, onClose }: SettleDialogProps) {
  const isCredit = receivable?.open.startsWith("-") ?? false;
  return (
    <Dialog
      opened={receivable !== null}
      onClose={onClose}
      title={isCredit ? "Note that a credit was given back" : "Write off"}
    >
      {receivable && <Form key={receivable.order_id} receivable={receivable} isCredit={isCredit} onClose={onClose} />}
    </Dialog>
  );
}

function Form({
  receivable: { order_id, order_number, organization_name, open, is_invoiced },
  isCredit,
  onClose,
}: {
  receivable: Receivable;
  isCredit: boolean;
  onClose: () => void;
}) {
  const first = { id: crypto.randomUUID(), amount: open.replace("-", ""), reason: "" };
  const { form, leave } = useKeptForm(`${isCredit ? "give back" : "write off"} ${order_id}`, first, onClose);
  return (
    <DialogForm
      form={form}
      send={({ id, amount, reason }) =>
        call("admin/receivables/settle", {
          id,
          order_id,
          kind: isCredit ? "given back" : "write-off",
          amount: rupeesTyped(amount),
          reason,
        })
      }
      refresh={shownWithOrders}
      submit={isCredit ? "It was given back" : "Write off"}
      destructive={!isCredit}
      onClose={leave}
    >
      <Text>
        {order_number}, <bdi>{organization_name}</bdi>.{" "}
        {isCredit
          ? "This moves no money: make the transfer at your bank first."
          : "It stays in the ledger as written off, and can’t be taken back. Large sums wait for another main administrator."}
        {!isCredit &&
          !is_invoiced &&
          " Of a proforma only a small rest can be given up, and all of it: what came pays the order, and its invoice goes out."}
      </Text>
      <TextInput label="Amount in rupees" inputMode="decimal" required {...form.getInputProps("amount")} />
      <ReasonField form={form} hint="It stays in the ledger and in the audit log." />
    </DialogForm>
  );
}

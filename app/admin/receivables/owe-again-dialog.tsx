import { Text } from "@mantine/core";
import { limits } from "../../../contract/limits.ts";
import type { Certificate } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { ReasonField } from "./reason-field.tsx";

export interface OweAgainDialogProps {
  /** Null while the dialog is closed. */
  certificate: Certificate | null;
  onClose: () => void;
}

/** Turns deducted tax that nobody certified back into a debt. */
export default function OweAgainDialog({ certificate, onClose }: OweAgainDialogProps) {
  return (
    <Dialog opened={certificate !== null} onClose={onClose} title="Deducted tax is owed again">
      {certificate && <Form key={certificate.id} certificate={certificate} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { id, amount, organization_name, invoice_number } = certificate;
  const { form, leave } = useKeptForm(`owe again ${id}`, { reason: "" }, onClose);
  return (
    <DialogForm
      form={form}
      send={({ reason }) => call("admin/certificates/owe-again", { id, reason })}
      refresh={shownWithOrders}
      submit="It is owed again"
      onClose={leave}
    >
      <Text>
        <bdi>{organization_name}</bdi> then owes {showRupees(amount)} of invoice {invoice_number}, due in{" "}
        {limits.taxOwedAgainDays} days, and is reminded of it. A certificate that is matched later settles it again.
      </Text>
      <ReasonField form={form} hint="The customer sees this." />
    </DialogForm>
  );
}

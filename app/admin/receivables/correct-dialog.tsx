import { Group, Text, TextInput } from "@mantine/core";
import { limits } from "../../../contract/limits.ts";
import type { Certificate } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { percentTyped } from "../../forms/percent-typed.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";
import { ReasonField } from "./reason-field.tsx";

export interface CorrectDialogProps {
  /** Null while the dialog is closed. */
  certificate: Certificate | null;
  onClose: () => void;
}

/** Corrects the section and rate of the tax that a buyer said it deducts. */
export default function CorrectDialog({ certificate, onClose }: CorrectDialogProps) {
  return (
    <Dialog opened={certificate !== null} onClose={onClose} title="Correct the deducted tax">
      {certificate && <Form key={certificate.id} certificate={certificate} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { id, amount, percent, section, organization_name, invoice_number } = certificate;
  const first = { section, percent: String(percent), reason: "" };
  const { form, leave } = useKeptForm(`correct ${id}`, first, onClose, {}, "none");
  return (
    <DialogForm
      form={form}
      send={(typed) => call("admin/certificates/correct", { ...typed, id, percent: percentTyped(typed.percent) })}
      refresh={shownWithOrders}
      submit="Correct"
      onClose={leave}
    >
      <Text>
        {percent === 0 ? (
          <>
            Nothing is deducted of invoice {invoice_number}: it was corrected so, from {showRupees(amount)}. What is
            deducted after all must be open.
          </>
        ) : (
          <>
            <bdi>{organization_name}</bdi> has said that it deducts {showRupees(amount)} of invoice {invoice_number}:{" "}
            {percent}% under section {section}. What it deducts less is to be paid in {limits.taxOwedAgainDays} days,
            but not before the invoice, and it is told so.
          </>
        )}
      </Text>
      <Group gap="md" align="flex-start" grow>
        <TextInput label="Section" required maxLength={40} {...form.getInputProps("section")} />
        <TextInput
          label="Percent"
          description="0 where nothing is deducted"
          required
          data-autofocus
          inputMode="decimal"
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.getInputProps("percent")}
        />
      </Group>
      <ReasonField form={form} hint="The customer sees this." isFirst={false} />
    </DialogForm>
  );
}

import { Button, Group, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import type { Certificate } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { shownWithOrders } from "../../orders/refresh-orders.ts";

export interface DecideDialogProps {
  /** Null while the dialog is closed. */
  certificate: Certificate | null;
  onClose: () => void;
}

/** Matches a certificate of deducted tax, or refuses it. */
export default function DecideDialog({ certificate, onClose }: DecideDialogProps) {
  return (
    <Dialog opened={certificate !== null} onClose={onClose} title="Certificate of deducted tax">
      {certificate && <DecideForm key={certificate.id} certificate={certificate} onClose={onClose} />}
    </Dialog>
  );
}

/** A correct certificate is matched at once; a wrong one is refused with a reason that the customer reads. */
function DecideForm({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { id, number, quarter, certified, amount, pdf_url } = certificate;
  const { form, leave } = useKeptForm(`refuse ${id}`, { reason: "" }, onClose);
  const [refuses, setRefuses] = useState(form.values.reason !== "");
  return (
    <DialogForm
      form={form}
      send={({ reason }) =>
        call("admin/certificates/decide", {
          id,
          pdf_url: pdf_url ?? "",
          ...(refuses ? { decision: "refused", reason } : { decision: "matched" }),
        })
      }
      refresh={shownWithOrders}
      submit={refuses ? "Refuse" : "Match"}
      onClose={leave}
    >
      <Text>
        Certificate {number}, {quarter}, says {certified && showRupees(certified)}; {showRupees(amount)} were claimed.
        Compare it with Form 26AS before you match it.
      </Text>
      <Group gap={4} role="group" aria-label="Decision">
        {[false, true].map((each) => (
          <Button
            key={String(each)}
            variant={each === refuses ? "light" : "subtle"}
            aria-pressed={each === refuses}
            {...(each === refuses && { "data-autofocus": true })}
            onClick={() => setRefuses(each)}
          >
            {each ? "Refuse it" : "It is right"}
          </Button>
        ))}
      </Group>
      {refuses && (
        <Textarea
          label="Why"
          description="The customer sees this."
          autosize
          minRows={2}
          required
          maxLength={limits.actionReasonLengthMax}
          {...form.getInputProps("reason")}
        />
      )}
    </DialogForm>
  );
}

import { Text, TextInput } from "@mantine/core";
import type { ShownFinding } from "../../contract/incident-findings.ts";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";

export default function DisputeDialog({ finding, onClose }: { finding: ShownFinding | null; onClose: () => void }) {
  return (
    <Dialog opened={finding !== null} onClose={onClose} title="Dispute what became of it">
      {finding && <Form key={finding.id} finding={finding} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ finding: { id, title }, onClose }: { finding: ShownFinding; onClose: () => void }) {
  const { form, leave } = useKeptForm(`dispute ${id}`, { reason: "" }, onClose);
  return (
    <DialogForm
      form={form}
      send={({ reason }) => call("user/findings/dispute", { id, reason })}
      refresh={["user/findings"]}
      submit="Dispute"
      onClose={leave}
    >
      <Text style={{ overflowWrap: "anywhere" }}>{title}</Text>
      <TextInput
        label="How you see it"
        required
        data-autofocus
        maxLength={limits.contractReasonLengthMax}
        {...form.getInputProps("reason")}
      />
    </DialogForm>
  );
}

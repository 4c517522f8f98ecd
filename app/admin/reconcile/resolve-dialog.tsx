import { Text, Textarea } from "@mantine/core";
import { limits } from "../../../contract/limits.ts";
import type { Finding } from "../../../contract/reconcile.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";

export interface ResolveDialogProps {
  finding: Finding | null;
  onClose: () => void;
}

/** Closes a difference, with a reason that is kept. */
export default function ResolveDialog({ finding, onClose }: ResolveDialogProps) {
  return (
    <Dialog opened={finding !== null} onClose={onClose} title="Resolve what differs">
      {finding && <ResolveForm key={finding.id} finding={finding} onClose={onClose} />}
    </Dialog>
  );
}

function ResolveForm({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { form, leave } = useKeptForm(`resolve ${finding.id}`, { reason: "" }, onClose);
  return (
    <DialogForm
      form={form}
      send={({ reason }) => call("admin/reconcile/resolve", { id: finding.id, reason })}
      refresh={["admin/reconcile"]}
      submit="Resolve"
      isReady={form.values.reason.trim() !== ""}
      onClose={leave}
    >
      <Text style={{ overflowWrap: "anywhere" }}>{finding.says}</Text>
      <Textarea
        label="What you found or did"
        description="It stays with the entry and in the audit log."
        autosize
        minRows={2}
        data-autofocus
        maxLength={limits.actionReasonLengthMax}
        {...form.getInputProps("reason")}
        onChange={(event) => form.setFieldValue("reason", event.currentTarget.value.replaceAll("\n", " "))}
      />
    </DialogForm>
  );
}

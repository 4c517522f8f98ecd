import { Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import type { Finding } from "../../../contract/reconcile.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogEnd } from "../../forms/dialog-end.tsx";
import { toast } from "../../toast.ts";

export interface ResolveDialogProps {
  finding: Finding | null;
  onClose: () => void;
}

/** Closes what differs, with a reason that stays. */
export default function ResolveDialog({ finding, onClose }: ResolveDialogProps) {
  return (
    <Dialog opened={finding !== null} onClose={onClose} title="Resolve what differs">
      {finding && <ResolveForm key={finding.id} finding={finding} onClose={onClose} />}
    </Dialog>
  );
}

function ResolveForm({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const resolve = useMutation({
    mutationFn: () => call("admin/reconcile/resolve", { id: finding.id, reason }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["admin/reconcile"] });
      onClose();
    },
  });
  const isEmpty = reason.trim() === "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !resolve.isPending) resolve.mutate();
      }}
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: "anywhere" }}>{finding.says}</Text>
        <Textarea
          label="What you found or did"
          description="It stays with the entry and in the audit log."
          autosize
          minRows={2}
          data-autofocus
          maxLength={limits.actionReasonLengthMax}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value.replaceAll("\n", " "))}
        />
        <DialogEnd sending={resolve} submit="Resolve" isReady={!isEmpty} onClose={onClose} />
      </Stack>
    </form>
  );
}

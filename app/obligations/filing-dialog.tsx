import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { RegulatorClock } from "../../contract/obligations.ts";
import { ApiError, call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { asInstant } from "../forms/time-typed.ts";
import { toast } from "../toast.ts";

export interface FilingDialogProps {
  incidentId: string;
  /** Who of the organisation can have filed. */
  people: readonly { id: string; name: string }[];
  clock: RegulatorClock | null;
  onClose: () => void;
}

/** Keeps that a person of the organisation filed a report. */
export default function FilingDialog({ clock, onClose, ...rest }: FilingDialogProps) {
  return (
    <Dialog opened={clock !== null} onClose={onClose} title="Mark as filed">
      {clock && <FilingForm key={clock.key} clock={clock} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function FilingForm({ incidentId, people, clock, onClose }: FilingDialogProps & { clock: RegulatorClock }) {
  const queries = useQueryClient();
  const [filingId] = useState(() => crypto.randomUUID());
  const [filedBy, setFiledBy] = useState("");
  const [written, setWritten] = useState("");
  const [reference, setReference] = useState("");
  const sending = useMutation({
    mutationFn: () =>
      call("user/incidents/{id}/filings", {
        id: incidentId,
        filingId,
        key: clock.key,
        version: clock.version,
        filedBy,
        reference,
        filedAt: asInstant(written),
      }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["user/incidents/{id}/obligations"] });
      onClose();
    },
  });
  const fields = sending.error instanceof ApiError ? sending.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: "anywhere" }}>
          {clock.title}, to {clock.recipient}. The draft as it stands now is kept beside it. What is recorded here can’t
          be changed afterwards.
        </Text>
        <NativeSelect
          label="Who filed it"
          data={[{ value: "", label: "Please choose" }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
          value={filedBy}
          data-autofocus
          error={fields["filedBy"]}
          onChange={(event) => setFiledBy(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label="When"
          description="In Indian time (IST)."
          value={written}
          error={fields["filedAt"]}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <TextInput
          label="Reference"
          description="What the regulator answered with, such as a number. Leave it empty where it gave none."
          maxLength={limits.obligationLineLengthMax}
          value={reference}
          error={fields["reference"]}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <DialogEnd
          sending={sending}
          submit="Mark as filed"
          isReady={filedBy !== "" && written !== ""}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

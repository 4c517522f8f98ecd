import { NativeSelect, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { toast } from "../toast.ts";

export interface TimeZoneDialogProps {
  /** The one that holds; null while the dialog is closed. */
  current: string | null;
  onClose: () => void;
}

/** Sets the organisation's time zone. */
export default function TimeZoneDialog({ current, onClose }: TimeZoneDialogProps) {
  return (
    <Dialog opened={current !== null} onClose={onClose} title="Time zone">
      {current && <TimeZoneForm current={current} onClose={onClose} />}
    </Dialog>
  );
}

function TimeZoneForm({ current, onClose }: { current: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [timeZone, setTimeZone] = useState(current);
  // A browser leaves out names that are only another's; the one that holds is among them in any case.
  const [zones] = useState(() => [...new Set([current, "Asia/Kolkata", ...Intl.supportedValuesOf("timeZone")])]);
  const sending = useMutation({
    mutationFn: () => call("user/onboarding/time-zone", { timeZone }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["user/onboarding"] });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="md">
        <Text>
          Your days begin by it, in coverage and in reports, and your office hours count by it. Regulators’ clocks in
          India are shown in Indian time whatever stands here.
        </Text>
        <NativeSelect
          label="Time zone"
          data={zones}
          value={timeZone}
          data-autofocus
          onChange={(event) => setTimeZone(event.currentTarget.value)}
        />
        <DialogEnd sending={sending} submit="Confirm" onClose={onClose} />
      </Stack>
    </form>
  );
}

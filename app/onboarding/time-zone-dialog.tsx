import { NativeSelect, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";

export interface TimeZoneDialogProps {
  /** The current time zone; null while the dialog is closed. */
  current: string | null;
  onClose: () => void;
}

export default function TimeZoneDialog({ current, onClose }: TimeZoneDialogProps) {
  return (
    <Dialog opened={current !== null} onClose={onClose} title="Time zone">
      {current && <TimeZoneForm current={current} onClose={onClose} />}
    </Dialog>
  );
}

function TimeZoneForm({ current, onClose }: { current: string; onClose: () => void }) {
  const form = useForm({ initialValues: { timeZone: current } });
  // Browsers leave out names that are aliases, so the current one is added.
  const [zones] = useState(() => [...new Set([current, "Asia/Kolkata", ...Intl.supportedValuesOf("timeZone")])]);
  return (
    <DialogForm
      form={form}
      send={(typed) => call("user/onboarding/time-zone", typed)}
      refresh={["user/onboarding"]}
      submit="Confirm"
      onClose={onClose}
    >
      <Text>
        Your office hours, and the days of coverage and reports, follow it. Regulators’ clocks in India are always shown
        in Indian time.
      </Text>
      <NativeSelect label="Time zone" data={zones} data-autofocus {...form.getInputProps("timeZone")} />
    </DialogForm>
  );
}

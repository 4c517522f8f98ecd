import { NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "react-router";
import type { ShownFinding } from "../../../contract/incident-findings.ts";
import { knownSeverities, severityNames } from "../../../contract/incident-states.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { asInstant } from "../../forms/time-typed.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";

export interface OpenIncidentProps {
  of: { email: string; findings: readonly ShownFinding[] } | null;
  onClose: () => void;
}

/** Opens an incident for a customer, from scratch or from findings. */
export default function OpenIncident({ of, onClose }: OpenIncidentProps) {
  return (
    <Dialog opened={of !== null} onClose={onClose} title="Open an incident">
      {of && <Form of={of} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ of: { email, findings }, onClose }: { of: NonNullable<OpenIncidentProps["of"]>; onClose: () => void }) {
  const navigate = useNavigate();
  const first = {
    id: crypto.randomUUID(),
    email,
    title: findings[0]?.title.slice(0, limits.incidentTitleLengthMax) ?? "",
    severity: "P3" as (typeof knownSeverities)[number],
    detected: "",
    text: "",
  };
  const keptAs = `incident of ${findings.map(({ id }) => id).join(" ")}`;
  const { form, leave } = useKeptForm(keptAs, first, onClose);
  return (
    <DialogForm
      form={form}
      send={async ({ detected, text, ...typed }) => {
        const answer = await call("admin/incidents/open", {
          ...typed,
          ...(detected && { detected_at: asInstant(detected) }),
          ...(text.trim() && { text }),
          findings: findings.map((finding) => finding.id),
        });
        void navigate(`/admin/incidents/${answer.incident_id}`);
        return answer;
      }}
      refresh={["admin/incidents", "admin/findings"]}
      submit="Open it"
      onClose={leave}
    >
      {findings.length > 0 && (
        <Text>{findings.length === 1 ? "1 finding is" : `${findings.length} findings are`} attached.</Text>
      )}
      <TextInput label="E-mail of the customer" type="email" required data-autofocus {...form.getInputProps("email")} />
      <TextInput label="Title" required maxLength={limits.incidentTitleLengthMax} {...form.getInputProps("title")} />
      <NativeSelect
        label="Severity"
        data={knownSeverities.map((value) => ({ value, label: severityNames[value] }))}
        {...form.getInputProps("severity")}
      />
      <TextInput
        label="Detected at"
        description="In Indian time (IST). Leave empty for now. The time to acknowledge counts from it"
        type="datetime-local"
        {...form.getInputProps("detected")}
      />
      <Textarea
        label="What is known"
        autosize
        minRows={2}
        maxLength={limits.messageLengthMax}
        {...form.getInputProps("text")}
      />
    </DialogForm>
  );
}

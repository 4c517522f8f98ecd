import { NativeSelect, Text, TextInput } from "@mantine/core";
import type { ShownFinding } from "../../../contract/incident-findings.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";

export interface DecideFindingProps {
  finding: ShownFinding | null;
  email?: string;
  onClose: () => void;
}

const fates = [
  { value: "benign", label: "Close it as benign" },
  { value: "attached", label: "It belongs to an incident" },
  { value: "suppressed", label: "Suppress all of this title" },
  { value: "open", label: "Open it again" },
];

/** Decides about a finding, with a reason that the customer reads. */
export default function DecideFinding({ finding, email = "", onClose }: DecideFindingProps) {
  return (
    <Dialog opened={finding !== null} onClose={onClose} title="What becomes of this finding">
      {finding && <Form key={finding.id} finding={finding} email={email} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ finding, email, onClose }: { finding: ShownFinding; email: string; onClose: () => void }) {
  const first = { fate: "benign", incident: "", reason: "", word: "" };
  const { form, idOf, leave } = useKeptForm(`decide ${finding.id}`, first, onClose);
  const { fate } = form.values;
  return (
    <DialogForm
      form={form}
      send={(typed) => {
        const { reason, incident, word } = typed;
        if (fate === "suppressed") {
          const rule = { id: idOf(typed), email, title: finding.title, reason, on_word_of: word };
          return call("admin/findings/suppress", rule);
        }
        return call("admin/findings/decide", {
          findings: [finding.id],
          fate: fate as "benign" | "attached" | "open",
          reason,
          ...(fate === "attached" && { incident }),
        });
      }}
      refresh={["admin/findings", "admin/incidents"]}
      submit="Decide"
      onClose={leave}
    >
      <Text style={{ overflowWrap: "anywhere" }}>{finding.title}</Text>
      {finding.dispute && <Text>The customer disputes what was decided: {finding.dispute}</Text>}
      <NativeSelect label="What becomes of it" data={fates} data-autofocus {...form.getInputProps("fate")} />
      {fate === "attached" && (
        <TextInput label="Number of the incident" placeholder="I-000123" required {...form.getInputProps("incident")} />
      )}
      {fate === "suppressed" && (
        <TextInput
          label="On whose word"
          description="Who, at the customer or on our team, said that these are not incidents"
          required
          maxLength={limits.fullNameLengthMax}
          {...form.getInputProps("word")}
          error={form.errors["on_word_of"] ?? form.errors["word"]}
        />
      )}
      <TextInput
        label="Why"
        description="The customer reads it"
        required
        maxLength={limits.contractReasonLengthMax}
        {...form.getInputProps("reason")}
      />
    </DialogForm>
  );
}

import { NativeSelect, Text, TextInput } from "@mantine/core";
import { limits } from "../../contract/limits.ts";
import type { RegulatorClock } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { asInstant } from "../forms/time-typed.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";

export interface FilingDialogProps {
  incidentId: string;
  /** The organisation's people who can have filed. */
  people: readonly { id: string; name: string }[];
  clock: RegulatorClock | null;
  onClose: () => void;
}

/** Records that a person of the organisation filed a report. */
export default function FilingDialog({ clock, onClose, ...rest }: FilingDialogProps) {
  return (
    <Dialog opened={clock !== null} onClose={onClose} title="Mark as filed">
      {clock && <FilingForm key={clock.key} clock={clock} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function FilingForm({ incidentId, people, clock, onClose }: FilingDialogProps & { clock: RegulatorClock }) {
  // One id for all attempts: a stored filing can't be changed, so if one did arrive, the server says what it holds.
  const first = { filingId: crypto.randomUUID(), filedBy: "", filedAt: "", reference: "" };
  const { title, recipient, key, version } = clock;
  const { form, leave } = useKeptForm(`filing ${incidentId} ${key}`, first, onClose);
  return (
    <DialogForm
      form={form}
      send={({ filedAt, ...typed }) =>
        call("user/incidents/{id}/filings", {
          id: incidentId,
          key,
          version,
          ...typed,
          filedAt: asInstant(filedAt),
        })
      }
      refresh={["user/incidents/{id}/obligations"]}
      submit="Mark as filed"
      isReady={form.values.filedBy !== "" && form.values.filedAt !== ""}
      onClose={leave}
    >
      <Text style={{ overflowWrap: "anywhere" }}>
        {title}, to {recipient}. The draft as it stands now is kept beside it. What is recorded here can’t be changed
        afterwards.
      </Text>
      <NativeSelect
        label="Who filed it"
        data={[{ value: "", label: "Please choose" }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
        data-autofocus
        {...form.getInputProps("filedBy")}
      />
      <TextInput
        type="datetime-local"
        label="When"
        description="In Indian time (IST)."
        {...form.getInputProps("filedAt")}
      />
      <TextInput
        label="Reference"
        description="What the regulator answered with, such as a number. Leave it empty where it gave none."
        maxLength={limits.obligationLineLengthMax}
        {...form.getInputProps("reference")}
      />
    </DialogForm>
  );
}

import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { limits } from "../../contract/limits.ts";
import type { Onboarding, OnboardingItem } from "../../contract/onboarding.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { Overtaken } from "../components/overtaken.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { useNewest } from "../forms/use-newest.ts";

export interface PlanDialogProps {
  reader: "user" | "admin";
  people: Onboarding["people"];
  item: OnboardingItem | null;
  onClose: () => void;
}

/** Sets whose task a line is, who does it and until when. */
export default function PlanDialog({ item, onClose, ...rest }: PlanDialogProps) {
  return (
    <Dialog opened={item !== null} onClose={onClose} title={item ? `Plan: ${item.title}` : ""}>
      {item && <PlanForm key={item.id} item={item} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function PlanForm({ reader, people, item: opened, onClose }: PlanDialogProps & { item: OnboardingItem }) {
  const [item, look] = useNewest(`${reader}/onboarding`, "id", opened);
  const { id, version, side, owner, dueOn, note } = item;
  const first = { side, ownerId: owner?.id ?? "", dueOn, note };
  const { form, version: over, overtaken, leave } = useKeptForm(`plan ${id}`, first, onClose, {}, version);
  const sides = { yours: reader === "user" ? "Yours" : "The customer’s", ours: "Ours" };
  return (
    <DialogForm
      form={form}
      send={({ ownerId, ...typed }) =>
        call(`${reader}/onboarding/plan`, { id, version: over, ...typed, ownerId: ownerId || null })
      }
      refresh={[`${reader}/onboarding`]}
      submit="Save"
      isReady={form.values.dueOn !== ""}
      onRefused={look}
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      <NativeSelect
        label="Whose move"
        data={[
          { value: "yours", label: sides.yours },
          { value: "ours", label: sides.ours },
        ]}
        data-autofocus
        {...form.getInputProps("side")}
        onChange={(event) => form.setValues({ side: event.currentTarget.value as OnboardingItem["side"], ownerId: "" })}
      />
      <NativeSelect
        label="Who does it"
        data={[
          { value: "", label: "Nobody is named" },
          ...people[form.values.side].map((person) => ({ value: person.id, label: person.name })),
        ]}
        {...form.getInputProps("ownerId")}
      />
      <TextInput type="date" label="Until" {...form.getInputProps("dueOn")} />
      <Textarea
        label="Note"
        description="Both sides read it, and your partner."
        autosize
        minRows={2}
        maxLength={limits.messageLengthMax}
        {...form.getInputProps("note")}
      />
    </DialogForm>
  );
}

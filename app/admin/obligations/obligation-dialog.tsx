import { Text, TextInput } from "@mantine/core";
import { ObligationWords } from "../../../contract/obligation-kinds.ts";
import type { EditableObligation } from "../../../contract/obligations.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";
import { What, WhatItIs, When, Who } from "./obligation-fields.tsx";
import { typedOf, type TypedObligation, wordsOf } from "./typed-obligation.ts";

export interface ObligationDialogProps {
  edited: EditableObligation | "new" | null;
  onClose: () => void;
}

/** Writes a new obligation, or the next version of one. */
export default function ObligationDialog({ edited, onClose }: ObligationDialogProps) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add an obligation" : "Edit the obligation"}
      size="lg"
    >
      {edited && <ObligationForm key={edited === "new" ? "new" : edited.key} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

/** The form field that shows an error at this path. */
const placeOf = (path: string): string => {
  if (path.startsWith("deadline.minutes")) return "hours";
  if (path.startsWith("deadline.anchors")) return "anchors";
  if (path.startsWith("deadline.afterMonths")) return "months";
  if (path.startsWith("deadline.days")) return "days";
  if (path.startsWith("requires")) return "typeNumbers";
  return path.split(".")[0] ?? path;
};

function ObligationForm({ edited: opened, onClose }: { edited: EditableObligation | "new"; onClose: () => void }) {
  const [edited, look] = useNewest("admin/obligations", "key", opened);
  const check = fieldErrors(ObligationWords);
  const keptAs = edited === "new" ? "obligation new" : `obligation ${edited.key}`;
  const seen = edited === "new" ? 0 : edited.version;
  const validate = (typed: TypedObligation) => ({
    ...Object.fromEntries(
      Object.entries(check(wordsOf(typed) as object)).map(([path, message]) => [placeOf(path), message]),
    ),
    ...(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(typed.key)
      ? {}
      : { key: "Please use small letters, digits and single hyphens, such as uae-bank" }),
  });
  const { form, version, overtaken, leave } = useKeptForm(keptAs, typedOf(edited), onClose, validate, seen);
  const save = (typed: TypedObligation) =>
    call("admin/obligations/post", {
      key: typed.key,
      version: edited === "new" ? null : version,
      words: ObligationWords.parse(wordsOf(typed)),
    });
  return (
    <DialogForm
      form={form}
      send={save}
      submit={edited === "new" ? "Add" : "Save as a new version"}
      refresh={["admin/obligations"]}
      onRefused={look}
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      {edited === "new" && (
        <TextInput
          label="Key"
          description="Can’t be changed later; for example uae-bank"
          required
          maxLength={60}
          data-autofocus
          {...form.getInputProps("key")}
        />
      )}
      <WhatItIs form={form} />
      <Who form={form} />
      <When form={form} />
      <What form={form} />
      <Text fz="sm" c="var(--site-muted)">
        A change makes a new version that nobody has verified yet. Clocks follow it at once; earlier drafts and filings
        stay as they are.
      </Text>
    </DialogForm>
  );
}

import { NumberInput, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { coverageLimits } from "../../../contract/coverage-words.ts";
import { LimitInput, type SilenceLimit } from "../../../contract/coverage.ts";
import { keyOf } from "../../../contract/devices.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { refreshCoverage } from "../../coverage/coverage-readers.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { errorsByType, TypeSelect, typeOf } from "./type-select.tsx";

type Edited = SilenceLimit | "new";

export interface LimitDialogProps {
  edited: Edited | null;
  /** The customer whose devices it is for; null for all customers. */
  email: string | null;
  onClose: () => void;
}

/** Sets after how many minutes a device of a type counts as silent. */
export default function LimitDialog({ edited, email, onClose }: LimitDialogProps) {
  return (
    <Dialog opened={edited !== null} onClose={onClose} title="Silence limit" size="lg">
      {edited && (
        <LimitForm key={edited === "new" ? "new" : keyOf(edited)} edited={edited} email={email} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface Typed {
  type: string;
  minutes: number | string;
}

const sentBy = ({ type, minutes }: Typed) => ({
  ...(typeOf(type) ?? { service: "", deviceType: "" }),
  minutes: minutes === "" ? null : minutes,
});

const check = fieldErrors(LimitInput);
const errorsOf = (typed: Typed) => errorsByType(check(sentBy(typed)));

function LimitForm({ edited, email, onClose }: LimitDialogProps & { edited: Edited }) {
  const queries = useQueryClient();
  const isNew = edited === "new";
  const first: Typed = isNew ? { type: "", minutes: 60 } : { type: keyOf(edited), minutes: edited.minutes };
  const keptAs = `limit ${email ?? ""} ${isNew ? "new" : keyOf(edited)}`;
  const { form, leave } = useKeptForm(keptAs, first, onClose, errorsOf, "none");
  const save = async (typed: Typed) => {
    const saved = await call("admin/coverage/limits/save", { ...sentBy(typed), ...(email !== null && { email }) });
    await refreshCoverage(queries);
    return saved;
  };
  return (
    <DialogForm form={form} send={save} submit="Save" refresh={["admin/coverage/rules"]} onClose={leave}>
      <Text fz="sm" c="var(--site-muted)">
        {email === null ? "It applies to every customer." : `It applies to ${email} only.`}
      </Text>
      <TypeSelect
        data-autofocus
        value={form.values.type}
        error={form.errors["type"]}
        onChange={(type) => form.setFieldValue("type", type)}
      />
      <NumberInput
        label="Silent after so many minutes without an event"
        description="Leave empty to remove the limit"
        min={coverageLimits.silenceMinutesMin}
        max={coverageLimits.silenceMinutesMax}
        allowDecimal={false}
        {...form.getInputProps("minutes")}
      />
    </DialogForm>
  );
}

import { NativeSelect, NumberInput, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { coverageLimits, matchRuleKindNames, matchRuleKinds } from "../../../contract/coverage-words.ts";
import { type MatchRule, type MatchRuleKind, RuleInput } from "../../../contract/coverage.ts";
import { keyOf } from "../../../contract/devices.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { refreshCoverage } from "../../coverage/coverage-readers.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";
import { errorsByType, TypeSelect, typeOf } from "./type-select.tsx";

type Edited = MatchRule | "new";

export interface RuleDialogProps {
  edited: Edited | null;
  /** The customer whose devices it is for; null for all customers. */
  email: string | null;
  onClose: () => void;
}

/** Adds or changes a rule that matches devices to a type. */
export default function RuleDialog({ edited, email, onClose }: RuleDialogProps) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a rule" : "Edit the rule"}
      size="lg"
    >
      {edited && (
        <RuleForm key={edited === "new" ? "new" : edited.id} edited={edited} email={email} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface Typed {
  kind: MatchRuleKind;
  pattern: string;
  type: string;
  place: number | string;
}

const sentBy = ({ type, ...typed }: Typed) => ({ ...typed, ...(typeOf(type) ?? { service: "", deviceType: "" }) });

const typedOf = (edited: Edited): Typed =>
  edited === "new"
    ? { kind: "name", pattern: "", type: "", place: 100 }
    : { kind: edited.kind, pattern: edited.pattern, type: keyOf(edited), place: edited.place };

const check = fieldErrors(RuleInput);
const errorsOf = (typed: Typed) => errorsByType(check(sentBy(typed)));

function RuleForm({ edited: opened, email, onClose }: RuleDialogProps & { edited: Edited }) {
  const queries = useQueryClient();
  const [edited, look] = useNewest("admin/coverage/rules", "id", opened);
  const keptAs = `rule ${edited === "new" ? `new ${email ?? ""}` : edited.id}`;
  const seen = edited === "new" ? 0 : edited.version;
  const { form, version, overtaken, leave } = useKeptForm(keptAs, typedOf(edited), onClose, errorsOf, seen);
  const save = async (typed: Typed) => {
    const saved = await call("admin/coverage/rules/save", {
      ...sentBy(typed),
      ...(email !== null && { email }),
      ...(edited !== "new" && { id: edited.id, version }),
    });
    await refreshCoverage(queries);
    return saved;
  };
  return (
    <DialogForm
      form={form}
      send={save}
      submit={edited === "new" ? "Add the rule" : "Save"}
      refresh={["admin/coverage/rules"]}
      onRefused={look}
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      <Text fz="sm" c="var(--site-muted)">
        {email === null
          ? "It applies to every customer."
          : `It applies to ${email} only, before the rules of all customers.`}
      </Text>
      <NativeSelect
        label="Goes by"
        data={matchRuleKindNames.map((kind) => ({ value: kind, label: matchRuleKinds[kind] }))}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label="Is like"
        description="* stands for any characters, ? for one; capitals make no difference"
        placeholder="srv-*"
        required
        data-autofocus
        maxLength={coverageLimits.matchPatternLengthMax}
        {...form.getInputProps("pattern")}
      />
      <TypeSelect
        value={form.values.type}
        error={form.errors["type"]}
        onChange={(type) => form.setFieldValue("type", type)}
      />
      <NumberInput
        label="Order"
        description="Among rules of the same kind, lower numbers apply first"
        min={1}
        max={9999}
        allowDecimal={false}
        {...form.getInputProps("place")}
      />
    </DialogForm>
  );
}

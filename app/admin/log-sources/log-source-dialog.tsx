import { contentLimits } from "../../../contract/content-limits.ts";
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Dialog } from "../../components/dialog.tsx";
import { NewLogSource, type OperatorLogSource } from "../../../contract/log-sources.ts";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";

type Edited = OperatorLogSource | "new";

/** Adds or changes a log source. */
export default function LogSourceDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a log source" : "Edit the log source"}
      size="lg"
    >
      {edited && <LogSourceForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

const typedOf = (edited: Edited): NewLogSource =>
  edited === "new"
    ? { product: "", category: "", label: "", format: "" }
    : { product: edited.product, category: edited.category, label: edited.label, format: edited.format };

function LogSourceForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const form = useForm({ initialValues: typedOf(edited), validate: fieldErrors(NewLogSource) });
  const save = (typed: NewLogSource) =>
    edited === "new"
      ? call("admin/log-sources/add", typed)
      : call("admin/log-sources/change", { ...typed, id: edited.id, version: edited.version });
  const button = edited === "new" ? "Put on the site" : "Save";
  const { logSourceLineLengthMax, logSourceCategoryLengthMax } = contentLimits;
  return (
    <DialogForm form={form} send={save} submit={button} refresh={["admin/log-sources"]} onClose={onClose}>
      <TextInput
        label="Product"
        required
        data-autofocus
        maxLength={logSourceLineLengthMax}
        {...form.getInputProps("product")}
      />
      <TextInput label="Category" required maxLength={logSourceCategoryLengthMax} {...form.getInputProps("category")} />
      <TextInput
        label="Label"
        description="Capital letters, digits and underscores; no two have the same"
        placeholder="ACME_DOOR"
        required
        maxLength={logSourceCategoryLengthMax}
        {...form.getInputProps("label")}
      />
      <TextInput
        label="Log format"
        placeholder="JSON, SYSLOG"
        required
        maxLength={logSourceCategoryLengthMax}
        {...form.getInputProps("format")}
      />
    </DialogForm>
  );
}
